import { join } from 'node:path'
import { installParsers } from '../../duckdb/parse.js'
import { InterruptedError } from '../../errors.js'
import type { History } from '../../import/index.js'
import { journalledRuns, openJournal } from '../../land/journal.js'
import type { Loaded } from '../../load/batch.js'
import { createLoader } from '../../load/loader.js'
import { loadCalendar } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import type { Goal } from '../../plan/goal.js'
import type { LeftOut } from '../../plan/request.js'
import { publish } from '../../publish/index.js'
import { type Settings, suffixesOf } from '../../settings/index.js'
import { readCoverage, servedPageSizes } from '../../warehouse/coverage.js'
import { type MissingWindow, missingWindows } from '../../warehouse/missing.js'
import { openWarehouse } from '../../warehouse/open.js'
import { closeRun, openRun } from '../../warehouse/runs.js'
import { accountsBesideMarket, closesOf, requireTrading } from '../accounts/beside-market.js'
import { takeSnapshot } from '../accounts/take.js'
import { type Accept, checksOf, judgeRuns, overruleIfBroken, unjudgedScope } from '../checks/rules.js'
import type { Job } from '../jobs/job.js'
import type { Repair } from '../repair/rounds.js'
import { writeLastRun } from '../report/last-run.js'
import { writeMetrics } from '../report/metrics.js'
import { outcomeOf, summarise } from '../report/summarise.js'
import type { Checks, RunSummary } from '../report/summary.js'
import { openService } from '../session/service.js'
import { ingestStage } from '../stages/ingest.js'
import { runStages, type StageSteps } from '../stages/order.js'
import { bringHistory } from '../verbs/import.js'
import { adoptLanded } from './resume.js'
import { newRunId } from './run-id.js'
import type { RunIo } from './run-io.js'
import { createTally } from './tally.js'

/** Publishing between batches of a long backfill, so that analysts see it grow. */
const PUBLISH_EVERY_MS = 15 * 60_000

/** A job, and what it is to make complete this time. */
export interface RunSpec {
  readonly name: Exclude<Job['name'], 'keepalive'> | 'snapshot' | 'repair' | 'import'
  readonly tradingDate: Day
  readonly goals: readonly Goal[]
  /**
   * `beside`: after the market data, if the session may; `only`: nothing else is asked, and it is an error where it
   * may not.
   */
  readonly accounts: 'beside' | 'only' | 'none'
  /** Plans round after round instead of goals; the service is not opened where its first round asks nothing. */
  readonly repair?: Repair
  /** A user's file that is brought instead: the service is not opened. */
  readonly history?: History
  /** A rule that a person overrules with this run. */
  readonly accept?: Accept | undefined
  /** Said in the summary as they are. */
  readonly notes: readonly string[]
}

/**
 * One job from its first request to the swapped catalog: opens the warehouse (its lock is the run's), adopts
 * what killed runs landed, walks the stages of each goal, closes the run's row, publishes.
 *
 * @throws LockedError, StorageError before any request · UsageError, SettingsError · ServiceError after what
 * was closed has been committed; then nothing new is published
 */
export async function runJob(settings: Settings, job: RunSpec, io: RunIo): Promise<RunSummary> {
  const { home } = settings
  const { effects } = io
  const suffixes = suffixesOf(settings)
  const startedAt = effects.now()
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  const tally = createTally()
  const leftOut: LeftOut[] = []
  const notes: string[] = [...job.notes]
  const problems: string[] = []
  const next: string[] = []
  const missing: MissingWindow[] = []
  let lastPublished = startedAt
  const runId = newRunId(journalledRuns(home), effects)
  let failure: unknown
  let checks: Checks | null = null
  try {
    await installParsers(warehouse)
    await openRun(warehouse, runId, job.name, job.tradingDate, startedAt)
    failure = await ingestGoals()
      .then(async () => {
        checks = await judgeNow()
      })
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    for (const goal of job.goals) missing.push(...(await missingWindows(warehouse, goal)))
    const mended = await job.repair?.told(warehouse)
    missing.push(...(mended?.missing ?? []))
    leftOut.push(...(mended?.leftOut ?? []))
    notes.push(...(mended?.notes ?? []))
    problems.push(...(mended?.problems ?? []))
    const exitCode = outcomeOf(failure, { tally, missing, problems, checks })
    // An interrupted run keeps its row open: the next run adopts what it landed, then closes it.
    if (!(failure instanceof InterruptedError)) {
      const state = failure === undefined ? 'done' : 'failed'
      const counts = tally.total()
      await closeRun(warehouse, runId, { state, exitCode, counts, now: effects.now() })
    }
    if (failure === undefined) {
      io.progress.phase('publish')
      await publish(warehouse, home, { runId, retainDays: settings.retainDays }, effects)
      io.progress.done()
    }
    const { name, tradingDate } = job
    const finishedAt = effects.now()
    const facts = {
      job: name,
      runId,
      tradingDate,
      startedAt,
      finishedAt,
      exitCode,
      tally,
      missing,
      checks,
      leftOut,
      notes: [...notes, ...problems],
      next,
      failure,
    }
    const summary = summarise(facts)
    await writeLastRun(home, summary)
    await writeMetrics(warehouse, home, effects, summary)
    if (failure !== undefined) throw failure
    return summary
  } finally {
    warehouse.close()
  }

  async function ingestGoals(): Promise<void> {
    const calendar = loadCalendar()
    const onLoaded = async (loaded: Loaded): Promise<void> => {
      tally.loaded(loaded)
      await publishNow()
    }
    await adoptLanded(warehouse, home, calendar, runId, suffixes, onLoaded)
    if (job.history) {
      await bring(job.history)
      return
    }
    let round = (await job.repair?.next(warehouse, judgeNow)) ?? []
    if (job.repair && round.length === 0) return
    const { tradingDate } = job
    const pageSizes = await servedPageSizes(warehouse)
    const service = await openService(
      settings,
      { tradingDate, pageSizes, accounts: job.accounts !== 'none' },
      io,
    )
    const journal = await openJournal(home, runId)
    try {
      const fetching = {
        client: service.client,
        journal,
        home,
        run: runId,
        job: job.name,
        tradingDate,
        signal: io.signal,
        count: { pages: 0, walks: 0 },
      }
      const steps: StageSteps = {
        coverage: (of) => readCoverage(warehouse, of.from, of.to),
        ingest: (plan) =>
          ingestStage(
            plan,
            fetching,
            createLoader(warehouse, home, calendar, { verify: false, onLoaded }),
            tally,
            io.progress,
          ),
        leftOut: (left) => leftOut.push(...left),
      }
      if (job.accounts === 'only') await requireTrading(service, io.signal)
      for (const goal of job.goals) await runStages(goal, calendar, steps)
      while (job.repair && round.length > 0) {
        for (const plan of round) await steps.ingest(plan)
        round = await job.repair.next(warehouse, judgeNow)
      }
      if (job.accounts === 'none') {
        if (service.lostSession) notes.push(`${service.lostSession}: candlehouse login`)
        return
      }
      const take = async (): Promise<Loaded> => {
        const { progress } = io
        const closes = (symbols: readonly string[]) =>
          closesOf(symbols, tradingDate, warehouse, calendar, steps)
        const loaded = await takeSnapshot(tradingDate, {
          warehouse,
          fetching,
          suffixes,
          tally,
          progress,
          closes,
        })
        tally.loaded(loaded)
        missing.push(...loaded.missing.map((line) => ({ dataset: 'snapshot' as const, line })))
        return loaded
      }
      if (job.accounts === 'only') {
        await take()
        return
      }
      const outcome = await accountsBesideMarket(service, take, io.signal)
      notes.push(...outcome.notes)
      problems.push(...outcome.problems)
      next.push(...outcome.next)
    } finally {
      await journal.close()
      await service.close()
    }
  }

  async function bring(history: History): Promise<void> {
    const { name, tradingDate } = job
    const journal = await openJournal(home, runId)
    const onLoaded = async (loaded: Loaded): Promise<void> => tally.loaded(loaded)
    const bringing = { warehouse, journal, home, run: runId, job: name, tradingDate, tally, onLoaded }
    try {
      notes.push(...(await bringHistory(history, bringing, io)))
    } finally {
      await journal.close()
    }
  }

  async function judgeNow(): Promise<Checks> {
    const scope = await unjudgedScope(warehouse, home, [runId])
    const verdicts = await judgeRuns(warehouse, { home, runId, scope }, io)
    if (job.accept) await overruleIfBroken(warehouse, home, job.accept, io)
    return await checksOf(warehouse, verdicts)
  }

  async function publishNow(): Promise<void> {
    if (job.name !== 'backfill' || effects.now() - lastPublished < PUBLISH_EVERY_MS) return
    lastPublished = effects.now()
    await judgeNow()
    await publish(warehouse, home, { runId, retainDays: settings.retainDays }, effects)
  }
}
