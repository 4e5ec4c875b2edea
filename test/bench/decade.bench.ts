/**
 * What ten years cost beside one month: publishing a session, planning a query, reading. Both homes begin with a real night against
 * the sandbox; the years before it are generated, and published as the product publishes them. CPU-time, since a bench shares its
 * machine. BENCH_SYMBOLS, BENCH_TRADED (with 225 bars per session) and BENCH_YEARS are its size; 1700, 1604 and 10 are the whole
 * market, 900 million bars: an hour, 14 GB of disk below TMPDIR.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addHistory, addNight } from './decade.js'
import { median, record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 40)
const SIZE = { symbols: SYMBOLS, traded: Number(process.env.BENCH_TRADED ?? Math.ceil(SYMBOLS * 0.943)) }
const YEARS = Number(process.env.BENCH_YEARS ?? 10)
/** The real night fetches the five sessions up to it; generated history ends before them, generated nights follow it. */
const REAL_NIGHT = '2025-10-31'
const HISTORY_ENDS = '2025-10-24'
const NIGHTS = ['2025-11-03', '2025-11-04', '2025-11-05', '2025-11-06', '2025-11-07', '2025-11-10']
const ROUNDS = 5

interface Home {
  folder: string
  warehouse: Database
}

async function openHome(from: string): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
  const night = ['nightly', '--home', folder, '--date', REAL_NIGHT, '--quiet']
  execFileSync(process.execPath, [join(packageRoot, 'dist/src/main.js'), ...night], { cwd: folder })
  const warehouse = await openWarehouse(join(folder, 'warehouse.duckdb'), systemEffects)
  await addHistory(warehouse, { ...SIZE, from, to: HISTORY_ENDS })
  await publish(warehouse, folder, { runId: 'bench', retainDays: 7 }, systemEffects)
  await warehouse.run('CHECKPOINT')
  return { folder, warehouse }
}

async function publishNight({ folder, warehouse }: Home, day: string): Promise<number> {
  await addNight(warehouse, SIZE, day)
  return await cpuMs(() =>
    publish(warehouse, folder, { runId: `bench-${day}`, retainDays: 7 }, systemEffects),
  )
}

async function comparePublishing(decade: Home, month: Home): Promise<void> {
  const spent: { long: number; short: number }[] = []
  for (const [index, day] of NIGHTS.entries()) {
    const [long, short] = [await publishNight(decade, day), await publishNight(month, day)]
    // The first one computes what the real night has changed.
    if (index > 0) spent.push({ long, short })
  }
  record({
    what: `publishing a session of ${SIZE.symbols} symbols into ${YEARS} years`,
    ours: `${median(spent.map(({ long }) => long)).toFixed(0)} CPU-ms`,
    beside: `into a month ${median(spent.map(({ short }) => short)).toFixed(0)}`,
    ratio: median(spent.map(({ long, short }) => long / short)),
  })
}

async function compareReading(decade: Database, month: Database): Promise<void> {
  const [one] = await decade.rows<{ symbol: string }>(
    `SELECT symbol FROM market.candle WHERE timeframe = '1m' AND trading_date = DATE '2025-10-20' ORDER BY symbol DESC LIMIT 1`,
  )
  const symbol = `symbol = '${one?.symbol}'`
  const columns = 'trading_date, open, high, low, close, volume'
  const statements = {
    "planning a symbol's bars of 1m": `EXPLAIN SELECT ${columns} FROM market.candle WHERE timeframe = '1m' AND ${symbol}`,
    "planning a symbol's adjusted prices": `EXPLAIN SELECT * FROM mart.daily_adjusted WHERE ${symbol}`,
    "a symbol's 1d, all years": `SELECT ${columns} FROM market.candle WHERE timeframe = '1d' AND ${symbol}`,
    'a session of 1m, all symbols': `SELECT symbol, ${columns} FROM market.candle WHERE timeframe = '1m' AND trading_date = DATE '2025-10-20'`,
    'a session of daily factors': `FROM mart.daily_factor WHERE trading_date = DATE '2025-10-20'`,
  }
  for (const [label, statement] of Object.entries(statements)) {
    const long = await costOf(decade, statement)
    const short = await costOf(month, statement)
    record({
      what: `${YEARS} years of ${SIZE.symbols} symbols: ${label}`,
      ours: `${long.toFixed(1)} CPU-ms`,
      beside: `a month ${short.toFixed(1)}`,
      ratio: long / short,
    })
  }
}

/** Bars per CPU-second that a statement over all of them reads. */
async function scan(decade: Database): Promise<void> {
  const [bars] = await decade.rows<{ count: bigint }>(
    `SELECT count(*) AS count FROM market.candle WHERE timeframe = '1m'`,
  )
  const ms = await costOf(
    decade,
    `SELECT sum(volume), max(high), min(low), avg(close) FROM market.candle WHERE timeframe = '1m'`,
  )
  const millions = Number(bars?.count) / 1e3 / ms
  record({
    what: `scanning ${(Number(bars?.count) / 1e6).toFixed(0)} million bars`,
    ours: `${millions.toFixed(0)} million rows per CPU-s`,
    beside: 'goal 26',
    ratio: millions / 26,
  })
}

async function costOf(catalog: Database, statement: string): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const ms = await cpuMs(() => catalog.run(statement))
    // The first one warms the cache.
    if (round > 0) rounds.push(ms)
  }
  return median(rounds)
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const used = process.cpuUsage(start)
  return (used.user + used.system) / 1e3
}

const homes: Home[] = []
try {
  homes.push(await openHome('2025-10-01'), await openHome(`${2025 - YEARS}-11-01`))
  const [month, decade] = homes as [Home, Home]
  await comparePublishing(decade, month)
  for (const { warehouse } of homes) warehouse.close()
  const [years, single] = await Promise.all(
    [decade, month].map(({ folder }) =>
      openDatabase(join(folder, 'catalog.duckdb'), { readOnly: true, threads: 1 }),
    ),
  )
  if (years && single) {
    await compareReading(years, single)
    await scan(years)
    years.close()
    single.close()
  }
} finally {
  for (const { folder } of homes) rmSync(folder, { recursive: true, force: true })
}
