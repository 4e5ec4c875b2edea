import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { querySql } from './query.js'

/** Trading date of the latest nightly that has ended; undefined before the first. */
export async function lastNightly(home: string): Promise<string | undefined> {
  if (!existsSync(join(home, 'catalog.duckdb'))) return undefined
  const { rows } = await querySql(
    home,
    `SELECT max(trading_date)::VARCHAR FROM ops.run WHERE job = 'nightly' AND state = 'done'`,
  )
  return (rows[0]?.[0] as string | null | undefined) ?? undefined
}
