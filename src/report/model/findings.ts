import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import type { Day } from 'candlehouse-foundation/market/day'
import { literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import { type Finding, findingsOf } from '../../night/findings.js'

export interface Findings {
  /** All of the day; breaks of earlier days that nobody has overridden are in `open` alone. */
  readonly ofDay: readonly Finding[]
  /** Breaks that nobody has overridden, of the day and of earlier days; then what is worth a look, of the day. */
  readonly open: readonly Finding[]
}

const ORDER = `list_position(['break', 'soft', 'not_evaluable', 'pass'], state),
  severity, "tradingDate" DESC, rule, subject`

export async function findingsModel(
  rowsOf: (sql: string) => Promise<Finding[]>,
  day: Day,
): Promise<Findings> {
  const finding = sqlTemplate('report/findings.sql', { day: `DATE ${literal(day)}` })
  const rows = await findingsOf(rowsOf, finding, ORDER)
  return {
    ofDay: rows.filter(({ tradingDate }) => tradingDate === day),
    open: rows.filter(({ state, accepted }) => state === 'soft' || (state === 'break' && accepted === null)),
  }
}

/** What to type about findings of one rule: the worst row as received where there is one finding, else all their rows. */
export function commandForAll(findings: readonly [Finding, ...Finding[]]): string {
  const [{ rule, relation, key }] = findings
  const values = findings.length === 1 && relation && key ? keyWords(key) : undefined
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
