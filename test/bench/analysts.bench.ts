/**
 * What an analyst waits for: statements through the catalog's views over Parquet, beside the same statements on native
 * DuckDB tables sorted the same way (the warehouse), in turns in one run: `make bench`. 1,700 symbols with five years of
 * daily figures, half of them with 1m bars of a year, 50 million: some minutes, and 1.5 GB of disk while it runs.
 * BENCH_SYMBOLS and BENCH_SESSIONS (with bars) make it smaller.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { candleView } from '../../src/lake/candle-view.js'
import { installMart } from '../../src/mart/install.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addMarket } from './market.js'
import { median, record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1_700)
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 250)
const TRADED = Math.ceil((SYMBOLS * 9) / 17)
const ROUNDS = 7
const FIRST = '2020-04-15'
const LAST = '2025-01-31'
/** A symbol from the middle of every file, and a session of a closed month. */
const ONE = `S${String(TRADED >> 1).padStart(4, '0')}`
const DAY = '2025-01-14'
const GRID_SESSIONS = 20
const GRID_ROUNDS = 3
const GRID = `SELECT count(*) AS rows, sum(close), sum(volume), max(opened_at), max(phase) FROM mart.candle_filled
  WHERE trading_date > DATE '${LAST}' - 28`
const COLUMNS = 'symbol, opened_at, open, high, low, close, volume, value'

const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await addMarket(warehouse, { symbols: SYMBOLS, traded: TRADED, sessions: SESSIONS, from: FIRST, to: LAST })
  await publish(warehouse, home, { runId: 'bench', retainDays: 7 }, systemEffects)
  await warehouse.run('CHECKPOINT')
  await installMart(warehouse)
  // The warehouse's market.candle has no derived timeframes: the catalog's view, over the table.
  const stored = 'SELECT * FROM market.candle'
  await warehouse.run(`CREATE TEMP VIEW candle AS ${candleView({ minutes: stored, longer: stored }, ['1m'])}`)
  const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
  await catalog.run('CREATE TEMP VIEW candle AS FROM market.candle')
  await compare(catalog, warehouse)
  await measureGrid(catalog)
  catalog.close()
  warehouse.close()
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function compare(catalog: Database, warehouse: Database): Promise<void> {
  const [size] = await warehouse.rows<{ bars: bigint; days: bigint }>(
    'SELECT (SELECT count(*) FROM market.candle) AS bars, (SELECT count(*) FROM market.daily_summary) AS days',
  )
  process.stdout.write(`${size?.bars} bars, ${size?.days} daily summaries, ${ROUNDS} rounds\n`)
  for (const { label, statement } of await statements(catalog)) {
    const times: { views: number; native: number }[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      const views = await timed(catalog, statement)
      const native = await timed(warehouse, statement)
      // The first one warms the cache.
      if (round > 0) times.push({ views, native })
    }
    const views = median(times.map((each) => each.views))
    const native = median(times.map((each) => each.native))
    record({
      what: `reading: ${label}`,
      ours: `views over Parquet ${views.toFixed(0)} ms`,
      beside: `native tables ${native.toFixed(0)} ms`,
      ratio: median(times.map((each) => each.views / each.native)),
    })
  }
}

/** Every minute of all symbols and sessions, the gaps filled: what a model reads. */
async function measureGrid(catalog: Database): Promise<void> {
  const wall: number[] = []
  const cpu: number[] = []
  let rows = 0
  for (let round = 0; round <= GRID_ROUNDS; round++) {
    const before = process.cpuUsage()
    const start = performance.now()
    const [grid] = await catalog.rows<{ rows: bigint }>(GRID)
    const ms = performance.now() - start
    const { user, system } = process.cpuUsage(before)
    rows = Number(grid?.rows ?? 0)
    // The first one warms the cache.
    if (round > 0) {
      wall.push(ms / 1e3 / (rows / 1e6))
      cpu.push((user + system) / rows)
    }
  }
  record({
    what: `mart.candle_filled, all symbols of ${GRID_SESSIONS} sessions, ${rows} rows, per million`,
    ours: `${median(wall).toFixed(2)} s`,
    beside: `${median(cpu).toFixed(2)} CPU-s`,
    ratio: median(wall) / median(cpu),
  })
}

async function statements(database: Database): Promise<{ label: string; statement: string }[]> {
  const rows = await database.rows<{ name: string }>(
    `SELECT view_name AS name FROM duckdb_views() WHERE schema_name = 'mart'`,
  )
  const there = new Set(rows.map(({ name }) => name))
  const liquidity = there.has('liquidity')
    ? 'mart.liquidity'
    : `(SELECT symbol, trading_date, avg(CAST(total_match AS DOUBLE)) OVER latest AS mean_volume,
          median(CAST(total_match_value AS DOUBLE)) OVER latest AS median_value
        FROM market.daily_summary
        WINDOW latest AS (PARTITION BY symbol ORDER BY trading_date ROWS 19 PRECEDING))`
  return [
    {
      label: "a symbol's year of 1m",
      statement: `SELECT ${COLUMNS} FROM market.candle WHERE timeframe = '1m' AND symbol = '${ONE}'`,
    },
    {
      label: 'a session of 1m, all symbols',
      statement: `SELECT ${COLUMNS} FROM market.candle WHERE timeframe = '1m' AND trading_date = DATE '${DAY}'`,
    },
    {
      label: "a symbol's year of 5m, market.candle",
      statement: `SELECT ${COLUMNS} FROM candle WHERE timeframe = '5m' AND symbol = '${ONE}'`,
    },
    {
      label: "a symbol's year of 5m, mart.candle_session",
      statement: `SELECT ${COLUMNS}, phase FROM mart.candle_session WHERE timeframe = '5m' AND symbol = '${ONE}'`,
    },
    {
      label: 'a session of 5m, all symbols, mart.candle_session',
      statement: `SELECT ${COLUMNS}, phase FROM mart.candle_session WHERE timeframe = '5m' AND trading_date = DATE '${DAY}'`,
    },
    {
      label: `liquidity of 20 sessions, all symbols${there.has('liquidity') ? '' : ' (plain window)'}`,
      statement: `FROM ${liquidity} WHERE trading_date = DATE '${LAST}'`,
    },
  ]
}

async function timed(database: Database, statement: string): Promise<number> {
  const start = performance.now()
  await database.run(statement)
  return performance.now() - start
}
