import type { Calendar } from '../../market/calendar.js'
import { withLearned } from '../../market/calendar.js'
import type { Coverage } from '../../plan/coverage.js'
import type { Stage } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import { type Plan, planStage } from '../../plan/plan.js'
import type { LeftOut } from '../../plan/request.js'

const STAGES: readonly Stage[] = ['lists', 'daily', 'candles']

export interface StageSteps {
  /** What is held now, for the goal's sessions. */
  coverage(goal: Goal): Promise<Coverage>
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
    const [coverage, before] = await known(goal, calendar, steps)
    const plan = planStage(stage, goal, coverage, before)
    steps.leftOut(plan.leftOut)
    if (plan.requests.length > 0) await steps.ingest(plan)
    if (stage === 'daily') await askOpened(goal, before, calendar, steps)
    if (plan.requests.some((request) => request.dataset === 'securitiesSummary' && request.key === '*')) {
      await askBySymbol(goal, calendar, steps)
    }
  }
}

/** Days believed closed that turned out to have data: their index summaries were not asked for. */
async function askOpened(goal: Goal, before: Calendar, calendar: Calendar, steps: StageSteps): Promise<void> {
  const [coverage, after] = await known(goal, calendar, steps)
  for (const day of after.sessionsBetween(goal.from, goal.to)) {
    if (before.isSession(day) || !goal.datasets.includes('indexSummary')) continue
    const opened: Goal = { ...goal, from: day, to: day, datasets: ['indexSummary'] }
    const plan = planStage('daily', opened, coverage, after)
    if (plan.requests.length > 0) await steps.ingest(plan)
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

async function known(goal: Goal, calendar: Calendar, steps: StageSteps): Promise<[Coverage, Calendar]> {
  const coverage = await steps.coverage(goal)
  return [coverage, withLearned(calendar, { closed: coverage.learnedClosed, open: coverage.learnedOpen })]
}
