import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Coverage } from './coverage.js'
import { planDaily } from './daily.js'
import type { Stage } from './datasets.js'
import type { Goal } from './goal.js'
import { planCandles } from './plan-candles.js'
import { planLists } from './plan-lists.js'
import type { PlannedRequests } from './request.js'
import { servedFrom } from './served.js'

/** The requests of one stage. A pure value: a dry run prints it, a run sends it. */
export interface Plan extends PlannedRequests {
  readonly stage: Stage
}

/**
 * Plans one stage from the coverage that the stages before it left, with as few requests as possible: the rate limit of
 * the service decides how long a run takes.
 */
export function planStage(stage: Stage, goal: Goal, coverage: Coverage, calendar: Calendar): Plan {
  const sessions = calendar.sessionsBetween(goal.from, goal.to)
  const firstServed = servedFrom(goal.tradingDate)
  const planned =
    stage === 'lists'
      ? planLists(goal, coverage)
      : stage === 'daily'
        ? planDaily(goal, sessions, coverage)
        : planCandles(goal, sessions, coverage, firstServed)
  return { stage, ...planned }
}
