import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Calendar, loadCalendar, withLearned } from '../market/calendar.js'
import type { Day } from '../market/day.js'
import type { DatasetName, Stage } from '../plan/datasets.js'
import type { Goal } from '../plan/goal.js'
import { type Held, nothingHeld } from '../plan/held.js'
import { planStage } from '../plan/plan.js'
import type { LeftOut, WindowRequest } from '../plan/request.js'
import type { Settings } from '../settings/index.js'
import { readHeld } from '../warehouse/held.js'
import { openWarehouse } from '../warehouse/open.js'

export interface StageView {
  stage: Stage
  /** True when only an earlier stage will reveal its real size. */
  estimate: boolean
  datasets: { dataset: DatasetName; windows: number; pages: number; from: Day; to: Day; why: string }[]
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
  job: { name: string; tradingDate: Day; goals: readonly Goal[] },
): Promise<PlanView> {
  const file = join(settings.home, 'warehouse.duckdb')
  const warehouse = existsSync(file) ? await openWarehouse(file) : undefined
  const calendar = loadCalendar()
  const stages: StageView[] = []
  const leftOut: LeftOut[] = []
  try {
    for (const goal of job.goals) {
      const held = warehouse ? await readHeld(warehouse, goal.from, goal.to) : nothingHeld
      for (const stage of ['lists', 'daily', 'candles'] as const) {
        const learned = withLearned(calendar, { closed: held.learnedClosed, open: held.learnedOpen })
        const plan = planStage(stage, goal, held, learned)
        leftOut.push(...plan.leftOut)
        stages.push(viewStage(stage, isEstimate(stage, goal, held, learned), plan.requests))
      }
    }
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

function isEstimate(stage: Stage, goal: Goal, held: Held, calendar: Calendar): boolean {
  if (stage === 'lists') return false
  if (stage === 'daily') return held.indexes.length === 0
  const sessions = calendar.sessionsBetween(goal.from, goal.to)
  return (
    goal.refresh || sessions.some((day) => held.coverage('securitiesSummary', '*', '', day) === undefined)
  )
}

function viewStage(stage: Stage, estimate: boolean, requests: readonly WindowRequest[]): StageView {
  const groups = new Map<DatasetName, StageView['datasets'][number]>()
  for (const request of requests) {
    const { dataset, from, to, why, pages } = request
    const group = groups.get(dataset)
    if (!group) groups.set(dataset, { dataset, windows: 1, pages, from, to, why })
    else {
      group.windows += 1
      group.pages += pages
      if (from < group.from) group.from = from
      if (to > group.to) group.to = to
    }
  }
  return { stage, estimate, datasets: [...groups.values()], requests }
}
