/**
 * Proves that stock DuckDB shells of other version lines than ours open the catalog, read every relation, run every
 * macro and answer the cookbook: `make shells`. Exits with 1 where one does not.
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
const LINES = ['1.4', '1.5']
const DATE = '2025-06-30'

const home = makeHome()
let failed = false
try {
  await home.nightly(DATE)
  for (const line of LINES) {
    const shell = join(packageRoot, `test/interop/.shell-${line}/bin/duckdb`)
    if (!existsSync(shell)) {
      process.stdout.write(`duckdb ${line}: skipped, no PyPI when make shells installed\n`)
      continue
    }
    const ask = async (sql: string): Promise<string[]> => {
      const { stdout } = await run(shell, ['-readonly', '-csv', '-noheader', home.catalog, '-c', sql])
      // The shell of 1.5 colours what it writes into a pipe too.
      return stripVTControlCharacters(stdout)
        .split('\n')
        .filter((each) => each !== '')
    }
    const names = [...relations.map(({ name }) => name), ...(await ask(readable(DATE)))].map((each) =>
      each.replaceAll(/^"|"$/g, '').replaceAll('""', '"'),
    )
    const statements = [
      ...names.map((name) => ({ name, sql: `SELECT count(*) FROM (FROM ${name})` })),
      ...recipes().map(({ question, sql }) => ({ name: question, sql })),
    ]
    for (const { name, sql } of statements) {
      await ask(sql).catch((problem: Error) => {
        failed = true
        process.stdout.write(`duckdb ${line}: ${name}: ${problem.message}\n`)
      })
    }
    const [version] = await ask('SELECT version()')
    process.stdout.write(
      `duckdb ${version}: ${names.length} relations and macros, ${recipes().length} recipes\n`,
    )
  }
} finally {
  home.remove()
}
if (failed) process.exitCode = 1
