/**
 * What every statement of the cookbook takes on a market of 1,700 symbols with five years of daily figures, accounts and ledger.
 * Every session has bars of 1m of 60 of them, the latest 60 sessions of all that trade: 40 million, since those of five years
 * would be 480 million. Half an hour, and 3 GB below TMPDIR. BENCH_SYMBOLS and BENCH_SESSIONS (with all bars) make it smaller.
 * BENCH_HOME names a folder that is kept: what is in it already is not generated again.
 *
 * The goals: 0.3 s for any statement, 0.1 s for one about one symbol.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { recipes } from '../docs/cookbook.js'
import { addBeside, addHistory, type HistorySize } from './decade.js'
import { median, record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1_700)
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 60)
const ROUNDS = 3
const GOAL_MS = { all: 300, one: 100 }
/** The real night has the five sessions from the first of these days to the second for its own symbols. */
const NIGHT = { from: '2025-10-27', to: '2025-10-31' }
const HISTORY = { from: '2020-11-02', to: '2025-10-24' }
/** Stocks that the statements name. */
const NAMED = ['FPT', 'HPG', 'VCB', 'MWG']

const kept = process.env.BENCH_HOME
const home = kept ?? mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  if (!existsSync(join(home, 'catalog.duckdb'))) await generate()
  const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
  await measure(catalog)
  catalog.close()
} finally {
  if (!kept) rmSync(home, { recursive: true, force: true })
}

/** A home after one real night, which knows accounts, indexes, futures and warrants, and five years of generated ones. */
async function generate(): Promise<void> {
  mkdirSync(home, { recursive: true })
  const night = ['nightly', '--home', home, '--date', NIGHT.to, '--quiet']
  execFileSync(process.execPath, [join(packageRoot, 'dist/src/main.js'), ...night], { cwd: home })
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  const traded = Math.ceil(SYMBOLS * 0.943)
  const months = Math.ceil(SESSIONS / 21)
  const before = new Date(Date.UTC(2025, 10 - months, 1)).toISOString().slice(0, 7)
  const size: HistorySize = {
    ...HISTORY,
    symbols: SYMBOLS,
    traded,
    fewer: { before, traded: Math.ceil(traded / 27) },
  }
  await addHistory(warehouse, size)
  await addBeside(warehouse, { ...size, ...NIGHT })
  await publish(warehouse, home, { runId: 'bench', retainDays: 7 }, systemEffects)
  warehouse.close()
}

async function measure(catalog: Database): Promise<void> {
  const others = await symbolsWithBars(catalog)
  const times: { title: string; ms: number; isOne: boolean }[] = []
  for (const { question: title, sql } of recipes()) {
    const isOne = sql.includes("symbol = 'FPT'")
    const statement = NAMED.reduce(
      (text, name, place) => text.replaceAll(`'${name}'`, `'${others[place]}'`),
      sql,
    )
    const rounds: number[] = []
    const before = process.cpuUsage()
    for (let round = 0; round <= ROUNDS; round++) {
      const start = performance.now()
      await catalog.run(statement)
      // The first one warms the cache.
      if (round > 0) rounds.push(performance.now() - start)
    }
    const { user, system } = process.cpuUsage(before)
    const ms = median(rounds)
    times.push({ title, ms, isOne })
    const cpu = (user + system) / 1e3 / (ROUNDS + 1)
    process.stdout.write(
      `${ms.toFixed(0).padStart(6)} ms ${cpu.toFixed(0).padStart(6)} CPU-ms ${isOne ? 'one symbol ' : ''}${title}\n`,
    )
  }
  recordSlowest(times)
}

/** As many symbols as the statements name, spread over the alphabet, that have bars in every session. */
async function symbolsWithBars(catalog: Database): Promise<string[]> {
  const found = await catalog.rows<{ symbol: string }>(
    `SELECT DISTINCT symbol FROM market.candle WHERE timeframe = '1m' AND trading_date = DATE '${HISTORY.from}' ORDER BY symbol`,
  )
  return NAMED.map(
    (_, place) => found[Math.floor(((place + 0.5) * found.length) / NAMED.length)]?.symbol ?? '',
  )
}

function recordSlowest(times: readonly { title: string; ms: number; isOne: boolean }[]): void {
  for (const [isOne, goal] of [
    [false, GOAL_MS.all],
    [true, GOAL_MS.one],
  ] as const) {
    const { title, ms } = times
      .filter((each) => each.isOne === isOne)
      .reduce((one, other) => (one.ms > other.ms ? one : other))
    record({
      what: `slowest statement of the cookbook${isOne ? ' about one symbol' : ''} on ${SYMBOLS} symbols, five years: ${title}`,
      ours: `${ms.toFixed(0)} ms`,
      beside: `goal ${goal} ms`,
      ratio: ms / goal,
    })
  }
}
