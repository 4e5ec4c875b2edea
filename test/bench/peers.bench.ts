/**
 * What other tools spend on the same one-minute candles, in turns in one run: `make bench`. A service serves them: the
 * sandbox, in a process of its own. candlehouse backfills them with everything a run does: lists, daily summaries, landing,
 * loading, checking, publishing. dlt asks the same service for the candles and appends them. DuckDB and polars read the
 * pages that candlehouse landed. Needs bash, and Python with test/bench/peers/requirements.txt (BENCH_PYTHON).
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../src/package.js'
import { median, record } from './results.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 1)
const [FIRST, LAST] = ['2025-10-30', '2025-11-20']
const PYTHON = process.env.BENCH_PYTHON ?? join(packageRoot, 'test/bench/.venv/bin/python')
const PROGRAM = join(packageRoot, 'dist/src/main.js')
const PEERS = join(packageRoot, 'test/bench/peers')

interface Service {
  url: string
  apiKey: string
  apiSecret: string
}

interface Spent {
  /** User and system seconds of a process. */
  cpu: number
  rows: number
  /** Largest resident memory, bytes; candlehouse only. */
  peak?: number
}

/** @param rowsOf the last line of what it prints, as a number */
function spend(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Spent {
  const script = `TIMEFORMAT='%U %S'; { time "$@" 2>&3; } 3>&2 2>&1`
  const out = execFileSync('bash', ['-ec', script, 'bash', command, ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = String(out).trim().split('\n')
  const [user = 0, system = 0] = (lines.at(-1) ?? '').split(' ').map(Number)
  return { cpu: user + system, rows: Number(lines.at(-2)) }
}

/** The same for candlehouse, with its peak memory; rows are counted by whoever calls. */
function spendOurs(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Omit<Spent, 'rows'> {
  const file = join(folder, 'peak')
  const peak = ['--import', pathToFileURL(join(PEERS, 'peak.mjs')).href]
  const { cpu } = spend(process.execPath, [...peak, PROGRAM, ...args], { ...env, BENCH_PEAK: file })
  return { cpu, peak: Number(readFileSync(file, 'utf8')) }
}

function gzipsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.gz'))
    .map((name) => join(folder, name))
}

/** Bars of a home by symbol. */
function barsOf(home: string): { rows: number; symbols: string[] } {
  const statement = `SELECT symbol, count(*) AS bars FROM market.candle WHERE timeframe = '1m' GROUP BY symbol ORDER BY symbol`
  const out = execFileSync(process.execPath, [PROGRAM, 'sql', '--json', '--home', home, statement])
  const rows = JSON.parse(String(out)) as { symbol: string; bars: string }[]
  return {
    rows: rows.reduce((sum, { bars }) => sum + Number(bars), 0),
    symbols: rows.map(({ symbol }) => symbol),
  }
}

async function tokenOf({ url, apiKey, apiSecret }: Service): Promise<string> {
  const response = await fetch(`${url}/api/v3/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey, apiSecret }),
  })
  const { accessToken } = (await response.json()) as { accessToken: string }
  return accessToken
}

/** One round: candlehouse first, whose pages and symbols the others take. */
async function round(service: Service, folder: string): Promise<Map<string, Spent>> {
  const spent = new Map<string, Spent>()
  const home = join(folder, 'home')
  const env = {
    CANDLEHOUSE_HOME: home,
    BROKER_BASE_URL: service.url,
    BROKER_API_KEY: service.apiKey,
    BROKER_API_SECRET: service.apiSecret,
    BROKER_MAX_RPS: '1000',
  }
  const days = ['--from', FIRST, '--to', LAST, '--date', LAST]
  const backfill = spendOurs(folder, ['backfill', 'ohlc', ...days, '--quiet'], env)
  const { rows, symbols } = barsOf(home)
  spent.set('candlehouse', { ...backfill, rows })
  const pages = gzipsBelow(join(home, 'raw/ohlc'))
  const floor = `const { readFileSync } = require('node:fs'), { gunzipSync } = require('node:zlib'); let rows = 0
    for (const page of process.argv.slice(1)) rows += JSON.parse(gunzipSync(readFileSync(page))).data.length
    console.log(rows)`
  spent.set('gunzip + JSON.parse', spend(process.execPath, ['-e', floor, ...pages]))
  spent.set('replay', { ...spendOurs(folder, ['replay', '--quiet', '--home', home]), rows })
  if (!existsSync(PYTHON)) return spent
  const token = { TOKEN: await tokenOf(service) }
  const [from, to] = [FIRST, LAST].map((day) => day.replaceAll('-', '/'))
  for (const [name, args] of [
    ['dlt', [join(PEERS, 'dlt_candles.py'), service.url, `${from}`, `${to}`, folder, ...symbols]],
    ['DuckDB read_json', [join(PEERS, 'duckdb_candles.py'), folder, ...pages]],
    ['polars', [join(PEERS, 'polars_candles.py'), folder, ...pages]],
  ] as const) {
    const peer = spend(PYTHON, args, token)
    if (peer.rows !== rows) throw new Error(`${name} has ${peer.rows} rows, candlehouse ${rows}`)
    spent.set(name, peer)
  }
  return spent
}

const sandbox = spawn(process.execPath, [PROGRAM, 'sandbox', '--date', LAST], {
  stdio: ['ignore', 'pipe', 'ignore'],
})
process.once('SIGTERM', () => {
  sandbox.kill()
  process.exit(143)
})
const folder = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
const costs = new Map<string, number[]>()
const peaks = new Map<string, number[]>()
let bars = 0
try {
  const [line] = (await once(createInterface({ input: sandbox.stdout }), 'line')) as [string]
  const service = JSON.parse(line) as Service
  for (let number = 1; number <= ROUNDS; number += 1) {
    const place = join(folder, String(number))
    mkdirSync(place)
    for (const [name, { cpu, rows, peak }] of await round(service, place)) {
      costs.set(name, [...(costs.get(name) ?? []), cpu / (rows / 1e6)])
      if (peak !== undefined) peaks.set(name, [...(peaks.get(name) ?? []), peak / 1e6])
      bars = rows
    }
    rmSync(place, { recursive: true })
  }
} finally {
  sandbox.kill()
  rmSync(folder, { recursive: true, force: true })
}
const each = (name: string): number => median(costs.get(name) ?? [])
const shown = (name: string): string => `${name} ${each(name).toFixed(1)} CPU-s per million`
for (const name of costs.keys())
  if (name !== 'candlehouse')
    record({
      what: `a backfill of ${bars} candles of 1m, with all that a run does`,
      ours: shown('candlehouse'),
      beside: shown(name),
      ratio: each('candlehouse') / each(name),
    })
const peakOf = (name: string): number => median(peaks.get(name) ?? [])
record({
  what: `peak memory of that backfill; DuckDB's own limit is 512 MB`,
  ours: `${peakOf('candlehouse').toFixed(0)} MB`,
  beside: `replay ${peakOf('replay').toFixed(0)} MB`,
  ratio: peakOf('candlehouse') / peakOf('replay'),
})
if (!existsSync(PYTHON))
  process.stdout.write(`dlt, DuckDB's read_json and polars were left out: there is no ${PYTHON}\n`)
