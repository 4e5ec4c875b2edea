import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Calendar, loadCalendar, withLearned } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../../duckdb/open.js'
import type { Effects } from '../../effects.js'
import { type KnownAccount, planAccounts, planHoldings, planRest } from '../../plan/account-parts.js'
import { type BrokenCandles, type Coverage, noCoverage } from '../../plan/coverage.js'
import type { Counted, Stage } from '../../plan/datasets.js'
import { type ExpectedMarket, typicalMarket, withExpected } from '../../plan/expected-market.js'
import type { Goal } from '../../plan/goal.js'
import { groupsBy } from '../../plan/groups.js'
import { brokenOf } from '../../plan/plan-candles.js'
import { type RepairPlan, summariseReasons } from '../../plan/repair-plan.js'
import type { SkippedWindows, WindowRequest } from '../../plan/request.js'
import { planStage } from '../../plan/stage-plan.js'
import { refuseUnknownSymbols } from '../../plan/symbol-names.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import { keysOf, namesKeys, type Settings } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open-warehouse.js'
import { readCoverage } from '../../warehouse/read-coverage.js'
import { latestNamed } from '../../warehouse/snapshots.js'
import { planOlderGaps, unfinishedGoal } from '../repair/older-gaps.js'
import { RepairRounds } from '../repair/rounds.js'
import { STAGES, STAGES_OF_UNFINISHED } from '../stages/stages.js'
import { doubtNotes } from './doubts.js'
import type { RunSpec } from './run-spec.js'

export interface StageView {
  stage: Stage | 'accounts'
  /** Whether its size is known only after an earlier stage. */
  estimate: boolean
  datasets: { dataset: Counted; windows: number; pages: number; from: Day; to: Day; why: string }[]
  requests: readonly WindowRequest[]
}

/** The requests that a run would send, and why, from the same plan that a run executes. */
export interface PlanView {
  job: string
  tradingDate: Day
  stages: StageView[]
  /** Names of the keys of `[[accounts]]` in their order: market data is requested with the first that works. */
  keys?: readonly string[]
  leftOut: SkippedWindows[]
  /** The market that the estimates assume if no list has been fetched yet; null if one has. */
  assumes: string | null
  /** Planned sessions that may be closed days, one line per cause. */
  inDoubt: string[]
  /** Number of pages in all, as far as it is known before the run. */
  pages: number
  /** Seconds for these pages at the highest rate allowed; null if the rate has no limit. */
  seconds: number | null
}

/**
 * Plans every stage from what is stored now.
 *
 * @param embedded what the embedded service would list on a day: settings name another one, or none
 * @throws LockedError while a run has the warehouse locked · UsageError for unknown symbols
 */
export async function viewPlan(
  settings: Settings,
  spec: Pick<RunSpec, 'name' | 'tradingDate' | 'goals' | 'accounts' | 'repair'>,
  embedded: (day: Day) => Promise<ExpectedMarket>,
  effects: Effects,
): Promise<PlanView> {
  const file = join(settings.home, 'warehouse.duckdb')
  using warehouse = existsSync(file) ? await openWarehouse(file, effects) : undefined
  const userDays = readCalendarDays(settings.home)
  const planning = loadCalendar(userDays)
  const days = { planningCalendar: planning, userDays }
  const plans: Planned[] = []
  // The market to plan for before the first list.
  const market = settings.baseUrl === undefined ? await embedded(spec.tradingDate) : typicalMarket()
  const inDoubt: string[] = []
  for (const goal of spec.goals) {
    plans.push(await planGoal(goal, warehouse, planning, market))
    inDoubt.push(...(await doubtNotes(goal, days, warehouse)))
  }
  if (warehouse && spec.name === 'nightly')
    for (const goal of spec.goals) {
      const unfinished = await unfinishedGoal(goal, warehouse, planning)
      if (unfinished) plans.push(await planUnfinished(unfinished, warehouse, planning))
      plans.push(planned(await planOlderGaps(goal, warehouse, planning)))
    }
  if (warehouse && spec.repair)
    plans.push(planned(await new RepairRounds(spec.tradingDate).plan(warehouse, planning)))
  const accounts =
    spec.accounts === 'none'
      ? []
      : [await viewAccounts(warehouse, spec.tradingDate, market.accounts, keysOf(settings).length)]
  const stages = [...plans.flatMap((plan) => plan.stages), ...accounts]
  const pages = stages.flatMap(({ datasets }) => datasets).reduce((sum, { pages }) => sum + pages, 0)
  const rate = settings.baseUrl === undefined ? undefined : settings.broker.maxRps
  return {
    job: spec.name,
    tradingDate: spec.tradingDate,
    stages,
    ...(namesKeys(settings) ? { keys: keysOf(settings).map(({ keyName }) => keyName) } : {}),
    leftOut: plans.flatMap(({ skipped }) => skipped),
    assumes: plans.some(({ isAssumed }) => isAssumed) ? market.about : null,
    inDoubt,
    pages,
    seconds: rate ? Math.ceil(pages / rate) : null,
  }
}

interface Planned {
  readonly stages: readonly StageView[]
  readonly skipped: readonly SkippedWindows[]
  /** Whether no list has been fetched yet. */
  readonly isAssumed: boolean
}

async function planGoal(
  goal: Goal,
  warehouse: Database | undefined,
  planning: Calendar,
  market: ExpectedMarket,
): Promise<Planned> {
  const coverage = warehouse ? await readCoverage(warehouse, goal) : noCoverage
  if (coverage.listed.length > 0) refuseUnknownSymbols(coverage.typed.unknown, coverage.typed.known)
  const calendar = withLearned(planning, coverage)
  const isAssumed = coverage.listed.length === 0 || coverage.indexes.length === 0
  const expected = isAssumed ? withExpected(coverage, goal, market) : coverage
  const { plans, skipped } = planStages(STAGES, goal, expected, calendar)
  const assumed = new Set(goal.symbols ? market.indexes : [...market.symbols, ...market.indexes])
  return {
    stages: plans.map(({ stage, requests }) => {
      const broken = stage === 'candles' ? brokenOf(goal, coverage) : []
      // The first reason stands for all others of a goal, except for broken rules.
      const describe = ([first = '']: readonly string[]): string => withReasons(first, broken)
      const view = viewStage(stage, isEstimate(stage, goal, coverage, calendar), requests, describe)
      // Names that no list has given yet are counted, not shown as requests.
      return isAssumed ? { ...view, requests: requests.filter(({ key }) => !assumed.has(key)) } : view
    }),
    skipped,
    isAssumed,
  }
}

function withReasons(first: string, broken: readonly BrokenCandles[]): string {
  const rules = broken.map(({ why }) => why).filter((why) => !first.includes(why))
  return [first, ...new Set(rules)].join('; ')
}

async function planUnfinished(goal: Goal, warehouse: Database, planning: Calendar): Promise<Planned> {
  const coverage = await readCoverage(warehouse, goal)
  return planned(planStages(STAGES_OF_UNFINISHED, goal, coverage, withLearned(planning, coverage)))
}

function planStages(
  stages: readonly Stage[],
  goal: Goal,
  coverage: Coverage,
  calendar: Calendar,
): RepairPlan {
  const plans = stages.map((stage) => planStage(stage, goal, coverage, calendar))
  return { plans, skipped: plans.flatMap(({ skipped }) => skipped) }
}

function planned({ plans, skipped }: RepairPlan): Planned {
  const stages = plans.map(({ stage, requests }) => viewStage(stage, false, requests, summariseReasons))
  return { stages, skipped, isAssumed: false }
}

/**
 * The accounts and their positions are known only after they are requested, so they are counted in the latest snapshot.
 *
 * @param keys number of API keys of the home: each lists its accounts
 */
async function viewAccounts(
  warehouse: Database | undefined,
  asOf: Day,
  expected: ExpectedMarket['accounts'],
  keys: number,
): Promise<StageView> {
  const latest = warehouse ? await latestNamed(warehouse) : undefined
  const { accounts, positions, conditionals } = latest?.accounts.length
    ? { ...latest, conditionals: [] }
    : expectedHoldings(expected)
  const priced = positions.map((position) => ({ ...position, close: '0' }))
  const noEarlier = { latestComplete: new Map<string, Day>(), endedConditionals: new Set<string>() }
  const parts = [
    ...Array.from({ length: keys }, () => planAccounts(asOf)),
    ...planHoldings(accounts, asOf),
    ...planRest(accounts, { positions: priced, conditionals }, noEarlier, asOf),
  ]
  const why = 'balances, margins, positions, orders of every account, if the session may read them'
  const { length } = parts
  const dataset = { dataset: 'snapshot' as const, windows: length, pages: length, from: asOf, to: asOf, why }
  return { stage: 'accounts', estimate: true, datasets: [dataset], requests: [] }
}

function expectedHoldings({ count, positions, conditionals }: ExpectedMarket['accounts']): {
  accounts: KnownAccount[]
  positions: { account: string; symbol: string }[]
  conditionals: { account: string; fcoId: string }[]
} {
  const numbered = (length: number): string[] => Array.from({ length }, (_, index) => String(index))
  return {
    // One of them trades derivatives, whose positions are two requests.
    accounts: numbered(count).map((account) => ({ account, type: account === '0' ? 'DERIVATIVE' : 'CASH' })),
    positions: numbered(positions).map((symbol) => ({ account: '0', symbol })),
    conditionals: numbered(conditionals).map((fcoId) => ({ account: '0', fcoId })),
  }
}

function isEstimate(stage: Stage, goal: Goal, coverage: Coverage, calendar: Calendar): boolean {
  if (stage === 'lists') return false
  if (stage === 'daily') return coverage.indexes.length === 0
  const sessions = calendar.sessionsBetween(goal.from, goal.to)
  return (
    goal.refresh || sessions.some((day) => coverage.stateOf('securitiesSummary', '*', '', day) === undefined)
  )
}

/** @param describe one text for the reasons of a dataset */
function viewStage(
  stage: Stage,
  estimate: boolean,
  requests: readonly WindowRequest[],
  describe: (reasons: readonly string[]) => string,
): StageView {
  const datasets = [...groupsBy(requests, ({ dataset }) => dataset)].map(([dataset, group]) => {
    const days = group.flatMap(({ from, to }) => [from, to]).sort()
    return {
      dataset,
      windows: group.length,
      pages: group.reduce((sum, { pages }) => sum + pages, 0),
      from: days[0] ?? group[0].from,
      to: days.at(-1) ?? group[0].to,
      why: describe(group.map(({ why }) => why)),
    }
  })
  return { stage, estimate, datasets, requests }
}
