import { join } from 'node:path'
import { type AuditScope, scopeOfRuns } from '../../audit/index.js'
import { loadCalendar } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import type { Settings } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open.js'
import { latestRun } from '../../warehouse/runs.js'
import { type Accept, checksOf, judgeRuns, overrule } from '../checks/rules.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { createTally } from '../lifecycle/tally.js'
import { writeMetrics } from '../report/metrics.js'
import { isBroken, summarise } from '../report/summarise.js'
import type { RunSummary } from '../report/summary.js'

/**
 * Judges one day, or what the latest run brought, by every rule. Publishes nothing: the verdicts are published with the
 * next publication.
 *
 * @throws LockedError while a run holds the warehouse · UsageError where there is nothing to accept
 */
export async function runCheck(
  settings: Settings,
  wish: { date: Day | undefined; accept: Accept | undefined },
  io: RunIo,
): Promise<RunSummary> {
  const { home } = settings
  const startedAt = io.effects.now()
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  try {
    const run = await latestRun(warehouse)
    const runId = run?.run_id ?? 'none'
    const scope = wish.date ? dayScope(wish.date) : scopeOfRuns(home, [runId])
    const verdicts = await judgeRuns(warehouse, { home, runId, scope }, io)
    if (wish.accept) await overrule(warehouse, home, wish.accept, io)
    const checks = await checksOf(warehouse, verdicts)
    await writeMetrics(warehouse, home, io.effects)
    return summarise({
      job: 'check',
      runId,
      tradingDate: wish.date ?? run?.trading_date ?? loadCalendar().latestClosedSession(startedAt),
      startedAt,
      finishedAt: io.effects.now(),
      exitCode: isBroken(checks) ? 4 : 0,
      tally: createTally(),
      missing: [],
      checks,
      leftOut: [],
      notes: [
        verdicts.length === 0
          ? 'there was nothing to judge'
          : 'verdicts reach the catalog with: candlehouse publish',
      ],
      next: [],
      failure: undefined,
    })
  } finally {
    warehouse.close()
  }
}

function dayScope(date: Day): AuditScope {
  return { runs: [], days: [date], snapshots: [date] }
}
