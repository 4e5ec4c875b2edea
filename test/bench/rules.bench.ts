/**
 * What judging one session of the full universe costs in a warehouse that holds five years, beside one that holds a
 * month, in turns in one run: `make bench`. The cost should follow what is judged, not what is held.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { audit } from '../../src/audit/index.js'
import type { Database } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { addSessions } from './history.js'
import { median, record } from './results.js'

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 1_700)
/** Bars of the session that is judged; those of history are few, since a year of all of them is 85 million. */
const BARS = Number(process.env.BENCH_BARS ?? 200)
const HISTORY_BARS = 4
const DAY = '2025-03-14'
const ROUNDS = 7

interface Held {
  home: string
  warehouse: Database
}

async function openHeld(from: string): Promise<Held> {
  const home = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await addSessions(warehouse, from, '2025-03-13', { symbols: SYMBOLS, bars: HISTORY_BARS })
  await addSessions(warehouse, DAY, DAY, { symbols: SYMBOLS, bars: BARS })
  await warehouse.run(`INSERT INTO market.candle
    SELECT symbol, '1d', trading_date::TIMESTAMPTZ - INTERVAL 7 HOUR, trading_date, open, high, low, close, total_match,
      total_match * close, false, request_id, loaded_at
    FROM market.daily_summary ORDER BY trading_date, symbol`)
  await warehouse.run(`INSERT INTO market.security (symbol, board, first_seen, last_seen, is_listed)
    SELECT DISTINCT symbol, 'HOSE', DATE '2020-01-01', DATE '${DAY}', true FROM market.daily_summary WHERE trading_date = DATE '${DAY}'`)
  await warehouse.run('CHECKPOINT')
  return { home, warehouse }
}

async function judgeSession({ home, warehouse }: Held): Promise<number> {
  const start = performance.now()
  const options = { home, runIdOf: () => 'bench', calendar: loadCalendar() }
  await audit(
    warehouse,
    { runs: [], days: [DAY], snapshots: [], checkUnchanged: true },
    options,
    systemEffects,
  )
  return performance.now() - start
}

const month = await openHeld('2025-02-17')
const years = await openHeld('2020-03-16')
const spent: { short: number; long: number }[] = []
try {
  for (const held of [month, years]) await judgeSession(held)
  for (let round = 1; round <= ROUNDS; round++) {
    const [short, long] = [await judgeSession(month), await judgeSession(years)]
    spent.push({ short, long })
    process.stdout.write(
      `round ${round}: a month held ${short.toFixed(0)} ms, five years held ${long.toFixed(0)} ms, ratio ${(long / short).toFixed(2)}\n`,
    )
  }
} finally {
  for (const { home, warehouse } of [month, years]) {
    warehouse.close()
    rmSync(home, { recursive: true, force: true })
  }
}
record({
  what: `checking one session in a warehouse of five years, ${SYMBOLS} symbols, ${SYMBOLS * BARS} bars`,
  ours: `${median(spent.map(({ long }) => long)).toFixed(0)} ms`,
  beside: `one month ${median(spent.map(({ short }) => short)).toFixed(0)} ms`,
  ratio: median(spent.map(({ short, long }) => long / short)),
})
