import type { Day } from 'candlehouse-foundation/market/day'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'

/** Rows of a session of a relation that readers see as they were before. */
export interface WithheldRows {
  readonly relation: string
  readonly tradingDate: Day
  /** Symbols, or codes of indexes, whose rows of the session are withheld; null: the whole session. */
  readonly keys: readonly string[] | null
}

/** Withheld rows, and the rule of severity `error` that withholds them. */
export interface Withheld extends WithheldRows {
  readonly rule: number
  readonly title: string
  readonly offenders: number
  /** ISO 8601. */
  readonly since: string
}

/** Keys shown in a line; the others are counted. */
const SHOWN_KEYS = 5

/** Withheld rows in a few words: `market.daily_summary 2025-03-14: CVRE2505`; `whole session` where no keys are named. */
export function withheldWords({ relation, tradingDate, keys }: WithheldRows): string {
  return `${relation} ${tradingDate}: ${keysWords(keys)}`
}

/** The keys of withheld rows: `CVRE2505, FPT`, or `whole session`. */
export function keysWords(keys: WithheldRows['keys']): string {
  if (keys === null) return 'whole session'
  const more = keys.length - SHOWN_KEYS
  return `${keys.slice(0, SHOWN_KEYS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * Withheld rows: open findings of severity `error` that nobody has overridden, one entry per finding and relation.
 *
 * @param rowsOf asks the warehouse or a catalog
 */
export async function withheldSessions(
  rowsOf: (sql: string) => Promise<Record<keyof Withheld, unknown>[]>,
): Promise<Withheld[]> {
  const rows = await rowsOf(
    sqlTemplate('lake/withheld_rows.sql', { withheld: sqlFile('recon/withheld.sql') }),
  )
  return rows.map((row) => ({
    relation: String(row.relation),
    tradingDate: String(row.tradingDate),
    rule: Number(row.rule),
    title: String(row.title),
    offenders: Number(row.offenders),
    keys: row.keys === null ? null : (JSON.parse(String(row.keys)) as string[]),
    since: String(row.since),
  }))
}
