import { type Calendar, withLearned } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../../duckdb/open.js'
import { planRepair, type RepairPlan } from '../../plan/repair-plan.js'
import type { SkippedWindows } from '../../plan/request.js'
import { servedFrom } from '../../plan/served.js'
import type { Plan } from '../../plan/stage-plan.js'
import {
  isServed,
  otherAnswersOf,
  otherSourcesOf,
  type WantedWindow,
  windowName,
  windowsOf,
} from '../../plan/wanted.js'
import { learnedDays } from '../../warehouse/read-coverage.js'
import {
  incompleteWindows,
  listedCount,
  openFindings,
  openOffenders,
} from '../../warehouse/wanted-windows.js'
import type { Run } from '../lifecycle/run.js'
import { type RepairOutcome, repairOutcome } from './outcome.js'

/**
 * Rounds at most: what is incomplete or broken; candles of summaries that turned out restated, and the other side of
 * what is still broken; the candles of those.
 */
const ROUNDS = 3

/** What a round wants: windows, and the findings for whose sake some of them are wanted. */
interface Wanted {
  readonly windows: readonly WantedWindow[]
  /** `rule subject day` */
  readonly findings: readonly string[]
}

/** The rounds of one repair, for what is incomplete or broken up to the trading date. No window is fetched twice. */
export class RepairRounds {
  /** First day that the service serves intraday. */
  private readonly limit: Day
  /** Windows that were requested, by name, as they were first wanted. */
  private readonly requested = new Map<string, WantedWindow>()
  /** Findings whose rows were fetched again: `rule subject day`. */
  private readonly refetched = new Set<string>()
  private skipped: readonly SkippedWindows[] = []
  private round = 0

  constructor(private readonly tradingDate: Day) {
    this.limit = servedFrom(tradingDate)
  }

  /** What the first round would request; sends nothing. */
  async plan(warehouse: Database, calendar: Calendar): Promise<RepairPlan> {
    const { windows } = await this.wanted(warehouse)
    return await planWindows(windows, this.tradingDate, warehouse, calendar)
  }

  /** Plans of the next round, to be run in order; none when nothing new is wanted. Checks what the round before loaded. */
  async next(run: Run): Promise<readonly Plan[]> {
    this.round += 1
    if (this.round > ROUNDS) return []
    if (this.round > 1) await run.weighEvidence()
    if (this.refetched.size > 0) await run.checkLoaded()
    const wanted = await this.wanted(run.warehouse)
    const { warehouse, planningCalendar } = run
    const { plans, skipped } = await planWindows(
      wanted.windows,
      this.tradingDate,
      warehouse,
      planningCalendar,
    )
    if (this.round === 1) this.skipped = skipped
    if (plans.length > 0) this.remember(wanted)
    return plans
  }

  async outcome(warehouse: Database): Promise<RepairOutcome> {
    return repairOutcome({
      tradingDate: this.tradingDate,
      requested: [...this.requested.values()],
      refetched: this.refetched,
      incomplete: await incompleteWindows(warehouse, this.tradingDate),
      openFindings: await openFindings(warehouse, this.tradingDate),
      skipped: this.skipped,
    })
  }

  /** Candles of a restated summary are wanted again although they were requested: the summary came after them. */
  private async wanted(warehouse: Database): Promise<Wanted> {
    const incomplete = await incompleteWindows(warehouse, this.tradingDate)
    const windows: WantedWindow[] = incomplete
      .filter((window) => this.isNew(window) || window.reasonCode === 'summary_restated')
      .flatMap((window) =>
        window.reasonCode === 'contradicted'
          ? [window, ...otherAnswersOf(window).filter((other) => this.isNew(other))]
          : [window],
      )
    const findings: string[] = []
    for (const offender of await openOffenders(warehouse, this.tradingDate)) {
      const wanted = this.windowsBehind(offender)
      windows.push(...wanted)
      if (wanted.length > 0) findings.push(offender.findingName)
    }
    return { windows, findings }
  }

  /** Windows that would bring an offender again; where all of them were requested, those of its other source. */
  private windowsBehind(offender: Parameters<typeof windowsOf>[0]): WantedWindow[] {
    const ownWindows = windowsOf(offender, this.tradingDate).filter((window) => this.isServed(window))
    const unrequested = ownWindows.filter((window) => this.isNew(window))
    if (unrequested.length > 0 || ownWindows.length === 0) return unrequested
    return otherSourcesOf(offender).filter((window) => this.isNew(window) && this.isServed(window))
  }

  private remember({ windows, findings }: Wanted): void {
    for (const window of windows)
      if (this.isServed(window) && this.isNew(window)) this.requested.set(windowName(window), window)
    for (const finding of findings) this.refetched.add(finding)
  }

  private isNew(window: WantedWindow): boolean {
    return !this.requested.has(windowName(window))
  }

  private isServed(window: WantedWindow): boolean {
    return isServed(window, this.limit)
  }
}

/** The smallest set of requests for windows of the ledger. @param known the calendar before days are learned from answers */
export async function planWindows(
  windows: readonly WantedWindow[],
  tradingDate: Day,
  warehouse: Database,
  known: Calendar,
): Promise<RepairPlan> {
  const days = windows.map(({ day }) => day).sort()
  const [first = tradingDate, last = first] = [days[0], days.at(-1)]
  const calendar = withLearned(known, await learnedDays(warehouse, first, last))
  const sessions = calendar.sessionsBetween(first, last)
  return planRepair(windows, { tradingDate, sessions, symbols: await listedCount(warehouse) })
}
