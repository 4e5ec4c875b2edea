import type { Calendar } from '../market/calendar.js'
import { withLearned } from '../market/calendar.js'
import type { Stage } from '../plan/datasets.js'
import type { Goal } from '../plan/goal.js'
import type { Held } from '../plan/held.js'
import { type Plan, planStage } from '../plan/plan.js'
import type { LeftOut } from '../plan/request.js'

const STAGES: readonly Stage[] = ['lists', 'daily', 'candles']

export interface StageSteps {
  /** What is held now, for the goal's sessions. */
  held(goal: Goal): Promise<Held>
  /** Fetches and loads a plan. */
  ingest(plan: Plan): Promise<void>
  leftOut(left: readonly LeftOut[]): void
}

/**
 * Walks the stages in order, each planned from what the one before committed. A service that refuses the whole
 * market's summaries in one answer is asked symbol by symbol in the same run.
 */
export async function runStages(goal: Goal, calendar: Calendar, steps: StageSteps): Promise<void> {
  for (const stage of STAGES) {
    const plan = planStage(stage, goal, ...(await known(goal, calendar, steps)))
    steps.leftOut(plan.leftOut)
    if (plan.requests.length > 0) await steps.ingest(plan)
    if (plan.requests.some((request) => request.dataset === 'securitiesSummary' && request.key === '*')) {
      await askBySymbol(goal, calendar, steps)
    }
  }
}

/** What the answer for the whole market left open: at first a probe of one symbol, then every symbol. */
async function askBySymbol(goal: Goal, calendar: Calendar, steps: StageSteps): Promise<void> {
  const rest: Goal = { ...goal, datasets: ['securitiesSummary'], refresh: false }
  for (let round = 1; round <= 2; round++) {
    const plan = planStage('daily', rest, ...(await known(goal, calendar, steps)))
    if (!plan.requests.some((request) => request.key !== '*')) return
    await steps.ingest(plan)
  }
}

async function known(goal: Goal, calendar: Calendar, steps: StageSteps): Promise<[Held, Calendar]> {
  const held = await steps.held(goal)
  return [held, withLearned(calendar, { closed: held.learnedClosed, open: held.learnedOpen })]
}
