import type { Database } from '../duckdb/open.js'
import { oneYearBefore } from '../market/day.js'
import type { Counted } from '../plan/datasets.js'
import type { Goal } from '../plan/goal.js'

/** A window that a goal wanted and that is not complete, and why. */
export interface MissingWindow {
  dataset: Counted
  line: string
}

/** Windows of the goal that are still incomplete after it; what the service no longer serves is not among them. */
export async function missingWindows(database: Database, goal: Goal): Promise<MissingWindow[]> {
  const rows = await database.rows<{ dataset: Counted; key: string; timeframe: string; line: string }>(
    `SELECT dataset, key, timeframe, concat_ws(' ', nullif(key, '*'), nullif(timeframe, ''), window_from || ': ' || coalesce(reason, state)) AS line
     FROM ops.coverage
     WHERE state = 'incomplete' AND window_from BETWEEN ?::DATE AND ?::DATE
       AND (timeframe IN ('', '1d') OR window_from >= ?::DATE)
     ORDER BY dataset, window_from, key, timeframe`,
    [goal.from, goal.to, oneYearBefore(goal.tradingDate)],
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
