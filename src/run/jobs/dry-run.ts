import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { type Calendar, loadCalendar, withLearned } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import { type Coverage, noCoverage } from '../../plan/coverage.js'
import type { Counted, DatasetName, Stage } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import { planStage } from '../../plan/plan.js'
import { tellReasons } from '../../plan/repair.js'
import type { LeftOut, WindowRequest } from '../../plan/request.js'
import { planAccounts, planHoldings, planRest } from '../../plan/snapshot.js'
import type { Settings } from '../../settings/index.js'
import { readCoverage } from '../../warehouse/coverage.js'
import { openWarehouse } from '../../warehouse/open.js'
import { latestNamed } from '../../warehouse/snapshots.js'
import type { RunSpec } from '../lifecycle/with-run.js'

export interface StageView {
  stage: Stage | 'accounts'
  /** True when only an earlier stage will reveal its real size. */
  estimate: boolean
  datasets: { dataset: Counted; windows: number; pages: number; from: Day; to: Day; why: string }[]
  requests: readonly WindowRequest[]
}

/** What a run would ask for, and why: the same plan value that it obeys, and nothing sent. */
export interface PlanView {
  job: string
  tradingDate: Day
  stages: StageView[]
  leftOut: LeftOut[]
  /** Pages in all, as far as can be known before. */
  pages: number
  /** At the highest rate allowed; null when unbounded. */
  seconds: number | null
}

/** Plans every stage from what is held now. @throws LockedError while a run holds the warehouse */
export async function viewPlan(
  settings: Settings,
  job: Pick<RunSpec, 'name' | 'tradingDate' | 'goals' | 'accounts' | 'repair'>,
): Promise<PlanView> {
  const file = join(settings.home, 'warehouse.duckdb')
  const warehouse = existsSync(file) ? await openWarehouse(file) : undefined
  const calendar = loadCalendar()
  const stages: StageView[] = []
  const leftOut: LeftOut[] = []
  try {
    for (const goal of job.goals) {
      const coverage = warehouse ? await readCoverage(warehouse, goal.from, goal.to) : noCoverage
      for (const stage of ['lists', 'daily', 'candles'] as const) {
        const learned = withLearned(calendar, { closed: coverage.learnedClosed, open: coverage.learnedOpen })
        const plan = planStage(stage, goal, coverage, learned)
        leftOut.push(...plan.leftOut)
        stages.push(viewStage(stage, isEstimate(stage, goal, coverage, learned), plan.requests))
      }
    }
    if (warehouse && job.repair) {
      const { plans, leftOut: left } = await job.repair.plan(warehouse)
      stages.push(...plans.map((plan) => viewStage(plan.stage, false, plan.requests, tellReasons)))
      leftOut.push(...left)
    }
    if (job.accounts !== 'none') stages.push(await viewAccounts(warehouse, job.tradingDate))
  } finally {
    warehouse?.close()
  }
  const pages = stages.flatMap((stage) => stage.datasets).reduce((sum, each) => sum + each.pages, 0)
  const rate = settings.baseUrl === undefined ? undefined : settings.broker.maxRps
  return {
    job: job.name,
    tradingDate: job.tradingDate,
    stages,
    leftOut,
    pages,
    seconds: rate ? Math.ceil(pages / rate) : null,
  }
}

/** Which accounts there are, what they hold and which conditional orders live is only known once they are asked. */
async function viewAccounts(warehouse: Database | undefined, asOf: Day): Promise<StageView> {
  const named = warehouse ? await latestNamed(warehouse) : { accounts: [], holdings: [] }
  const { accounts, holdings } = named
  const closes = holdings.map((held) => ({ ...held, close: '0' }))
  const earlier = { before: new Map<string, Day>(), settled: new Set<string>() }
  const parts = [
    planAccounts(asOf),
    ...planHoldings(accounts, asOf),
    ...planRest(accounts, { holdings: closes, conditionals: [] }, earlier, asOf),
  ]
  const why = 'balances, margins, positions, orders of every account, if the session may read them'
  const { length } = parts
  const dataset = { dataset: 'snapshot' as const, windows: length, pages: length, from: asOf, to: asOf, why }
  return { stage: 'accounts', estimate: true, datasets: [dataset], requests: [] }
}

function isEstimate(stage: Stage, goal: Goal, coverage: Coverage, calendar: Calendar): boolean {
  if (stage === 'lists') return false
  if (stage === 'daily') return coverage.indexes.length === 0
  const sessions = calendar.sessionsBetween(goal.from, goal.to)
  return (
    goal.refresh || sessions.some((day) => coverage.stateOf('securitiesSummary', '*', '', day) === undefined)
  )
}

/** @param tell what is said of a dataset's reasons; the first, where they are all alike */
function viewStage(
  stage: Stage,
  estimate: boolean,
  requests: readonly WindowRequest[],
  tell: (reasons: readonly string[]) => string = ([first = '']) => first,
): StageView {
  const groups = new Map<DatasetName, StageView['datasets'][number]>()
  const reasons = new Map<DatasetName, string[]>()
  for (const request of requests) {
    const { dataset, from, to, why, pages } = request
    const group = groups.get(dataset)
    reasons.set(dataset, [...(reasons.get(dataset) ?? []), why])
    if (!group) groups.set(dataset, { dataset, windows: 1, pages, from, to, why })
    else {
      group.windows += 1
      group.pages += pages
      if (from < group.from) group.from = from
      if (to > group.to) group.to = to
    }
  }
  const told = [...groups.values()].map((each) => ({
    ...each,
    why: tell(reasons.get(each.dataset as DatasetName) ?? []),
  }))
  return { stage, estimate, datasets: told, requests }
}
