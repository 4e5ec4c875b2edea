/**
 * Proves that stock DuckDB shells of other version lines than ours open the catalog, read every relation, run every
 * macro and answer the cookbook: `make shells`. Exits with 1 where one does not.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/package.js'
import { recipes } from '../docs/cookbook.js'
import { makeHome } from './home.js'

const run = promisify(execFile)
const LINES = ['1.4', '1.5']
const DATE = '2025-06-30'

const RELATIONS = `SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal
  UNION ALL SELECT schema_name || '.' || table_name FROM duckdb_tables() ORDER BY 1`

/** Table macros with arguments that fit their parameters. */
const MACROS = `SELECT 'mart.' || function_name || '(' || array_to_string(list_transform(parameters, parameter ->
    CASE parameter WHEN 'instant' THEN '''${DATE} 20:00:00+07''' WHEN 'of_timeframe' THEN '''7m'''
      WHEN 'of_relation' THEN '''market.price_limit''' WHEN 'bands' THEN '''market.price_limit'''
      WHEN 'summaries' THEN '''market.daily_summary''' ELSE 'DATE ''${DATE}''' END), ', ') || ')'
  FROM duckdb_functions() WHERE schema_name = 'mart' AND function_type = 'table_macro' ORDER BY 1`

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
      return stdout.split('\n').filter((each) => each !== '')
    }
    const names = [...(await ask(RELATIONS)), ...(await ask(MACROS))].map((each) =>
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
