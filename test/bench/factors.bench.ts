/**
 * What screens of all symbols cost: one session read from the kept factors beside all sessions of the same view, and
 * what it costs to keep them, for one session and for five years, in CPU-seconds: `make bench`. 1,700 symbols with
 * five years of daily figures and two indexes; BENCH_SYMBOLS makes it smaller.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addMarket } from './market.js'
import { median, record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1_700)
const FIRST = '2020-04-15'
const LAST = '2025-01-31'
const ROUNDS = 5
const VIEWS = [
  'daily_return',
  'realised_volatility',
  'high_low_52w',
  'limit_hit',
  'foreign_flow',
  'liquidity',
  'beta_correlation',
  'daily_factor',
  'overnight_return',
  'market_cap',
]

/** Views with windows of their own: their macros read the days that a session needs. */
const VIEWS_WITH_MACRO = ['illiquidity', 'idiosyncratic_volatility', 'foreign_ownership', 'factor_score']

const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await addMarket(warehouse, { symbols: SYMBOLS, traded: 0, sessions: 0, from: FIRST, to: LAST })
  await warehouse.run(`INSERT INTO market.index_summary (index_code, trading_date, index_value)
    SELECT code, trading_date, 1000 + hash(code, trading_date) % 50
    FROM (SELECT DISTINCT trading_date FROM market.daily_summary), (VALUES ('VNINDEX'), ('VN30')) i(code)`)
  const whole = await cpu(() => refreshMaterialized(warehouse))
  const [size] = await warehouse.rows<{ rows: bigint; sessions: bigint }>(
    'SELECT count(*) AS rows, count(DISTINCT trading_date) AS sessions FROM mart.session_factor',
  )
  say(
    `five years kept: ${size?.rows} rows, ${whole.toFixed(2)} CPU-s, ${(whole / Number(size?.sessions)).toFixed(4)} per session`,
  )
  await publish(warehouse, home, { runId: 'bench', retainDays: 7 }, systemEffects)
  say(`nothing changed: ${(await cpu(() => refreshMaterialized(warehouse))).toFixed(3)} CPU-s`)
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('market.daily_summary', '${LAST}')`)
  say(`one session: ${(await cpu(() => refreshMaterialized(warehouse))).toFixed(2)} CPU-s`)
  warehouse.close()
  const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
  for (const view of VIEWS) await compare(catalog, view, `mart.${view} WHERE trading_date = '${LAST}'`)
  for (const view of VIEWS_WITH_MACRO)
    await compare(catalog, view, `mart.${view}_between(DATE '${LAST}', DATE '${LAST}')`)
  catalog.close()
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** One session against all of them, in turns. */
async function compare(catalog: Database, view: string, session: string): Promise<void> {
  const times: { one: number; all: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await cpu(() => catalog.run(`CREATE OR REPLACE TEMP TABLE answer AS FROM ${session}`))
    const all = await cpu(() => catalog.run(`SELECT max(COLUMNS(*)) FROM mart.${view}`))
    // The first one warms the cache.
    if (round > 0) times.push({ one, all })
  }
  const one = median(times.map((time) => time.one))
  const all = median(times.map((time) => time.all))
  record({
    what: `mart.${view} of one session, all sessions beside`,
    ours: `${one.toFixed(3)} CPU-s`,
    beside: `${all.toFixed(2)} CPU-s`,
    ratio: one / all,
  })
}

async function cpu(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const used = process.cpuUsage(start)
  return (used.user + used.system) / 1e6
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
