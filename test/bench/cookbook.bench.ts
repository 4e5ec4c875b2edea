/**
 * What every statement of the cookbook takes on a market of 1,700 symbols with five years of daily figures, half of them with
 * 1m bars of a year, 50 million: some minutes, and 2 GB of disk. BENCH_SYMBOLS and BENCH_SESSIONS (with bars) make it smaller;
 * BENCH_SESSIONS=500 makes 100 million bars. The goals: a second for any statement, 0.1 s for one about one symbol.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open.js'
import { recipes } from '../docs/cookbook.js'
import { addMarket } from './market.js'
import { median, record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1_700)
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 250)
const TRADED = Math.ceil((SYMBOLS * 9) / 17)
const ROUNDS = 3
const ONE = `S${String(TRADED >> 1).padStart(4, '0')}`
const GOAL_MS = { all: 1000, one: 100 }

const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  await addMarket(warehouse, {
    symbols: SYMBOLS,
    traded: TRADED,
    sessions: SESSIONS,
    from: '2020-04-15',
    to: '2025-02-10',
  })
  await addIndexes(warehouse)
  await publish(warehouse, home, { runId: 'bench', retainDays: 7 }, systemEffects)
  warehouse.close()
  const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
  await measure(catalog)
  catalog.close()
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function addIndexes(warehouse: Database): Promise<void> {
  await warehouse.run(`INSERT INTO market.index_summary (index_code, trading_date, index_value)
    SELECT code, trading_date, 1000 + hash(code, trading_date) % 50
    FROM (SELECT DISTINCT trading_date FROM market.daily_summary), (VALUES ('VNINDEX'), ('VN30')) i(code)`)
  await warehouse.run(
    `INSERT INTO ops.dirty_partition SELECT DISTINCT 'market.index_summary', trading_date::VARCHAR FROM market.index_summary`,
  )
}

async function measure(catalog: Database): Promise<void> {
  const times: { title: string; ms: number; isOne: boolean }[] = []
  for (const { question: title, sql } of recipes()) {
    const isOne = sql.includes("symbol = 'FPT'")
    const statement = sql.replaceAll("'FPT'", `'${ONE}'`)
    const rounds: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const start = performance.now()
      await catalog.run(statement)
      // The first one warms the cache.
      if (round > 0) rounds.push(performance.now() - start)
    }
    times.push({ title, ms: median(rounds), isOne })
    process.stdout.write(
      `${median(rounds).toFixed(0).padStart(6)} ms ${isOne ? 'one symbol ' : ''}${title}\n`,
    )
  }
  const slowest = (isOne: boolean) =>
    times.filter((each) => each.isOne === isOne).reduce((one, other) => (one.ms > other.ms ? one : other))
  for (const [isOne, goal] of [
    [false, GOAL_MS.all],
    [true, GOAL_MS.one],
  ] as const) {
    const { title, ms } = slowest(isOne)
    record({
      what: `slowest statement of the cookbook${isOne ? ' about one symbol' : ''} on ${SYMBOLS} symbols, five years: ${title}`,
      ours: `${ms.toFixed(0)} ms`,
      beside: `goal ${goal} ms`,
      ratio: ms / goal,
    })
  }
}
