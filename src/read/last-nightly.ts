import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { querySql } from './query.js'

/** Trading date of the nightly that has ended last; undefined before the first. Ids of runs sort by start, whatever the clock said. */
export async function lastNightly(home: string): Promise<string | undefined> {
  if (!existsSync(join(home, 'catalog.duckdb'))) return undefined
  const { rows } = await querySql(
    home,
    `SELECT arg_max(trading_date, run_id)::VARCHAR FROM ops.run WHERE job = 'nightly' AND state = 'done'`,
  )
  return (rows[0]?.[0] as string | null | undefined) ?? undefined
}
