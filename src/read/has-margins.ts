import { sqlFile } from '../duckdb/sqlfile.js'
import type { Ask } from './query.js'

/** Whether the margins of accounts can be asked for: of no account, and in a catalog of an earlier version, they cannot. */
export async function hasMargins(ask: Ask): Promise<boolean> {
  const [row] = await ask<{ has_margins: boolean }>(sqlFile('read/has_margins.sql'))
  return row?.has_margins ?? false
}
