import { sqlFile } from '../duckdb/sqlfile.js'
import type { Day } from '../market/day.js'

/** A session of a relation that readers see as it was before. */
export interface WithheldSession {
  readonly relation: string
  readonly tradingDate: Day
}

/** A withheld session, and the rule of severity `error` that withholds it. */
export interface Withheld extends WithheldSession {
  readonly rule: number
  readonly title: string
  readonly offenders: number
  /** ISO 8601. */
  readonly since: string
}

/**
 * Withheld sessions: open findings of severity `error` that nobody has overridden, one per relation.
 *
 * @param rowsOf asks the warehouse or a catalog
 */
export async function withheldSessions(
  rowsOf: (sql: string) => Promise<Record<keyof Withheld, unknown>[]>,
): Promise<Withheld[]> {
  const rows = await rowsOf(
    `SELECT relation, CAST(trading_date AS VARCHAR) AS "tradingDate", rule, title, offenders,
       strftime(since, '%Y-%m-%dT%H:%M:%SZ') AS since
     FROM (${sqlFile('recon/withheld.sql')}) ORDER BY trading_date, rule, relation`,
  )
  return rows.map((row) => ({
    relation: String(row.relation),
    tradingDate: String(row.tradingDate),
    rule: Number(row.rule),
    title: String(row.title),
    offenders: Number(row.offenders),
    since: String(row.since),
  }))
}
