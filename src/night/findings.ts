import type { Day } from 'candlehouse-foundation/market/day'
import { sqlTemplate } from '../duckdb/sqlfile.js'

/** A result of a rule, with the worst of the rows for which it does not hold. */
export interface Finding {
  readonly rule: number
  readonly title: string
  readonly severity: 'error' | 'warn'
  /** `market`, or an account. */
  readonly subject: string
  readonly tradingDate: Day
  readonly state: 'pass' | 'soft' | 'break' | 'not_evaluable'
  readonly offenders: number
  /** Rows that were compared. */
  readonly checked: number
  /** Relation and key (JSON) of the worst offender: what `candlehouse trace` takes. */
  readonly relation: string | null
  readonly key: string | null
  readonly expected: string | null
  readonly actual: string | null
  readonly residual: string | null
  readonly note: string | null
  /** Why the user overrode it; null where nobody did. */
  readonly accepted: string | null
}

/**
 * Findings of the warehouse or of a catalog.
 *
 * @param rowsOf asks the warehouse or a catalog
 * @param finding a statement that returns rows of `recon.finding`
 * @param order columns
 */
export async function findingsOf(
  rowsOf: (sql: string) => Promise<Finding[]>,
  finding: string,
  order: string,
): Promise<Finding[]> {
  const rows = await rowsOf(sqlTemplate('night/findings.sql', { finding, order }))
  return rows.map((row) => ({ ...row, offenders: Number(row.offenders), checked: Number(row.checked) }))
}
