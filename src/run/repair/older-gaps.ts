import type { Calendar } from 'candlehouse-foundation/market/calendar'
import { addDays, type Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../../duckdb/open.js'
import { isList } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import type { RepairPlan } from '../../plan/repair-plan.js'
import { unfinishedNights } from '../../warehouse/runs.js'
import { incompleteWindows, withheldWindows } from '../../warehouse/wanted-windows.js'
import { planWindows } from './rounds.js'

/** Calendar days before its sessions of which a nightly requests windows again; `repair` requests older ones too. */
const DAYS = 30

/** First day of which a nightly requests windows that are incomplete or withheld. */
export function gapsSince({ from }: Pick<Goal, 'from'>): Day {
  return addDays(from, -DAYS)
}

/**
 * Requests for the windows that have left the sessions of a nightly and are incomplete, or have rows that are withheld: a window
 * that fails on its last night among them would otherwise stay so until somebody types `repair`.
 */
export async function planOlderGaps(
  goal: Goal,
  warehouse: Database,
  calendar: Calendar,
): Promise<RepairPlan> {
  const { symbols, datasets, crossChecks, timeframes } = goal
  const since = gapsSince(goal)
  const incomplete = await incompleteWindows(warehouse, goal.tradingDate)
  const withheld = await withheldWindows(warehouse, since, goal.tradingDate)
  const windows = [...incomplete, ...withheld].filter(
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

/**
 * The sessions before those of a nightly that an earlier one worked for and did not complete: it was killed, or the service
 * failed, before it had requested everything. What was never requested is not an incomplete window of the ledger, so that
 * nothing else would request it.
 *
 * @returns the goal for them, which requests only what is not complete; undefined where there are none
 */
export async function unfinishedGoal(
  goal: Goal,
  warehouse: Database,
  calendar: Calendar,
): Promise<Goal | undefined> {
  const since = gapsSince(goal)
  const { length } = calendar.sessionsBetween(goal.from, goal.to)
  const nights = await unfinishedNights(warehouse, since, goal.tradingDate)
  const sessions = nights
    .flatMap((night) => calendar.sessionsBetween(addDays(night, -DAYS), night).slice(-length))
    .filter((day) => since <= day && day < goal.from)
    .sort()
  const [from, to] = [sessions[0], sessions.at(-1)]
  return from && to ? { ...goal, from, to, refresh: false } : undefined
}
