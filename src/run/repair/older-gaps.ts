import type { Database } from '../../duckdb/open.js'
import type { Calendar } from '../../market/calendar.js'
import { addDays, type Day } from '../../market/day.js'
import { isList } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import type { RepairPlan } from '../../plan/repair-plan.js'
import { incompleteWindows } from '../../warehouse/wanted.js'
import { planWindows } from './rounds.js'

/** Calendar days before its sessions for which a nightly requests incomplete windows again; `repair` requests older ones too. */
const DAYS = 30

/** First day of which a nightly requests incomplete windows. */
export function gapsSince({ from }: Pick<Goal, 'from'>): Day {
  return addDays(from, -DAYS)
}

/**
 * Requests for the incomplete windows that have left the sessions of a nightly: a window that fails on its last night among
 * them would otherwise stay incomplete until somebody types `repair`.
 */
export async function planOlderGaps(
  goal: Goal,
  warehouse: Database,
  calendar: Calendar,
): Promise<RepairPlan> {
  const { symbols, datasets, crossChecks, timeframes } = goal
  const since = gapsSince(goal)
  const incomplete = await incompleteWindows(warehouse, goal.tradingDate)
  const windows = incomplete.filter(
    ({ dataset, key, timeframe, day }) =>
      since <= day &&
      day < goal.from &&
      !isList(dataset) &&
      datasets.includes(dataset) &&
      (dataset !== 'ohlc' || crossChecks > 0 || timeframes.some((each) => each === timeframe)) &&
      (!symbols || symbols.includes(key)),
  )
  return await planWindows(windows, goal.tradingDate, warehouse, calendar)
}
