import type { Calendar } from '../market/calendar.js'
import { type Day, oneYearBefore } from '../market/day.js'
import type { Timeframe } from '../market/timeframe.js'
import { planCandles } from './candles.js'
import { planDaily } from './daily.js'
import type { DatasetName, Stage, Window } from './datasets.js'
import type { Held } from './held.js'
import { planLists } from './lists.js'

/** What a job wants to be complete. Everything relative is measured from `tradingDate`. */
export interface Goal {
  readonly tradingDate: Day
  /** First and last day wanted. */
  readonly from: Day
  readonly to: Day
  readonly datasets: readonly DatasetName[]
  /** Candle lengths to fetch. */
  readonly timeframes: readonly Timeframe[]
  /** Only these symbols; all when undefined. */
  readonly symbols: readonly string[] | undefined
  /** Whether daily datasets are asked again where they are complete: what may have been restated. */
  readonly refresh: boolean
}

/** One walk to make, and why. */
export interface WindowRequest extends Window {
  readonly why: string
  /** Pages it will take, as far as can be known before. */
  readonly pages: number
}

/** What is not asked for, and why: said, never silently dropped. */
export interface LeftOut {
  readonly dataset: DatasetName
  readonly from: Day
  readonly to: Day
  readonly why: string
}

/** What one stage will ask. A pure value: a dry run prints it, a run obeys it. */
export interface Plan {
  readonly stage: Stage
  readonly requests: readonly WindowRequest[]
  readonly leftOut: readonly LeftOut[]
}

/** Rows a page may hold; clients of live deployments send 1000 (field notes, section 1). */
export const PAGE_SIZE = 1000

/**
 * Plans one stage from what the stages before it left. Requests are what it minimises: the quota is the
 * physical limit.
 */
export function planStage(stage: Stage, goal: Goal, held: Held, calendar: Calendar): Plan {
  const sessions = calendar.sessionsBetween(goal.from, goal.to)
  const limit = oneYearBefore(goal.tradingDate)
  const planned =
    stage === 'lists'
      ? planLists(goal)
      : stage === 'daily'
        ? planDaily(goal, sessions, held)
        : planCandles(goal, sessions, held, limit)
  return { stage, ...planned }
}
