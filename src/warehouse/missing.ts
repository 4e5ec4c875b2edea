import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Counted } from '../plan/datasets.js'
import type { Goal } from '../plan/goal.js'
import { servedFrom } from '../plan/served.js'

/** A window that a goal wanted and that is not complete, and why. */
export interface MissingWindow {
  dataset: Counted
  line: string
}

/** Windows of the goal that are still incomplete after it; what the service no longer serves is not among them. */
export async function missingWindows(database: Database, goal: Goal): Promise<MissingWindow[]> {
  const rows = await database.rows<{ dataset: Counted; key: string; timeframe: string; line: string }>(
    sqlTemplate('warehouse/missing_windows.sql', { open_gap: sqlFile('warehouse/open_gap.sql') }),
    [goal.from, goal.to, servedFrom(goal.tradingDate)],
  )
  const symbols = goal.symbols && new Set(goal.symbols)
  return rows.filter(
    (row) =>
      row.dataset !== 'snapshot' &&
      goal.datasets.includes(row.dataset) &&
      (goal.crossChecks > 0 ||
        row.dataset !== 'ohlc' ||
        goal.timeframes.some((each) => each === row.timeframe)) &&
      (!symbols || !['ohlc', 'securitiesSummary'].includes(row.dataset) || symbols.has(row.key)),
  )
}

/**
 * Whether the service was asked for a day and no answer has trades of it, nor of a later session: it does not have the session
 * yet, or the exchanges were closed. From stored coverage alone, so that a resumed run finds the same.
 */
export async function isUnseen(database: Database, day: Day): Promise<boolean> {
  const rows = await database.rows(sqlFile('warehouse/unseen_session.sql'), [day])
  return rows.length > 0
}
