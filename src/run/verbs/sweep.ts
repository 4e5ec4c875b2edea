import { join } from 'node:path'
import { type Swept, sweep } from '../../publish/index.js'
import type { Settings } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open.js'
import type { RunIo } from '../lifecycle/run-io.js'

/**
 * Removes what the lake no longer needs: replaced files and log entries older than the days to retain, and what
 * killed writers left.
 *
 * @throws LockedError while a run holds the warehouse
 */
export async function runSweep(settings: Settings, io: RunIo): Promise<Swept> {
  const warehouse = await openWarehouse(join(settings.home, 'warehouse.duckdb'))
  try {
    return await sweep(warehouse, settings.home, settings.retainDays, io.effects)
  } finally {
    warehouse.close()
  }
}
