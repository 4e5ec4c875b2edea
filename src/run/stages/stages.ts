import { type Calendar, withLearned } from 'candlehouse-foundation/market/calendar'
import type { Coverage } from '../../plan/coverage.js'
import { datasets, type Stage } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import { planStage } from '../../plan/stage-plan.js'
import type { Fetching } from './fetching.js'
import { requireKnownSymbols } from './known-symbols.js'

/** Stages of market data in their order. */
export const STAGES: readonly Stage[] = ['lists', 'daily', 'candles']

/** Stages that come before the accounts: their prices depend on them, and they take minutes where candles may take hours. */
export const STAGES_BEFORE_ACCOUNTS: readonly Stage[] = ['lists', 'daily']

/** Stages of sessions that an earlier nightly did not complete: the lists are of tonight alone. */
export const STAGES_OF_UNFINISHED: readonly Stage[] = ['daily', 'candles']

/** Stages that fetch datasets of the goal. */
export function stagesOf(goal: Goal): readonly Stage[] {
  return STAGES.filter((stage) => goal.datasets.some((name) => datasets[name].stage === stage))
}

/** Finished stages of a goal: if a key fails, the next key continues with the current stage. */
export interface StageProgress {
  isFinished(stage: Stage): boolean
  onFinished(stage: Stage): void
}

/**
 * Runs the stages in order, each planned from what the stage before committed. A service that refuses the daily summaries
 * of the whole market in one response gets one request per symbol in the same run.
 */
export async function runStages(
  goal: Goal,
  fetching: Fetching,
  { isFinished, onFinished }: Partial<StageProgress> = {},
  stages: readonly Stage[] = STAGES,
): Promise<void> {
  for (const stage of stages) {
    if (isFinished?.(stage)) continue
    const [coverage, calendar] = await readKnown(goal, fetching)
    const plan = planStage(stage, goal, coverage, calendar)
    fetching.run.report.addSkipped(plan.skipped)
    if (plan.requests.length > 0) await fetching.ingest(plan)
    if (stage === 'lists') await requireKnownSymbols(goal, fetching)
    if (stage === 'daily') await fetchLearnedSessions(goal, calendar, fetching)
    if (plan.requests.some(({ dataset, key }) => dataset === 'securitiesSummary' && key === '*')) {
      await fetchPerSymbol(goal, fetching)
    }
    if (stage === 'daily' && goal.datasets.includes('ohlc')) await fetching.weighEvidence()
    onFinished?.(stage)
  }
}

/** Fetches index summaries of days that the calendar had as closed and that have data. */
async function fetchLearnedSessions(goal: Goal, before: Calendar, fetching: Fetching): Promise<void> {
  const [coverage, after] = await readKnown(goal, fetching)
  for (const day of after.sessionsBetween(goal.from, goal.to)) {
    if (before.isSession(day) || !goal.datasets.includes('indexSummary')) continue
    const learned: Goal = { ...goal, from: day, to: day, datasets: ['indexSummary'] }
    const plan = planStage('daily', learned, coverage, after)
    if (plan.requests.length > 0) await fetching.ingest(plan)
  }
}

/** Fetches daily summaries that the response for the whole market did not have: first one symbol as a probe, then all. */
async function fetchPerSymbol(goal: Goal, fetching: Fetching): Promise<void> {
  const remaining: Goal = { ...goal, datasets: ['securitiesSummary'], refresh: false }
  for (let round = 1; round <= 2; round++) {
    const plan = planStage('daily', remaining, ...(await readKnown(goal, fetching)))
    const requests = plan.requests.filter(({ key }) => key !== '*')
    if (requests.length === 0) return
    await fetching.ingest({ ...plan, requests })
  }
}

async function readKnown(goal: Goal, fetching: Fetching): Promise<[Coverage, Calendar]> {
  const coverage = await fetching.readCoverage(goal)
  return [coverage, withLearned(fetching.run.planningCalendar, coverage)]
}
