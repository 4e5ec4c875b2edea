/**
 * Proves that stock DuckDB of other version lines than ours opens the catalog, reads every relation, runs every macro and
 * answers the cookbook, and reads the lake's files through its DuckLake: `make shells`. Exits with 1 where one does not.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { packageRoot } from '../../src/package.js'
import { relations } from '../../src/relations.js'
import { recipes } from '../docs/cookbook.js'
import { readable } from '../mart/readable.js'
import { makeHome } from './home.js'

const run = promisify(execFile)
const here = join(packageRoot, 'test/interop')
const DATE = '2025-06-30'

/** A version line, and the program that takes a shell's arguments: of 2.0 PyPI has no shell, only Python's client. */
interface Line {
  readonly name: string
  readonly command: readonly string[]
}

const lines: readonly Line[] = [
  ...['1.4', '1.5'].map((name) => ({ name, command: [join(here, `.shell-${name}/bin/duckdb`)] })),
  { name: '2.0', command: [join(here, '.shell-2.0/bin/python'), join(here, 'engines/shell.py')] },
]

/** Answers of a shell, one per line, of which NULL is empty. */
type Ask = (file: string, sql: string) => Promise<string[]>

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

function askerOf({ command: [program = '', ...first] }: Line): Ask {
  return async (file, sql) => {
    const { stdout } = await run(program, [...first, '-readonly', '-csv', '-noheader', file, '-c', sql], {
      maxBuffer: 1 << 26,
    })
    // The shell of 1.5 colours what it writes into a pipe too.
    return stripVTControlCharacters(stdout)
      .split('\n')
      .filter((each) => each !== '')
  }
}

const home = makeHome()
const lakeFile = join(home.folder, 'lake.ducklake')
let failed = false
try {
  await home.nightly(DATE)
  for (const line of lines) {
    if (!existsSync(line.command[0] ?? '')) {
      say(`duckdb ${line.name}: skipped, no PyPI when make shells installed`)
      continue
    }
    const ask = askerOf(line)
    const [version = line.name] = await ask(home.catalog, 'SELECT version()')
    await readCatalog(version, ask)
    await readDuckLakeFiles(version, ask)
    await attachDuckLake(version, ask)
  }
} finally {
  home.remove()
}
if (failed) process.exitCode = 1

async function readCatalog(version: string, ask: Ask): Promise<void> {
  const names = [...relations.map(({ name }) => name), ...(await ask(home.catalog, readable(DATE)))].map(
    (each) => each.replaceAll(/^"|"$/g, '').replaceAll('""', '"'),
  )
  const statements = [
    ...names.map((name) => ({ name, sql: `SELECT count(*) FROM (FROM ${name})` })),
    ...recipes().map(({ question, sql }) => ({ name: question, sql })),
  ]
  for (const { name, sql } of statements) {
    await ask(home.catalog, sql).catch((problem: Error) => {
      failed = true
      say(`duckdb ${version}: ${name}: ${problem.message}`)
    })
  }
  say(`duckdb ${version}: ${names.length} relations and macros, ${recipes().length} recipes`)
}

/** Rows of every table: as the DuckLake's metadata has them, as the files that it names have them, and as the catalog has them. */
async function readDuckLakeFiles(version: string, ask: Ask): Promise<void> {
  const rows = await ask(
    lakeFile,
    `SELECT schema_name || '.' || table_name || '|' || sum(record_count)::BIGINT || '|' || string_agg(m.value || s.path || t.path || f.path, ' ')
     FROM ducklake_data_file f JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id) JOIN ducklake_metadata m ON m.key = 'data_path'
     WHERE f.end_snapshot IS NULL GROUP BY schema_name, table_name`,
  )
  let same = 0
  for (const row of rows) {
    const [name = '', listed = '', files = ''] = row.replaceAll('"', '').split('|')
    const paths = files.split(' ').map((file) => `'${file}'`)
    const [stored] = await ask(home.catalog, `SELECT count(*) FROM read_parquet([${paths.join(', ')}])`)
    const shown =
      name === 'market.candle' ? stored : (await ask(home.catalog, `SELECT count(*) FROM ${name}`))[0]
    if (listed === stored && stored === shown) same += 1
    else {
      failed = true
      say(
        `duckdb ${version}: ${name} of the DuckLake: ${listed}, in its files ${stored}, in the catalog ${shown}`,
      )
    }
  }
  say(`duckdb ${version}: lake.ducklake opens; ${same} tables have the rows that it lists`)
}

/** With DuckLake's own extension, where it can be downloaded. That of 1.4 knows DuckLake up to 0.3. */
async function attachDuckLake(version: string, ask: Ask): Promise<void> {
  const attached = `INSTALL ducklake; LOAD ducklake; ATTACH 'ducklake:${lakeFile}' AS lake (READ_ONLY); SELECT count(*) FROM lake.market.security`
  const answer = await ask(home.catalog, attached).catch((problem: Error) => problem.message)
  if (typeof answer !== 'string') say(`duckdb ${version}: DuckLake attached, ${answer.at(-1)} securities`)
  else if (/Failed to download|Could not establish/.test(answer))
    say(`duckdb ${version}: DuckLake not attached, its extension cannot be downloaded here`)
  else if (version.startsWith('v1.4') && answer.includes('Only DuckLake versions'))
    say(`duckdb ${version}: its extension does not know DuckLake 1.0, and says so`)
  else {
    failed = true
    say(`duckdb ${version}: DuckLake: ${answer}`)
  }
}
