import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import { readRules } from './rule.js'
import { strictRules } from './strict.js'

/** Sessions that a rule must pass in a row before it can be listed for an account. */
const LONG_ENOUGH = 20

/** A rule marked `learning` that has passed often enough to be listed as strict for an account. */
export interface TrustedRule {
  readonly rule: number
  readonly title: string
  readonly account: string
  /** Sessions passed in a row. */
  readonly sessions: number
}

/** Rules marked `learning` that have passed long enough for an account and are not listed for it yet. */
export async function trustedRules(database: Database): Promise<TrustedRule[]> {
  const learning = readRules().filter((rule) => rule.learning)
  const strict = strictRules()
  const rows = await database.rows<Omit<TrustedRule, 'sessions'> & { sessions: bigint }>(
    sqlFile('recon/passed_in_a_row.sql'),
    [JSON.stringify(learning.map(({ number }) => number)), LONG_ENOUGH],
  )
  return rows
    .filter(({ rule, account }) => !strict.has(`${rule} ${account}`))
    .map((row) => ({ ...row, sessions: Number(row.sessions) }))
}
