import { withLearned } from 'candlehouse-foundation/market/calendar'
import { datasets, type Stage } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import { type Known, StageRounds } from '../../plan/stage-rounds.js'
import { requireKnownSymbols } from '../../plan/typed-symbols.js'
import type { Fetching } from './fetching.js'

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

/** Runs the stages in order, round by round, each planned from what the one before it committed. */
export async function runStages(
  goal: Goal,
  fetching: Fetching,
  { isFinished, onFinished }: Partial<StageProgress> = {},
  stages: readonly Stage[] = STAGES,
): Promise<void> {
  for (const stage of stages) {
    if (isFinished?.(stage)) continue
    const rounds = new StageRounds(stage, goal)
    let plan = rounds.next(await readKnown(goal, fetching))
    fetching.run.report.addSkipped(plan.skipped)
    for (; plan.requests.length > 0; plan = rounds.next(await readKnown(goal, fetching))) {
      await fetching.ingest(plan)
    }
    if (stage === 'lists') requireKnownSymbols(goal, await fetching.readCoverage(goal))
    if (stage === 'daily' && goal.datasets.includes('ohlc')) await fetching.weighEvidence()
    onFinished?.(stage)
  }
}

async function readKnown(goal: Goal, fetching: Fetching): Promise<Known> {
  const coverage = await fetching.readCoverage(goal)
  return { coverage, calendar: withLearned(fetching.run.planningCalendar, coverage) }
}
