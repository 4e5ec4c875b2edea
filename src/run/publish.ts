import { join } from 'node:path'
import { loadCalendar } from '../market/calendar.js'
import { publish } from '../publish/index.js'
import type { Settings } from '../settings/index.js'
import { openWarehouse } from '../warehouse/open.js'
import { latestRun } from '../warehouse/runs.js'
import type { RunIo } from './io.js'
import { summarise } from './summarise.js'
import type { RunSummary } from './summary.js'
import { createTally } from './tally.js'

/**
 * Publishes what has changed since the last publication, for the latest run; writes nothing when nothing has.
 *
 * @throws LockedError while a run holds the warehouse · StorageError when the disk refuses
 */
export async function runPublish(settings: Settings, io: RunIo): Promise<RunSummary> {
  const { home } = settings
  const startedAt = io.effects.now()
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  try {
    const run = await latestRun(warehouse)
    io.progress.phase('publish')
    const publication = await publish(
      warehouse,
      home,
      { runId: run?.run_id ?? 'none', retainDays: settings.retainDays },
      io.effects,
    )
    io.progress.done()
    const { id, partitions, rows } = publication
    const note =
      partitions > 0
        ? `publication ${id}: ${partitions} files, ${rows} rows`
        : `nothing has changed since publication ${id}`
    return summarise({
      job: 'publish',
      runId: run?.run_id ?? 'none',
      tradingDate: run?.trading_date ?? loadCalendar().latestClosedSession(startedAt),
      startedAt,
      finishedAt: io.effects.now(),
      exitCode: 0,
      tally: createTally(),
      missing: [],
      leftOut: [],
      notes: [note],
      next: [],
      failure: undefined,
    })
  } finally {
    warehouse.close()
  }
}
