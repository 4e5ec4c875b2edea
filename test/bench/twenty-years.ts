/**
 * What a home costs after twenty years of nights: `npx tsx test/bench/main.ts twenty-years`, not a part of `make bench`. A real night
 * of the full market against the sandbox, the years before it generated and published by the product, then what a user waits for,
 * each command as a process of its own under GNU time: a backfill of the last year, a night, a night with a split, readers, sizes.
 *
 * BENCH_YEARS (20; 0 is the home of one year that the others are compared with), BENCH_SYMBOLS (1700; 111 bars per symbol and session)
 * and BENCH_HOME, a folder that is kept: steps that are named as arguments run on what the earlier ones left there; BENCH_NIGHT and
 * BENCH_SPLIT_NIGHT are the days of further nights, BENCH_BACKFILL_TO the last day of the backfill. The whole market takes two hours and 40 GB.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addHistory } from './decade.js'

const YEARS = Number(process.env.BENCH_YEARS ?? 20)
const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1700)
/** Before this month a tenth of the symbols have bars, as if the market had grown; empty: all have. */
const FEWER_BEFORE = process.env.BENCH_FEWER_BEFORE ?? ''
const SPLIT = process.env.BENCH_SPLIT ?? 'FPT'

/** The service serves a year: what is before it is generated. */
const FIRST_NIGHT = '2025-10-31'
const SERVED_FROM = '2024-11-01'
const HISTORY_ENDS = '2024-10-31'
const BACKFILL_TO = process.env.BENCH_BACKFILL_TO ?? FIRST_NIGHT
const NEXT_NIGHT = process.env.BENCH_NIGHT ?? '2025-11-03'
const SPLIT_NIGHT = process.env.BENCH_SPLIT_NIGHT ?? '2025-11-04'

const PROGRAM = join(packageRoot, 'dist/src/main.js')
const folder = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'candlehouse-years-'))
const home = join(folder, 'home')
mkdirSync(folder, { recursive: true })

/** A year of a symbol, a session of all, all years of one and of all: what users ask, and what engines are asked after them. */
const STATEMENTS: Readonly<Record<string, string>> = {
  "a symbol's year of 1m": `SELECT trading_date, opened_at, open, high, low, close, volume FROM market.candle
    WHERE symbol = '${SPLIT}' AND timeframe = '1m' AND trading_date BETWEEN DATE '2024-01-01' AND DATE '2024-12-31'`,
  "a symbol's 1d, ten years": `SELECT trading_date, open, high, low, close, volume FROM market.candle
    WHERE symbol = '${SPLIT}' AND timeframe = '1d' AND trading_date > DATE '2014-10-31'`,
  "a symbol's adjusted prices, all years": `SELECT trading_date, close_adjusted FROM mart.daily_adjusted WHERE symbol = '${SPLIT}'`,
  "a session's bars of 1m, all symbols": `SELECT symbol, opened_at, close, volume FROM market.candle
    WHERE timeframe = '1m' AND trading_date = DATE '2024-10-15'`,
  "a session's factors": `FROM mart.daily_factor WHERE trading_date = DATE '2024-10-15'`,
  "volume per symbol, all years' bars": `SELECT symbol, count(*) AS bars, sum(volume) AS volume FROM market.candle
    WHERE timeframe = '1m' GROUP BY symbol ORDER BY symbol`,
}

const steps: Readonly<Record<string, () => Promise<void>>> = {
  'first-night': async () => {
    await withService(FIRST_NIGHT, async (service) => {
      await measure('first night, five sessions', ['nightly', '--date', FIRST_NIGHT], service)
      const days = ['--from', SERVED_FROM, '--to', SERVED_FROM, '--date', FIRST_NIGHT]
      await measure('reference prices of one session', ['backfill', 'masterdata', ...days], service)
    })
  },
  history: addYears,
  publish: async () => await measure('publication of the history', ['publish']),
  backfill: async () => {
    const days = ['--from', SERVED_FROM, '--to', BACKFILL_TO, '--date', FIRST_NIGHT]
    await withService(FIRST_NIGHT, async (service) => {
      await measure(`backfill up to ${BACKFILL_TO}`, ['backfill', 'all', ...days], service)
    })
  },
  'next-night': async () => {
    await withService(NEXT_NIGHT, async (service) => {
      await measure('night', ['nightly', '--date', NEXT_NIGHT], service)
      await measure('night again, nothing new', ['nightly', '--date', NEXT_NIGHT], service)
    })
  },
  'split-night': async () => {
    await withService(SPLIT_NIGHT, async (service) => {
      await measure(`night with a split of ${SPLIT}`, ['nightly', '--date', SPLIT_NIGHT], service)
    })
  },
  readers: async () => {
    await measure('status', ['status'])
    await measure('report', ['report'])
    await measure('check', ['check'])
    await measure('lake verify', ['lake', 'verify'])
    for (const [what, statement] of Object.entries(STATEMENTS))
      await measure(what, ['sql', '--csv', statement])
  },
  chart: measureCharts,
  size: async () => {
    for (const part of ['raw', 'warehouse.duckdb', 'lake', 'lake/market/candle', 'catalog.duckdb', '.'])
      note(
        `size of ${part}`,
        execFileSync('du', ['-sh', join(home, part)], { encoding: 'utf8' }).split('\t')[0],
      )
  },
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in steps))
if (unknown.length > 0) throw new Error(`no step ${unknown[0]}; there are ${Object.keys(steps).join(', ')}`)
try {
  for (const [name, step] of Object.entries(steps))
    if (asked.length === 0 || asked.includes(name)) await step()
} finally {
  if (!process.env.BENCH_HOME) rmSync(folder, { recursive: true, force: true })
}

/** One thread, and a checkpoint each year: the bench is to leave the machine to others. */
async function addYears(): Promise<void> {
  if (YEARS === 0) return
  const start = performance.now()
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  try {
    await warehouse.run('SET threads = 1')
    // What an earlier start has made stays.
    const [made] = await warehouse.column<string | null>(
      `SELECT strftime(max(trading_date), '%Y') FROM market.candle WHERE trading_date <= DATE '${HISTORY_ENDS}'`,
    )
    const from = made ? `${Number(made) + 1}-01-01` : `${2025 - YEARS}-11-01`
    const years = { from, to: HISTORY_ENDS }
    const fewer = FEWER_BEFORE ? { fewer: { before: FEWER_BEFORE, traded: Math.ceil(SYMBOLS / 10) } } : {}
    const size = { symbols: SYMBOLS, traded: SYMBOLS, asMarket: true, ...years, ...fewer }
    await addHistory(warehouse, size, async (year) => {
      await warehouse.run('CHECKPOINT')
      const bars = await warehouse.count('SELECT count(*) FROM market.candle')
      note(`history up to ${year}`, `${(bars / 1e6).toFixed(1)} million bars, ${seconds(start)} s`)
    })
  } finally {
    warehouse.close()
  }
}

/** The console as a browser asks it for a chart: the first time reads the catalog, the second finds it read. */
async function measureCharts(): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, 'console', '--home', home, '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url } = JSON.parse(await firstDocument(child)) as { url: string }
    const [address, token] = [new URL(url).origin, new URL(url).searchParams.get('token')]
    for (const query of [
      'timeframe=1d',
      'timeframe=1d&adjusted=true',
      'timeframe=1m&from=2024-01-01&to=2024-12-31',
    ])
      for (const round of ['first', 'second']) {
        const [start, cpu] = [performance.now(), cpuOf(child)]
        const answer = await fetch(`${address}/api/candles?symbol=${SPLIT}&${query}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${query}: ${answer.status} ${text}`)
        const spent = `${seconds(start)} s, ${(cpuOf(child) - cpu).toFixed(2)} CPU-s, ${(text.length / 1e6).toFixed(1)} MB`
        note(`chart of ${SPLIT}, ${query}, ${round} time`, spent)
      }
    note('console, memory', `${(residentKb(child) / 1e3).toFixed(0)} MB`)
  } finally {
    child.kill()
  }
}

/** CPU-seconds of a process so far, of /proc. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function residentKb({ pid }: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

/** The first line that a process prints; of pretty JSON all of it, since the address is in the first lines. */
async function firstDocument(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output')
  let text = ''
  for await (const line of createInterface({ input: child.stdout })) {
    text += line
    if (line.endsWith('}')) return text
  }
  throw new Error(`it ended: ${text}`)
}

/** Settings of a home that asks a sandbox of the full market. */
async function withService(date: string, work: (service: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const options = ['--universe', 'full', '--date', date, '--split', `${SPLIT},${SPLIT_NIGHT},2`, '--json']
  const sandbox = spawn(process.execPath, [PROGRAM, 'sandbox', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url, apiKey, apiSecret, otp } = JSON.parse(await firstDocument(sandbox)) as Record<string, string>
    await work({
      BROKER_BASE_URL: url,
      BROKER_API_KEY: apiKey,
      BROKER_API_SECRET: apiSecret,
      BROKER_OTP: otp,
      BROKER_MAX_RPS: '1000',
    })
  } finally {
    sandbox.kill()
  }
}

/** Runs a command as users run it; what it prints is kept beside the home. */
async function measure(
  what: string,
  args: readonly string[],
  service: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { PATH, HOME } = process.env
  const [times, printed] = [join(folder, 'time.txt'), join(folder, 'printed.txt')]
  const output = openSync(printed, 'w')
  const program = [process.execPath, PROGRAM, ...args, '--home', home]
  const child = spawn('/usr/bin/time', ['--format', '%e %U %S %M', '--output', times, ...program], {
    cwd: folder,
    env: { PATH, HOME, ...service },
    stdio: ['ignore', output, output],
  })
  const [code] = (await once(child, 'exit')) as [number]
  closeSync(output)
  const [wall, user, system, peak] = (readFileSync(times, 'utf8').trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number)
  const cpu = Number(user) + Number(system)
  note(what, `${wall} s, ${cpu.toFixed(1)} CPU-s, ${(Number(peak) / 1e3).toFixed(0)} MB, exit ${code}`)
  appendFileSync(
    join(folder, 'printed-all.txt'),
    `== ${what}\n${readFileSync(printed, 'utf8').slice(0, 8_000)}\n`,
  )
}

function note(what: string, figures: string | undefined): void {
  const line = `${what}: ${figures}\n`
  process.stdout.write(line)
  appendFileSync(join(folder, 'figures.txt'), `${new Date().toISOString()} ${line}`)
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1e3).toFixed(1)
}
