import type { Day } from 'candlehouse-foundation/market/day'
import { shellWord } from '../../shell-word.js'
import type { Ask } from '../questions.js'

/** A result of a rule. */
export interface Finding {
  readonly rule: number
  readonly title: string
  /** `market`, or an account. */
  readonly subject: string
  readonly trading_date: Day
  readonly severity: 'error' | 'warn'
  readonly state: 'pass' | 'soft' | 'break' | 'not_evaluable'
  readonly expected: string | null
  readonly actual: string | null
  readonly residual: number | null
  readonly offenders: number
  readonly checked: number
  readonly note: string | null
  /** Why the user overrode it; null where nobody did. */
  readonly accepted: string | null
  /** Relation and key (JSON) of the worst offender. */
  readonly relation: string | null
  readonly key: string | null
}

export interface Findings {
  /** All of the day; breaks of earlier days that nobody has overridden are in `open` alone. */
  readonly ofDay: readonly Finding[]
  /** Breaks that nobody has overridden, of the day and of earlier days; then what is worth a look, of the day. */
  readonly open: readonly Finding[]
}

export async function readFindings(ask: Ask, day: Day): Promise<Findings> {
  const rows = await ask<Finding>('findings')
  return {
    ofDay: rows.filter((row) => row.trading_date === day),
    open: rows.filter(({ state, accepted }) => state === 'soft' || (state === 'break' && accepted === null)),
  }
}

/** What to type about a finding: its worst row as received, else all its rows. */
export function commandFor({ rule, relation, key }: Finding): string {
  const values = relation && key ? keyWords(key) : undefined
  return values
    ? `candlehouse trace ${relation} ${values}`
    : `candlehouse sql "from recon.offender where rule = ${rule}"`
}

/** COLUMN=VALUE words of a key, for a shell; undefined for a key that is not an object of plain values. */
function keyWords(key: string): string | undefined {
  try {
    const parsed = JSON.parse(key) as Record<string, unknown>
    const words = Object.entries(parsed).map(([column, value]) => shellWord(`${column}=${String(value)}`))
    return words.length > 0 ? words.join(' ') : undefined
  } catch {
    return undefined
  }
}
