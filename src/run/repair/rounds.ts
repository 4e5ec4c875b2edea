import type { Database } from '../../duckdb/open.js'
import { loadCalendar, withLearned } from '../../market/calendar.js'
import { oneYearBefore } from '../../market/date-arithmetic.js'
import type { Day } from '../../market/day.js'
import type { Plan } from '../../plan/plan.js'
import { planRepair, type RepairPlan } from '../../plan/repair.js'
import type { LeftOut } from '../../plan/request.js'
import { isServed, type WantedWindow, windowName, windowsOf, witnessesOf } from '../../plan/wanted.js'
import { learnedDays } from '../../warehouse/coverage.js'
import { incompleteWindows, listedCount, standingBreaks, standingOffenders } from '../../warehouse/wanted.js'
import { type Told, tellRepair } from './outcome.js'

/**
 * Rounds at the most: what is incomplete or broken; candles of summaries that turned out restated, and the other side of
 * what is still broken; the candles of those.
 */
const ROUNDS = 3

/** One repair: it remembers what it has asked, so that nothing is asked twice for the same reason. */
export interface Repair {
  /** What the first round would ask; asks nothing. */
  plan(warehouse: Database): Promise<RepairPlan>
  /**
   * Plans of the next round, to be obeyed in order; none when nothing new is wanted.
   *
   * @param judge judges what the round before brought
   */
  next(warehouse: Database, judge: () => Promise<unknown>): Promise<readonly Plan[]>
  told(warehouse: Database): Promise<Told>
}

/** What is incomplete or broken up to the trading date. */
export function createRepair(tradingDate: Day): Repair {
  /** Windows asked, by name, as they were first wanted. */
  const asked = new Map<string, WantedWindow>()
  /** Breaks whose rows were asked again. */
  const doubted = new Set<string>()
  const limit = oneYearBefore(tradingDate)
  let leftOut: readonly LeftOut[] = []
  let round = 0

  async function wanted(warehouse: Database): Promise<{ windows: WantedWindow[]; breaks: string[] }> {
    const windows = (await incompleteWindows(warehouse, tradingDate)).filter(
      (each) => !asked.has(windowName(each)) || each.reasonCode === 'summary_restated',
    )
    const breaks: string[] = []
    for (const offender of await standingOffenders(warehouse, tradingDate)) {
      const own = windowsOf(offender, tradingDate).filter((each) => isServed(each, limit))
      const fresh = own.filter((each) => !asked.has(windowName(each)))
      const again =
        fresh.length > 0 || own.length === 0
          ? fresh
          : witnessesOf(offender).filter((each) => !asked.has(windowName(each)) && isServed(each, limit))
      windows.push(...again)
      if (again.length > 0) breaks.push(offender.breakOf)
    }
    return { windows, breaks }
  }

  async function planned(
    warehouse: Database,
  ): Promise<RepairPlan & { windows: WantedWindow[]; breaks: string[] }> {
    const { windows, breaks } = await wanted(warehouse)
    const days = windows.map(({ day }) => day).sort()
    const { learnedClosed, learnedOpen } = await learnedDays(warehouse)
    const calendar = withLearned(loadCalendar(), { closed: learnedClosed, open: learnedOpen })
    const sessions = calendar.sessionsBetween(days[0] ?? tradingDate, days.at(-1) ?? tradingDate)
    const symbols = await listedCount(warehouse)
    return { ...planRepair(windows, { tradingDate, sessions, symbols }), windows, breaks }
  }

  return {
    plan: planned,
    async next(warehouse, judge) {
      round += 1
      if (round > ROUNDS) return []
      if (doubted.size > 0) await judge()
      const { plans, leftOut: left, windows, breaks } = await planned(warehouse)
      if (round === 1) leftOut = left
      if (plans.length === 0) return []
      for (const each of windows)
        if (isServed(each, limit) && !asked.has(windowName(each))) asked.set(windowName(each), each)
      for (const each of breaks) doubted.add(each)
      return plans
    },
    async told(warehouse) {
      return tellRepair({
        tradingDate,
        asked: [...asked.values()],
        doubted,
        incomplete: await incompleteWindows(warehouse, tradingDate),
        breaks: await standingBreaks(warehouse, tradingDate),
        leftOut,
      })
    },
  }
}
