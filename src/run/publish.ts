import { join } from 'node:path'
import { journalledRuns } from '../land/journal.js'
import { loadCalendar } from '../market/calendar.js'
import { publish } from '../publish/index.js'
import type { Settings } from '../settings/index.js'
import { openWarehouse } from '../warehouse/open.js'
import { closeRun, openRun } from '../warehouse/runs.js'
import { newRunId } from './identity.js'
import type { RunIo } from './io.js'
import { summarise } from './summarise.js'
import type { RunSummary } from './summary.js'
import { createTally } from './tally.js'

/** Publishes what has changed since the last publication; writes nothing when nothing has. */
export async function runPublish(settings: Settings, io: RunIo): Promise<RunSummary> {
  const { home } = settings
  const { effects } = io
  const startedAt = effects.now()
  const tradingDate = loadCalendar().latestClosedSession(startedAt)
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  const runId = newRunId(journalledRuns(home), effects)
  const tally = createTally()
  try {
    await openRun(warehouse, runId, 'publish', tradingDate, startedAt)
    await closeRun(warehouse, runId, {
      state: 'done',
      exitCode: 0,
      counts: tally.total(),
      now: effects.now(),
    })
    io.progress.phase('publish')
    const publication = await publish(warehouse, home, { runId }, effects)
    io.progress.done()
    const notes = [
      publication.partitions > 0
        ? `publication ${publication.id}: ${publication.partitions} partitions, ${publication.rows} rows`
        : 'nothing has changed since the last publication',
    ]
    const finishedAt = effects.now()
    const facts = {
      job: 'publish',
      runId,
      tradingDate,
      startedAt,
      finishedAt,
      exitCode: 0,
      tally,
      notes,
      failure: undefined,
    }
    return summarise({ ...facts, missing: [], leftOut: [] })
  } finally {
    warehouse.close()
  }
}
