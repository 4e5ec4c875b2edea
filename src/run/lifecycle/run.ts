import { type Calendar, type CalendarDay, loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { MarketRule } from 'candlehouse-foundation/market/rulebook'
import type { AuditScope, OverrideRequest, RuleResult } from '../../audit/index.js'
import type { Database } from '../../duckdb/open.js'
import { type Journal, openJournal } from '../../land/journal.js'
import type { Loaded } from '../../load/batch.js'
import { daysOfRun, weighEvidence } from '../../load/weigh-evidence.js'
import { computeTable, problemOfTable } from '../../mine/compute-table.js'
import { OwnProcess } from '../../mine/own-process.js'
import { type OwnProblem, problemLine } from '../../mine/problem.js'
import type { BoundWatch } from '../../mine/watches/bind-watch.js'
import { evaluateMissed, evaluateWatches, type RunOfWatches } from '../../mine/watches/evaluate-watches.js'
import type { Checks } from '../../night/summary.js'
import { type Publication, publish, repairNotes } from '../../publish/index.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import type { Settings } from '../../settings/index.js'
import { readMarketRules } from '../../settings/market-rules-file.js'
import { checksOfResults } from '../checks/findings.js'
import { overrideIfBroken } from '../checks/override-findings.js'
import { runRules, uncheckedScope } from '../checks/run-rules.js'
import { silentRules } from '../checks/silence.js'
import { publishToBucket } from './bucket.js'
import { Deadline } from './deadline.js'
import { allowReaders } from './readers.js'
import type { RunIo } from './run-io.js'
import { RunReport } from './run-report.js'
import { Tally } from './tally.js'

/** A long backfill publishes this often while it loads, so that analysts see it grow. */
const PUBLISH_EVERY_MS = 15 * 60_000

/** Which run it is. */
export interface RunIdentity {
  readonly job: string
  readonly id: string
  readonly tradingDate: Day
  /** Epoch milliseconds. */
  readonly startedAt: number
}

/**
 * One run while it works: its settings, its warehouse, and its counts and report so far. `withRun` creates it; the body of a job
 * or verb calls its methods.
 */
export class Run {
  /** The packaged calendar: what is loaded and checked follows from it and from what is stored. */
  readonly calendar: Calendar = loadCalendar()
  /** Days of the user's own calendar. */
  readonly userDays: readonly CalendarDay[]
  readonly userRules: readonly MarketRule[]
  /** The packaged calendar with the user's days: what is planned. */
  readonly planningCalendar: Calendar
  readonly tally = new Tally()
  readonly report = new RunReport()
  readonly deadline: Deadline
  /** What the summary shows; null until the rules were run. */
  checks: Checks | null = null
  /** A replay sets it: it learns its trading date from the journals. */
  tradingDate: Day
  /** Milliseconds of the monotonic clock. */
  private publishedAt: number

  /** @param override a rule whose breaks are overridden as soon as this run finds them */
  constructor(
    readonly identity: RunIdentity,
    readonly settings: Settings,
    readonly warehouse: Database,
    readonly override: OverrideRequest | undefined,
    readonly io: RunIo,
  ) {
    this.userDays = readCalendarDays(settings.home)
    this.userRules = readMarketRules(settings.home)
    this.planningCalendar = loadCalendar(this.userDays)
    this.deadline = new Deadline(identity.job, settings, io.effects)
    this.publishedAt = io.effects.monotonic()
    this.tradingDate = identity.tradingDate
  }

  get home(): string {
    return this.settings.home
  }

  /** Epoch milliseconds; never before the start, even if the clock was set back meanwhile. */
  get finishedAt(): number {
    return Math.max(this.identity.startedAt, this.io.effects.now())
  }

  /** Counts a loaded batch. A long backfill is checked and published every 15 minutes. */
  async addLoaded(loaded: Loaded): Promise<void> {
    this.tally.addLoaded(loaded)
    const now = this.io.effects.monotonic()
    if (this.identity.job !== 'backfill' || now - this.publishedAt < PUBLISH_EVERY_MS) return
    this.publishedAt = now
    await this.checkLoaded()
    // The bucket gets the lake at the end: an outage until then does no harm and is not reported.
    await this.publishHere()
  }

  /**
   * Marks what the answers of this run lack and other answers have, and withdraws what all of them omit. Called at the end
   * of the run's loading; before candles are planned, so that those in doubt are requested in the same run; and for a killed
   * run once its pages are loaded.
   */
  async weighEvidence({ beforeCandles = false, run = this.identity.id } = {}): Promise<void> {
    const withdrawn = await weighEvidence(this.warehouse, daysOfRun(this.home, run), { beforeCandles })
    if (withdrawn > 0)
      this.report.notes.push(
        `withdrew ${withdrawn} rows that summaries, price limits and candles no longer have: see market.revision`,
      )
  }

  /** Opens the run's journal for as long as `work` takes. */
  async withJournal<T>(work: (journal: Journal) => Promise<T>): Promise<T> {
    const journal = await openJournal(this.home, this.identity.id, this.io.effects)
    try {
      return await work(journal)
    } finally {
      await journal.close()
    }
  }

  async runRules(scope: AuditScope): Promise<RuleResult[]> {
    const { warehouse, home, identity, io } = this
    const onProblem = (problem: OwnProblem): void => this.noteOwn([problem])
    return await runRules(warehouse, { home, runId: identity.id, scope, onProblem }, io)
  }

  /** Runs the rules on data that this run has loaded, and on data of earlier runs that were not checked. */
  async checkLoaded(): Promise<Checks> {
    const { warehouse, home, identity, override, io } = this
    const results = await this.runRules(await uncheckedScope(warehouse, home, [identity.id]))
    if (override) await overrideIfBroken(warehouse, home, override, io)
    return await checksOfResults(warehouse, results)
  }

  /** Reports rules of severity `error` that this run's sessions gave no data for: they are not proven. */
  async reportSilentRules(): Promise<void> {
    const silent = await silentRules(this.warehouse, daysOfRun(this.home, this.identity.id))
    for (const { rule, line } of silent) this.report.addProblems([line], { kind: 'not_evaluable', rule })
  }

  /** Publishes on this machine, then to the bucket of the settings. @param deep compares every file of the lake first */
  async publish(deep = false): Promise<Publication> {
    const publication = await this.publishHere(deep)
    await publishToBucket(this.settings, this.report, this.io)
    this.report.hasPublished = true
    return publication
  }

  private async publishHere(deep = false): Promise<Publication> {
    const { warehouse, home, identity, settings, userDays, userRules, io } = this
    const { retainDays, lakeMarts: marts } = settings
    await using apart = new OwnProcess(io.signal)
    const { own: ownSql, watches, problems } = await apart.bind(home)
    const options = { runId: identity.id, retainDays, userDays, userRules, ownSql, marts, deep }
    const compute = computeTable(apart)
    const ofWatches = { home, runId: identity.id, apart }
    await evaluateMissed(watches, ofWatches, io.effects)
    const publication = await publish(warehouse, home, { ...options, compute }, io.effects)
    allowReaders(settings, io.effects)
    this.report.notes.push(...repairNotes(publication.repaired))
    const unbound = new Set(problems.map(({ file }) => file))
    const failed = publication.failedTables.map(problemOfTable).filter(({ file }) => !unbound.has(file))
    this.noteOwn([...problems, ...failed])
    await this.evaluateWatches(watches, ofWatches)
    return publication
  }

  private async evaluateWatches(bound: readonly BoundWatch[], run: RunOfWatches): Promise<void> {
    const { report, io } = this
    const { watches, notes, problems } = await evaluateWatches(bound, run, io.effects)
    report.watches = watches
    report.notes.push(...notes)
    this.noteOwn(problems)
  }

  /** Notes what is wrong with files of the user's own, once: a long backfill checks and publishes many times. */
  private noteOwn(problems: readonly OwnProblem[]): void {
    const known = new Set(this.report.notes)
    this.report.notes.push(...problems.map(problemLine).filter((line) => !known.has(line)))
  }
}
