import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { loadCalendar } from '../../market/calendar.js'
import { publish } from '../../publish/index.js'
import type { Settings } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open.js'
import { latestRun } from '../../warehouse/runs.js'
import { type Accept, judgeRuns, overrule, standingChecks, unjudgedScope } from '../checks/rules.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { createTally } from '../lifecycle/tally.js'
import { writeMetrics } from '../report/metrics.js'
import { summarise } from '../report/summarise.js'
import type { Checks, RunSummary } from '../report/summary.js'

/** What killed and failed runs brought is judged before it is published; then a person may overrule what stands. */
async function judgeLeft(
  warehouse: Database,
  home: string,
  runId: string,
  accept: Accept | undefined,
  io: RunIo,
): Promise<Checks> {
  const scope = await unjudgedScope(warehouse, home, [])
  if (scope.runs.length > 0) await judgeRuns(warehouse, { home, runId, scope }, io)
  if (accept) await overrule(warehouse, home, accept, io)
  return await standingChecks(warehouse)
}

/**
 * Publishes what has changed since the last publication, for the latest run; writes nothing when nothing has.
 *
 * @param accept a rule whose standing breaks a person overrules: their sessions are published as they are
 * @throws UsageError where no break of it stands · LockedError while a run holds the warehouse · StorageError when the disk refuses
 */
export async function runPublish(
  settings: Settings,
  accept: Accept | undefined,
  io: RunIo,
): Promise<RunSummary> {
  const { home } = settings
  const startedAt = io.effects.now()
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  try {
    const run = await latestRun(warehouse)
    const runId = run?.run_id ?? 'none'
    const checks = await judgeLeft(warehouse, home, runId, accept, io)
    io.progress.phase('publish')
    const publication = await publish(warehouse, home, { runId, retainDays: settings.retainDays }, io.effects)
    io.progress.done()
    const { id, partitions, rows } = publication
    const note =
      partitions > 0
        ? `publication ${id}: ${partitions} files, ${rows} rows`
        : `nothing has changed since publication ${id}`
    await writeMetrics(warehouse, home, io.effects)
    return summarise({
      job: 'publish',
      runId,
      tradingDate: run?.trading_date ?? loadCalendar().latestClosedSession(startedAt),
      startedAt,
      finishedAt: io.effects.now(),
      exitCode: checks.withheld.length > 0 ? 4 : 0,
      tally: createTally(),
      missing: [],
      checks,
      leftOut: [],
      notes: [note],
      next: [],
      failure: undefined,
    })
  } finally {
    warehouse.close()
  }
}
