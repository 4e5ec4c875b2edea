/**
 * Runs every bench, each for two minutes at most, and writes what they recorded to docs/benchmarks.md: `make bench`. Names of
 * benches as arguments run only those, and replace only their rows. `twenty-years`, which takes hours, runs only by its name; what
 * follows are its steps.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import type { Result } from './results.js'

const LIMIT_MS = 120_000

const PAGE = join(packageRoot, 'docs/benchmarks.md')

/** Sizes at which a bench keeps its two minutes on two cores. */
const SIZES: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  analysts: { BENCH_SYMBOLS: '250', BENCH_SESSIONS: '80' },
  cookbook: { BENCH_SYMBOLS: '170', BENCH_SESSIONS: '20' },
  decade: { BENCH_SYMBOLS: '40', BENCH_YEARS: '3' },
  factors: { BENCH_SYMBOLS: '200' },
  levels: { BENCH_YEARS: '2' },
  rules: { BENCH_SYMBOLS: '400', BENCH_BARS: '120' },
  export: { BENCH_ROUNDS: '1', BENCH_FROM: '2024-10-14' },
  start: { BENCH_ROUNDS: '5' },
  stores: { BENCH_SYMBOLS: '190' },
}

const folder = join(packageRoot, 'test/bench')
const benches = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .map((name) => name.replace('.bench.ts', ''))
const asked = process.argv.slice(2)
if (asked[0] === 'twenty-years') {
  const words = ['--import', 'tsx', join(folder, 'twenty-years.ts'), ...asked.slice(1)]
  const { status } = spawnSync(process.execPath, words, { cwd: packageRoot, stdio: 'inherit' })
  process.exit(status ?? 1)
}
const scratch = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  const former = formerRows()
  const rows = benches.flatMap((name) =>
    asked.length === 0 || asked.includes(name) ? rowsOf(name, run(name)) : (former.get(name) ?? []),
  )
  writeFileSync(PAGE, page(rows))
  // As biome checks it.
  spawnSync('npx', ['biome', 'format', '--write', PAGE], { cwd: packageRoot, stdio: 'ignore' })
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** What a bench recorded; what it had recorded by then if it took too long. */
function run(name: string): Result[] {
  const results = join(scratch, `${name}.ndjson`)
  const { status, error } = spawnSync(
    process.execPath,
    ['--import', 'tsx', join(folder, `${name}.bench.ts`)],
    {
      cwd: packageRoot,
      env: { ...process.env, ...SIZES[name], BENCH_RESULTS: results },
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: LIMIT_MS,
    },
  )
  if (status !== 0) process.stderr.write(`${name}: ${error?.message ?? `exit ${status}`}\n`)
  if (!existsSync(results)) return []
  return readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Result)
}

/** Rows of the page's table. */
function rowsOf(name: string, results: readonly Result[]): string[] {
  const day = new Date().toISOString().slice(0, 10)
  return results.map(
    ({ what, ours, beside, ratio }) =>
      `| ${what} | ${ours} | ${beside} | ${ratio.toFixed(2)} | ${name} | ${day} |`,
  )
}

/** The rows that the page has now, by their bench. */
function formerRows(): Map<string, string[]> {
  const rows = new Map<string, string[]>()
  for (const line of readFileSync(PAGE, 'utf8').split('\n')) {
    const [, name] = /\| ([a-z]+) +\| \d{4}-\d\d-\d\d \|$/.exec(line) ?? []
    if (name) rows.set(name, [...(rows.get(name) ?? []), line])
  }
  return rows
}

function page(table: readonly string[]): string {
  return `# Benchmarks

Ratios, measured side by side in one run: figures of one machine say little about another, ratios say more. Ours and the
other take turns, so that what else the machine does meets both. \`make bench\` measures again and writes this page; each
bench takes two minutes at most, \`npx tsx test/bench/main.ts NAME\` runs one and replaces its rows.

${machine()}

| what | candlehouse | beside | ratio | bench | measured |
| ---- | ----------- | ------ | ----- | ----- | -------- |
${table.join('\n')}

## What is compared

- **land + load**: pages of 1,000 candles from the bytes of an answer to typed, checked rows with their ledger, in a file;
  the floor decompresses and parses the same pages, and throws the result away. The temporary folder decides what a sync
  to disk costs: in memory it is nothing.
- **a backfill**: a process from its start to its end, over HTTP against a service on the same machine, with lists, daily
  summaries, landing, loading, rules and publishing. dlt asks the same service for the candles alone and appends them
  to DuckDB, with neither checks nor raw pages. DuckDB's \`read_json\` and polars read pages that candlehouse has landed, and
  type them; they fetch nothing, check nothing and keep no history.
- **reading**: the same statement over the lake's Parquet files through the catalog's views, and over DuckDB tables of the
  same rows in the same order.
- **publishing** and **checking**: the same work beside five years of history and beside a month. A publication of one row stands
  beside one that finds nothing changed, a home's first one beside the COPYs that write the same files: what it costs to name them.
- **years beside a month**: nights that are published into a generated history of years and into one month, and what readers wait
  for. A session's factors look back on up to 440 days: into a month they are cheaper, from the second year on they stay the same.
- **peak memory**: the largest resident set of a process of its own, Node and DuckDB together.
- **years of a daily relation**: the same rows in one file per year, as the lake keeps them, and in one file per month.
- **stores**: the same bars in each, and a question from Python to a data frame of its library, the median of seven after the first.
  ArcticDB keeps a data frame a symbol: a session of all symbols is a batch of reads. candlehouse is its catalog, opened with DuckDB's
  package for Python; its prices are decimals and are given as numbers there. Only its side writes daily relations and a ledger too.
- **the cookbook**: every statement of docs/cookbook.md over the catalog; the goals are fixed times, so this row depends on
  the machine and what else it does.

What is not compared: how much of it a person has to write and keep in order.
`
}

function machine(): string {
  const [cpu] = cpus()
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string
    dependencies: { '@duckdb/node-bindings': string }
  }
  return [
    `Machine: ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}.`,
    `Node ${process.versions.node}, candlehouse ${manifest.version}, DuckDB ${manifest.dependencies['@duckdb/node-bindings']};`,
    `${pythonPackages()}.`,
  ].join(' ')
}

function pythonPackages(): string {
  const asked = readFileSync(join(folder, 'peers/requirements.txt'), 'utf8').trim().split('\n')
  return `in Python ${asked.map((line) => line.replace('==', ' ').replace('[duckdb]', '')).join(', ')}`
}
