import { join } from 'node:path'
import { InterruptedError, StorageError, WrongClockError } from 'candlehouse-foundation/errors'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { withoutSystemFault } from 'candlehouse-foundation/system-fault'
import type { OverrideRequest } from '../../audit/index.js'
import type { Database } from '../../duckdb/open.js'
import { installParsers } from '../../duckdb/parse.js'
import type { Effects } from '../../effects.js'
import { removeLeftovers } from '../../home/home.js'
import { journalledRuns } from '../../land/journal.js'
import { writeConclusion } from '../../night/conclusion-file.js'
import { writeLastRun } from '../../night/last-run.js'
import { ProgressFile } from '../../night/progress.js'
import type { RunSummary } from '../../night/summary.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import type { Settings } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open-warehouse.js'
import { closeRun, latestRun, openRun, removeRun } from '../../warehouse/runs.js'
import type { Asked } from '../conclusion/conclude-run.js'
import { refreshMetrics, writeMetrics } from '../conclusion/metrics.js'
import { exitCodeOf, summarise } from '../conclusion/summarise.js'
import { sessionsOf } from '../session/view.js'
import { resumeRuns } from './resume.js'
import { Run, type RunIdentity } from './run.js'
import { newRunId } from './run-id.js'
import type { RunIo } from './run-io.js'

/** What `withRun` does before and after the body of a run. */
interface RunKind {
  /** Whether it has an id of its own; else it works on data of the latest run, under the id of that run. */
  readonly ownId: boolean
  /**
   * Whether it has a row in ops.run: then it first loads pages of killed runs. `published`: and checks and publishes at its end what it
   * loaded, and what earlier runs left to it.
   */
  readonly recorded: 'published' | 'left' | 'none'
  /** Whether it writes `logs/last-run.json`. */
  readonly lastRun: boolean
  /** How it writes `metrics.prom`: with its own connection, or with a new one after it has replaced the warehouse. */
  readonly metrics: 'open' | 'reopened' | 'none'
  /** Whether `RunIo.onEnd` gets its summary. */
  readonly reported: boolean
}

const KINDS = {
  /** Loads data: nightly, backfill, snapshot, repair, import. */
  job: { ownId: true, recorded: 'published', lastRun: true, metrics: 'open', reported: true },
  /** Loads data as well, and leaves it to the next job. */
  part: { ownId: true, recorded: 'left', lastRun: true, metrics: 'none', reported: true },
  /** Replaces the warehouse: replay. */
  rebuild: { ownId: true, recorded: 'none', lastRun: true, metrics: 'reopened', reported: true },
  /** Works on loaded data and reports a summary: check, publish. */
  upkeep: { ownId: false, recorded: 'none', lastRun: false, metrics: 'open', reported: true },
  /** Returns a value and reports no summary: reconcile, sweep. */
  inquiry: { ownId: false, recorded: 'none', lastRun: false, metrics: 'none', reported: false },
} as const satisfies Record<string, RunKind>

/** An open warehouse; its lock is the run's. */
export interface OpenedWarehouse {
  readonly database: Database
  /** Called after the body has succeeded: replaces the old warehouse by one that was written next to it. */
  finish(): Promise<void>
  /** Also where `finish` has closed it. */
  close(): void
}

export interface RunFrame extends Asked {
  readonly job: string
  readonly kind: keyof typeof KINDS
  /** @default that of the latest run, or else the latest closed session */
  readonly tradingDate?: Day | undefined
  readonly override?: OverrideRequest | undefined
  /** @default the warehouse of the home */
  open?(): Promise<OpenedWarehouse>
}

export interface RunBody<T> {
  work(run: Run): Promise<T>
  /** Adds missing windows and open findings to the report. Called after the rules, even if `work` failed. */
  review?(run: Run): Promise<void>
}

/**
 * One run from the lock to the summary: opens the warehouse, runs the body, closes the run's row, publishes, writes
 * `last-run.json` and `metrics.prom`, as far as its kind has them.
 *
 * @throws LockedError, StorageError before the body · what the body throws, after what it loaded has been committed and
 * reported; then nothing new is published
 */
export async function withRun<T>(
  settings: Settings,
  frame: RunFrame,
  io: RunIo,
  body: RunBody<T>,
): Promise<{ readonly value: T; readonly summary: RunSummary }> {
  const startedAt = io.effects.now()
  const kind: RunKind = KINDS[frame.kind]
  const warehouse = frame.open ? await frame.open() : await openHome(settings.home, io.effects)
  let progress: ProgressFile | undefined
  let run: Run | undefined
  let summary: RunSummary | undefined
  try {
    removeLeftovers(settings.home, startedAt)
    const identity = await identify(frame, settings.home, warehouse.database, startedAt, io)
    if (kind.lastRun) progress = new ProgressFile(settings.home, identity, io.progress, io.effects)
    run = new Run(identity, settings, warehouse.database, frame.override, {
      ...io,
      progress: progress ?? io.progress,
    })
    const ending =
      kind.recorded === 'none' ? { value: await body.work(run) } : await recordedRun(run, kind, body)
    const failure = 'failure' in ending ? ending.failure : undefined
    const concluded = await summarise(run, frame, failure)
    await warehouse.finish()
    summary = concluded
    await writeReports(run, kind, summary, warehouse)
    if ('failure' in ending) throw failure
    return { value: ending.value, summary }
  } catch (error) {
    // A failure before or after the body ends the run too, such as a publication that the disk refuses.
    if (run && !summary && kind.reported) {
      summary = await summarise(run, frame, withoutSystemFault(error))
      await writeReports(run, kind, summary, warehouse)
    }
    throw error
  } finally {
    progress?.close()
    warehouse.close()
    if (kind.reported && summary) io.onEnd?.(summary)
  }
}

async function openHome(home: string, effects: Effects): Promise<OpenedWarehouse> {
  const database = await openWarehouse(join(home, 'warehouse.duckdb'), effects)
  return { database, finish: async () => {}, close: () => database.close() }
}

async function identify(
  { job, kind, tradingDate }: RunFrame,
  home: string,
  warehouse: Database,
  startedAt: number,
  { effects }: RunIo,
): Promise<RunIdentity> {
  const latest = KINDS[kind].ownId ? undefined : await latestRun(warehouse)
  const id = KINDS[kind].ownId ? newRunId(journalledRuns(home), effects) : (latest?.run_id ?? 'none')
  const closed = (): Day => loadCalendar(readCalendarDays(home)).latestClosedSession(startedAt)
  return { job, id, tradingDate: tradingDate ?? latest?.trading_date ?? closed(), startedAt }
}

type Ending<T> = { readonly value: T } | { readonly failure: unknown }

/** A run with a row in ops.run: opened before the body, closed after it, then published unless the body failed or it is a part. */
async function recordedRun<T>(run: Run, { recorded }: RunKind, body: RunBody<T>): Promise<Ending<T>> {
  const { warehouse, identity, io } = run
  const publishes = recorded === 'published'
  await installParsers(warehouse)
  await openRun(warehouse, identity.id, identity.job, identity.tradingDate, identity.startedAt)
  const ending = await loadAndCheck(run, body, publishes).then(
    (value): Ending<T> => ({ value }),
    (failure: unknown): Ending<T> => ({ failure: withoutSystemFault(failure) }),
  )
  await body.review?.(run)
  if ('failure' in ending) {
    if (ending.failure instanceof WrongClockError) await forget(run, ending.failure)
    // An interrupted run keeps its row open: the next run resumes what it landed, then closes it.
    else if (!(ending.failure instanceof InterruptedError)) await closeRow(run, 'failed', ending.failure)
    return ending
  }
  await closeRow(run, 'done', undefined)
  if (!publishes) return ending
  io.progress.phase('publish')
  await run.publish()
  io.progress.done()
  return ending
}

/**
 * Removes the row of a run whose clock was wrong: it would be the newest of the home once the clock is right again. What is
 * reported of the run is reported of the session that the service's clock names.
 */
async function forget(run: Run, { serviceTime }: WrongClockError): Promise<void> {
  await removeRun(run.warehouse, run.identity.id)
  run.tradingDate = run.planningCalendar.latestClosedSession(serviceTime)
}

async function loadAndCheck<T>(run: Run, body: RunBody<T>, checks: boolean): Promise<T> {
  await resumeRuns(run)
  const value = await body.work(run).catch(async (error: unknown) => {
    // A run that failed is closed, so nobody resumes it: what it loaded is weighed now, as a replay will.
    if (!(error instanceof InterruptedError || error instanceof StorageError)) await run.weighEvidence()
    throw error
  })
  await run.weighEvidence()
  if (!checks) return value
  run.checks = await run.checkLoaded()
  await run.reportSilentRules()
  return value
}

async function closeRow(run: Run, state: 'done' | 'failed', failure: unknown): Promise<void> {
  const { warehouse, identity, tally, finishedAt: now } = run
  const exitCode = exitCodeOf(run, failure)
  await closeRun(warehouse, identity.id, { state, exitCode, counts: tally.total(), now })
}

async function writeReports(
  run: Run,
  kind: RunKind,
  summary: RunSummary,
  opened: OpenedWarehouse,
): Promise<void> {
  const { home, warehouse, settings } = run
  const { effects } = run.io
  // A command line that asks for something impossible says nothing of the night.
  if (kind.reported && summary.exitCode !== 2) await writeConclusion(home, summary.conclusion, effects)
  if (kind.lastRun) await writeLastRun(home, summary, effects)
  // The ledger does not have a run that was interrupted or that replaced the warehouse.
  const ending = {
    summary: kind.lastRun ? summary : undefined,
    conclusion: summary.conclusion,
    sessions: sessionsOf(settings),
  }
  if (kind.metrics === 'open') await writeMetrics(warehouse, home, effects, ending)
  if (kind.metrics !== 'reopened') return
  // A run that failed has not replaced the warehouse: the old one is still open.
  opened.close()
  await refreshMetrics(home, effects, ending)
}
