import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import type { RuleResult } from './check.js'
import type { Kind } from './inputs.js'
import type { Rule } from './rule.js'

type StoredFinding = Pick<RuleResult, 'subject' | 'state' | 'severity' | 'note'> & {
  rule: number
  day: Day
  judged: bigint
  offenders: bigint
  relations: string | null
}

/** The stored results of rules for days that were not checked again. */
export async function storedResults(
  database: Database,
  kind: Kind,
  days: readonly Day[],
  rules: readonly Rule[],
): Promise<RuleResult[]> {
  if (days.length === 0) return []
  const byNumber = new Map(rules.map((rule) => [rule.number, rule]))
  const findings = await database.rows<StoredFinding>(
    sqlTemplate('check/stored_findings.sql', {
      days: days.map(literal).join(', '),
      is_session: String(kind === 'session'),
    }),
  )
  return findings.flatMap(({ rule: number, day, judged, offenders, relations, ...unchanged }) => {
    const rule = byNumber.get(number)
    if (!rule) return []
    return {
      ...unchanged,
      rule,
      tradingDate: day,
      checked: Number(judged),
      offenders: Number(offenders),
      relations: relations?.split(',') ?? [],
    }
  })
}
