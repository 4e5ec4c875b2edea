/**
 * The program on the next DuckDB, whose Node binding is not out: the binding of today loads the library of the next one (Makefile).
 * Two nights, a replay, and a night in a home of today; then every published table and view by its hash, the findings, and the answers
 * to the questions of docs/cookbook.md, with both. Ends with 1 where anything differs: `make next`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { recipes } from '../docs/cookbook.js'

const NIGHTS = ['2025-12-17', '2025-12-18'] as const
const FOLDER = join(packageRoot, 'test/interop/.next-duckdb')

type Engine = NodeJS.ProcessEnv

const { PATH, HOME } = process.env
const TODAY: Engine = { PATH, HOME, CANDLEHOUSE_LAKE_MARTS: 'all' }
const NEXT: Engine = {
  ...TODAY,
  LD_PRELOAD: join(FOLDER, 'python.so'),
  CANDLEHOUSE_NEXT_BINDING: join(FOLDER, 'binding/duckdb.node'),
  NODE_OPTIONS: `--require=${join(packageRoot, 'test/interop/next-duckdb/bindings.cjs')}`,
}

const folder = mkdtempSync(join(tmpdir(), 'candlehouse-next-'))
const homeOf = (name: string): string => join(folder, name)

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function run(engine: Engine, home: string, ...args: string[]): Ended {
  const words = [join(packageRoot, 'dist/src/main.js'), ...args, '--home', homeOf(home)]
  const ended = spawnSync(process.execPath, words, { encoding: 'utf8', env: engine, maxBuffer: 1e9 })
  return { code: ended.status, out: ended.stdout, err: ended.stderr }
}

function versionOf(engine: Engine): string {
  const script = "import('@duckdb/node-api').then(({ version }) => console.log(version()))"
  const { stdout } = spawnSync(process.execPath, ['--eval', script], {
    encoding: 'utf8',
    env: engine,
    cwd: packageRoot,
  })
  return stdout.trim()
}

function requireDone({ code, err }: Ended, what: string): void {
  if (code !== 0) throw new Error(`${what} ended with ${code}:\n${err}`)
}

/** Rows of a statement; the error where there are none. */
function rowsOf(engine: Engine, home: string, sql: string): unknown {
  const { code, out, err } = run(engine, home, 'sql', '--json', sql)
  return code === 0 ? JSON.parse(out) : `exit ${code}: ${err.split('\n')[0]}`
}

const differences: string[] = []

function compare(what: string, expected: unknown, actual: unknown): void {
  const [today, next] = [JSON.stringify(expected), JSON.stringify(actual)]
  if (today !== next)
    differences.push(`${what}\n  today  ${today.slice(0, 400)}\n  next   ${next.slice(0, 400)}`)
}

/** Logs: a replay writes them anew, and versions of tables follow from files, which another encoder of Parquet writes otherwise. */
const LOGS = new Set(['ops.publication', 'ops.run'])

/** Every stored relation by its hash, and what the rules found. */
function compareHomes(what: string, expected: string, actual: string): void {
  const [today, next] = [hashesOf(TODAY, expected), hashesOf(NEXT, actual)]
  for (const [relation, hash] of Object.entries(today))
    if (!LOGS.has(relation)) compare(`${what}: ${relation}`, hash, next[relation])
  // A run has its own id, and its own instants.
  const found = 'SELECT * EXCLUDE (run_id, since, judged_at) FROM recon.finding ORDER BY ALL'
  compare(`${what}: findings`, rowsOf(TODAY, expected, found), rowsOf(NEXT, actual, found))
  say(`${what}: ${Object.keys(today).length} relations and the findings`)
}

function hashesOf(engine: Engine, home: string): Record<string, string> {
  const status = run(engine, home, 'status', '--hashes', '--json')
  requireDone(status, `status of ${home}`)
  return (JSON.parse(status.out) as { hashes: Record<string, string> }).hashes
}

/** Both engines answer from one home: the same rows, in whatever order; floating point but for the digits that the order of a sum decides. */
function compareAnswers(home: string): void {
  const names = `SELECT view_name AS name FROM duckdb_views() WHERE schema_name = 'mart' AND NOT internal ORDER BY ALL`
  const views = (rowsOf(TODAY, home, names) as { name: string }[]).map(({ name }) => name)
  for (const view of views) {
    const sql = hashOf(view, rowsOf(TODAY, home, `DESCRIBE mart.${view}`) as Described[])
    compare(`mart.${view}`, rowsOf(TODAY, home, sql), rowsOf(NEXT, home, sql))
  }
  for (const { question, sql } of recipes())
    compare(question, comparable(rowsOf(TODAY, home, sql)), comparable(rowsOf(NEXT, home, sql)))
  say(`answers: ${views.length} views and ${recipes().length} questions of the cookbook`)
}

interface Described {
  readonly column_name: string
  readonly column_type: string
}

function hashOf(view: string, columns: readonly Described[]): string {
  const compared = columns.map(({ column_name, column_type }) =>
    column_type === 'DOUBLE' ? `CAST("${column_name}" AS FLOAT) AS "${column_name}"` : `"${column_name}"`,
  )
  return `SELECT count(*) AS rows, bit_xor(hash(each_row)) AS hash FROM (SELECT ${compared.join(', ')} FROM mart.${view}) AS each_row`
}

const DIGITS = 11

function comparable(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value
  return answer.map((row) => JSON.stringify(row, rounded)).sort()
}

function night(engine: Engine, home: string, date: string): void {
  requireDone(run(engine, home, 'nightly', '--date', date), `the night of ${date} in ${home}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  const [first, second] = NIGHTS
  say(`the program on DuckDB ${versionOf(NEXT)}, beside ${versionOf(TODAY)}`)
  night(TODAY, 'today', first)
  cpSync(homeOf('today'), homeOf('moved'), { recursive: true })
  night(TODAY, 'today', second)
  for (const date of NIGHTS) night(NEXT, 'next', date)
  compareHomes('two nights', 'today', 'next')
  night(NEXT, 'moved', second)
  compareHomes('a night of next in a home of today', 'today', 'moved')
  for (const name of readdirSync(homeOf('next')).filter((each) => each !== 'raw'))
    rmSync(join(homeOf('next'), name), { recursive: true })
  requireDone(run(NEXT, 'next', 'replay'), 'replay')
  requireDone(run(NEXT, 'next', 'publish'), 'publish')
  compareHomes('replay', 'today', 'next')
  compareAnswers('today')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const difference of differences) say(difference)
say(`${differences.length} differences`)
process.exitCode = differences.length > 0 ? 1 : 0
