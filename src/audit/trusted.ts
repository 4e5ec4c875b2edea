import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import { readRules } from './rule.js'
import { strictRules } from './strict.js'

/** Sessions that a rule has to hold in a row before it can be trusted for an account. */
const LONG_ENOUGH = 20

/** A rule that rests on meanings the specification does not give, and has held for an account long enough to be trusted. */
export interface TrustedRule {
  readonly rule: number
  readonly title: string
  readonly account: string
  /** Sessions it has held in a row. */
  readonly sessions: number
}

/** Rules marked `learning` that have held long enough for an account and are not listed for it yet. */
export async function trustedRules(database: Database): Promise<TrustedRule[]> {
  const learning = readRules().filter((rule) => rule.learning)
  const listed = strictRules()
  const rows = await database.rows<Omit<TrustedRule, 'sessions'> & { sessions: bigint }>(
    sqlFile('recon/held_in_a_row.sql'),
    [JSON.stringify(learning.map(({ number }) => number)), LONG_ENOUGH],
  )
  return rows
    .filter(({ rule, account }) => !listed.has(`${rule} ${account}`))
    .map((row) => ({ ...row, sessions: Number(row.sessions) }))
}
