import { type Swept, sweep } from '../../publish/index.js'
import type { Settings } from '../../settings/index.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { withRun } from '../lifecycle/with-run.js'

/**
 * Removes what the lake no longer needs: replaced files and log entries older than the days to retain, and what
 * killed writers left.
 *
 * @throws LockedError while a run has the warehouse locked
 */
export async function runSweep(settings: Settings, io: RunIo): Promise<Swept> {
  const { value } = await withRun(settings, { job: 'sweep', kind: 'inquiry' }, io, {
    work: ({ warehouse, home }) => sweep(warehouse, home, settings.retainDays, io.effects),
  })
  return value
}
