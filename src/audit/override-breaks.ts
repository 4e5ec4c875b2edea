import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { markMonths } from '../warehouse/dirty.js'
import { appendOverrides, type Override, readOverrides } from './override-file.js'
import { storeOverrides } from './record-results.js'

/** A person's decision to publish despite the breaks of a rule. */
export interface OverrideRequest {
  readonly rule: number
  readonly because: string
}

/**
 * Overrides the open findings of a rule, for their current offenders. The override is written to `raw/` first, so that a replay
 * has it.
 *
 * @returns the overrides; empty if the rule has no open finding
 * @throws StorageError when the disk refuses
 */
export async function overrideBreaks(
  database: Database,
  home: string,
  { rule, because }: OverrideRequest,
  effects: Effects,
): Promise<Override[]> {
  await database.run(sqlFile('recon/offenders_seen.sql'))
  const breaks = await database.rows<Pick<Override, 'subject' | 'trading_date' | 'offenders'>>(
    sqlFile('recon/open_break.sql'),
    [rule],
  )
  const accepted_at = new Date(effects.now()).toISOString()
  const overrides = breaks.map((finding) => ({ ...finding, rule, because, accepted_at }))
  if (overrides.length === 0) return []
  await appendOverrides(home, overrides, effects)
  await database.transaction(async () => {
    await storeOverrides(database, readOverrides(home))
    await database.run(sqlFile('recon/new_override.sql'), [JSON.stringify(overrides)])
    await database.run(sqlFile('recon/override.sql'))
    await markMonths(database, 'recon.finding', 'new_override')
  })
  return overrides
}
