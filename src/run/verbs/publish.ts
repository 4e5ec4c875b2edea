import { StorageError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import type { OverrideRequest } from '../../audit/index.js'
import { isPublished } from '../../lake/manifest.js'
import type { RunSummary } from '../../night/summary.js'
import { repairNotes } from '../../publish/index.js'
import type { Settings } from '../../settings/index.js'
import { openChecks } from '../checks/findings.js'
import { overrideOpenFindings } from '../checks/override-findings.js'
import { uncheckedScope } from '../checks/run-rules.js'
import type { Run } from '../lifecycle/run.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { withRun } from '../lifecycle/with-run.js'

/**
 * Publishes what has changed since the last publication, for the latest run; writes nothing when nothing has changed. What
 * killed and failed runs loaded is checked first.
 *
 * @param override a rule whose open findings the user overrides: their sessions are published as they are
 * @param deep whether every file of the lake is compared with its SHA-256 first, and damaged ones are written again
 * @throws UsageError where it has no open finding · LockedError while a run has the warehouse locked · StorageError when
 * the disk refuses
 */
export async function runPublish(
  settings: Settings,
  override: OverrideRequest | undefined,
  io: RunIo,
  deep = false,
): Promise<RunSummary> {
  const frame = { job: 'publish', kind: 'upkeep' } as const
  const { summary } = await withRun(settings, frame, io, {
    async work(run) {
      await requireLoaded(run)
      await checkUnchecked(run, override)
      await publishChanges(run, deep)
    },
  })
  return summary
}

/**
 * A new warehouse that has nothing yet, or of which a run was killed while it loaded the journals, has nothing that could take
 * the place of what is published.
 */
async function requireLoaded({ warehouse, home }: Run): Promise<void> {
  if (!isPublished(home)) return
  const [ledger] = await warehouse.rows<{ isNew: boolean; isWhole: boolean }>(
    `SELECT NOT EXISTS (FROM ops.publication) AS "isNew",
       EXISTS (FROM ops.request) AND NOT EXISTS (FROM ops.run WHERE state = 'running') AS "isWhole"`,
  )
  if (!ledger?.isNew || ledger.isWhole) return
  throw new StorageError(
    `${warehouse.file} is new and not whole, and a lake is published: it stays as it is`,
    { hint: 'candlehouse replay    # rebuilds the warehouse from raw/' },
  )
}

async function checkUnchecked(run: Run, override: OverrideRequest | undefined): Promise<void> {
  const { warehouse, home, io } = run
  const scope = await uncheckedScope(warehouse, home, [])
  if (scope.runs.length > 0) await run.runRules(scope)
  if (override) await overrideOpenFindings(warehouse, home, override, io)
  const checks = await openChecks(warehouse)
  run.checks = checks
  run.report.exitCode = checks.withheld.length > 0 ? 4 : 0
}

async function publishChanges(run: Run, deep: boolean): Promise<void> {
  const { progress } = run.io
  progress.phase('publish')
  const { id, partitions, rows, repaired } = await run.publish(deep)
  progress.done()
  run.report.notes.push(
    partitions > 0
      ? `publication ${id}: ${counted(partitions, 'file')}, ${counted(rows, 'row')}`
      : `nothing ${repairNotes(repaired).length > 0 ? 'else ' : ''}has changed since publication ${id}`,
  )
}
