import { type Swept, sweepLake } from '../../publish/index.js'
import type { Settings } from '../../settings/index.js'
import { publishToBucket } from '../lifecycle/bucket.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { withRun } from '../lifecycle/with-run.js'

export interface SweptLake extends Swept {
  /** What was done in the bucket of the settings, or why nothing could be done there; empty without a bucket. */
  readonly notes: readonly string[]
  readonly exitCode: number
}

/**
 * Removes what the lake no longer needs: replaced files and log entries older than the days to retain, and what
 * killed writers left. Then the same in the bucket of the settings, if there is one.
 *
 * @throws LockedError while a run has the warehouse locked
 */
export async function runSweep(settings: Settings, io: RunIo): Promise<SweptLake> {
  const { value } = await withRun(settings, { job: 'sweep', kind: 'inquiry' }, io, {
    async work({ warehouse, home, report }) {
      const swept = await sweepLake(warehouse, home, settings.retainDays, io.effects)
      await publishToBucket(settings, report, io)
      return { ...swept, notes: report.notes, exitCode: report.exitCode ?? 0 }
    },
  })
  return value
}
