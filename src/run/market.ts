import { join } from 'node:path'
import { InterruptedError } from '../errors.js'
import { journalledRuns, openJournal } from '../land/journal.js'
import { type Loaded, prepareLoading } from '../load/batch.js'
import { createLoader } from '../load/loader.js'
import { loadCalendar } from '../market/calendar.js'
import type { Day } from '../market/day.js'
import type { Goal } from '../plan/goal.js'
import type { LeftOut } from '../plan/request.js'
import { publish } from '../publish/index.js'
import type { Settings } from '../settings/index.js'
import { readHeld, servedPageSizes } from '../warehouse/held.js'
import { type MissingWindow, missingWindows } from '../warehouse/missing.js'
import { openWarehouse } from '../warehouse/open.js'
import { closeRun, openRun } from '../warehouse/runs.js'
import { adoptLanded } from './adopt.js'
import { newRunId } from './identity.js'
import { ingestStage } from './ingest.js'
import type { RunIo } from './io.js'
import type { Job } from './job.js'
import { writeLastRun } from './lastrun.js'
import { openService } from './service.js'
import { runStages } from './stages.js'
import { outcomeOf, summarise } from './summarise.js'
import type { RunSummary } from './summary.js'
import { createTally } from './tally.js'

/** Publishing between batches of a long backfill, so that analysts see it grow. */
const PUBLISH_EVERY_MS = 15 * 60_000

/** A job, and what it is to make complete this time. */
export interface Errand {
  readonly name: Job['name']
  readonly tradingDate: Day
  readonly goals: readonly Goal[]
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
export async function runMarket(settings: Settings, job: Errand, io: RunIo): Promise<RunSummary> {
  const { home } = settings
  const { effects } = io
  const startedAt = effects.now()
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  const tally = createTally()
  const leftOut: LeftOut[] = []
  const notes: string[] = [...job.notes]
  const problems: string[] = []
  let lastPublished = startedAt
  const runId = newRunId(journalledRuns(home), effects)
  let failure: unknown
  try {
    await prepareLoading(warehouse)
    await openRun(warehouse, runId, job.name, job.tradingDate, startedAt)
    failure = await ingestGoals().then(
      () => undefined,
      (error: unknown) => error,
    )
    const missing: MissingWindow[] = []
    for (const goal of job.goals) missing.push(...(await missingWindows(warehouse, goal)))
    const exitCode = outcomeOf(failure, tally, missing, problems)
    // An interrupted run keeps its row open: the next run adopts what it landed, then closes it.
    if (!(failure instanceof InterruptedError)) {
      const state = failure === undefined ? 'done' : 'failed'
      const counts = tally.total()
      await closeRun(warehouse, runId, { state, exitCode, counts, now: effects.now() })
    }
    if (failure === undefined) {
      io.progress.phase('publish')
      await publish(warehouse, home, { runId }, effects)
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
      leftOut,
      notes: [...notes, ...problems],
      failure,
    }
    const summary = summarise(facts)
    await writeLastRun(home, summary)
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
    await adoptLanded(warehouse, home, calendar, runId, onLoaded)
    const service = await openService(settings, job.tradingDate, await servedPageSizes(warehouse), io)
    const journal = await openJournal(home, runId)
    try {
      const fetching = {
        client: service.client,
        journal,
        home,
        run: runId,
        job: job.name,
        tradingDate: job.tradingDate,
        signal: io.signal,
        count: { pages: 0, walks: 0 },
      }
      for (const goal of job.goals) {
        await runStages(goal, calendar, {
          held: (of) => readHeld(warehouse, of.from, of.to),
          ingest: (plan) =>
            ingestStage(
              plan,
              fetching,
              createLoader(warehouse, home, calendar, { verify: false, onLoaded }),
              tally,
              io.progress,
            ),
          leftOut: (left) => leftOut.push(...left),
        })
      }
      const { otpProblem } = service.client.session
      if (otpProblem) problems.push(`accounts were skipped: ${otpProblem}`)
    } finally {
      await journal.close()
      await service.close()
    }
  }

  async function publishNow(): Promise<void> {
    if (job.name !== 'backfill' || effects.now() - lastPublished < PUBLISH_EVERY_MS) return
    lastPublished = effects.now()
    await publish(warehouse, home, { runId }, effects)
  }
}
