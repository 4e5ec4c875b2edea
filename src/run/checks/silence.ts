import type { Day } from 'candlehouse-foundation/market/day'
import { silenceOf } from '../../audit/index.js'
import type { Database } from '../../duckdb/open.js'
import { sqlFile } from '../../duckdb/sqlfile.js'

/** Sessions per rule that are named; the others are counted. */
const NAMED_DAYS = 3

/** A rule that could not be evaluated, with what its silence means. */
export interface SilentRule {
  readonly rule: number
  readonly line: string
}

/**
 * Rules of severity `error` that could not be evaluated for sessions whose data should be there: such a session is not proven, so
 * the run ends with 4.
 *
 * @param days of the run
 */
export async function silentRules(warehouse: Database, days: readonly Day[]): Promise<SilentRule[]> {
  if (days.length === 0) return []
  const rows = await warehouse.rows<{ rule: number; day: Day }>(sqlFile('check/silent_rules.sql'), [
    JSON.stringify(days),
  ])
  const sessions = new Map<number, Day[]>()
  for (const { rule, day } of rows) sessions.set(rule, [...(sessions.get(rule) ?? []), day])
  return [...sessions].map(([rule, silent]) => {
    const more = silent.length - NAMED_DAYS
    const named = `${silent.slice(0, NAMED_DAYS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return { rule, line: `rule ${rule} could not be evaluated for ${named}: ${silenceOf(rule)}` }
  })
}
