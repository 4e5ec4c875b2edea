import type { Database } from '../duckdb/open.js'
import { StorageError } from '../errors.js'
import type { Day } from '../market/day.js'
import type { Rule } from './rule.js'

export type State = 'pass' | 'soft' | 'break' | 'not_evaluable'

/** What a rule found of one subject on one trading date. */
export interface RuleResult {
  readonly rule: Rule
  /** `market`, or an account; `*` where there is no account to judge. */
  readonly subject: string
  readonly tradingDate: Day
  readonly state: State
  readonly judged: number
  readonly offenders: number
  /** Relations of the offenders. */
  readonly relations: readonly string[]
  /** Why it could not be judged. */
  readonly note: string | null
}

/** What is judged, once its evidence is prepared. */
export interface Subject {
  readonly subject: string
  readonly tradingDate: Day
  readonly side: Rule['about']
  /** Why none of its rules can be judged; null where they can. */
  readonly fault: string | null
}

/** Offenders kept of one finding: the largest residuals. */
const KEPT = 1000

interface Row {
  subject: string
  day: Day
  verdict: State
  rows: bigint
  relations: string | null
  reason: string | null
}

/**
 * Judges one rule over the prepared evidence and adds its offenders to temp table `offender`. Rules marked `learning`
 * break softly but for the accounts that a person listed.
 *
 * A rule that fails on what it reads is `not_evaluable` with DuckDB's words: one odd row must not silence the others.
 */
export async function runRule(
  database: Database,
  rule: Rule,
  subjects: readonly Subject[],
  strict: ReadonlySet<string>,
): Promise<RuleResult[]> {
  const mine = subjects.filter(({ side }) => applies(rule, side))
  const able = mine.filter(({ fault }) => fault === null)
  if (able.length === 0)
    return mine.map((subject) => unjudged(rule, subject, subject.fault ?? `it needs ${rule.needs}`))
  let rows: Row[]
  try {
    rows = await database.rows<Row>(
      `WITH judged AS (${rule.query})
       SELECT subject, CAST(trading_date AS VARCHAR) AS day, verdict, count(*) AS rows,
         string_agg(DISTINCT relation, ',' ORDER BY relation) AS relations, min(actual) FILTER (WHERE verdict = 'not_evaluable') AS reason
       FROM judged WHERE verdict IS NOT NULL GROUP BY subject, trading_date, verdict`,
    )
    if (rows.some(({ verdict }) => verdict === 'break' || verdict === 'soft'))
      await keepOffenders(database, rule)
  } catch (error) {
    // The disk and the memory are no matter of the rows: what cannot be judged for them must not be published.
    if (error instanceof StorageError || /out of memory/i.test((error as Error).message)) throw error
    const words = (error as Error).message.split('\n')[0] ?? ''
    return mine.map((subject) => unjudged(rule, subject, `it could not be computed: ${words}`))
  }
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const about = `${row.day} ${row.subject}`
    const known = found.get(about)
    if (known) known.push(row)
    else found.set(about, [row])
  }
  return mine.map((subject) => {
    if (subject.fault !== null) return unjudged(rule, subject, subject.fault)
    return verdictOf(rule, subject, found.get(`${subject.tradingDate} ${subject.subject}`) ?? [], strict)
  })
}

function applies(rule: Rule, side: Subject['side']): boolean {
  if (rule.about === 'market' || side === 'market') return rule.about === side
  return side === 'accounts' || rule.about === 'accounts' || rule.about === side
}

function verdictOf(
  rule: Rule,
  subject: Subject,
  rows: readonly Row[],
  strict: ReadonlySet<string>,
): RuleResult {
  const of = (state: State): number =>
    rows.filter(({ verdict }) => verdict === state).reduce((sum, row) => sum + Number(row.rows), 0)
  const judged = of('pass') + of('soft') + of('break')
  if (judged === 0) {
    const reason = rows.find((row) => row.reason)?.reason
    return unjudged(rule, subject, reason ?? `it needs ${rule.needs}`)
  }
  const broken = rule.learning && !strict.has(`${rule.number} ${subject.subject}`) ? 'soft' : 'break'
  // What is withheld, and what a person accepts, follows from breaks alone: flags beside them come and go.
  const worst = of('break') > 0 ? 'break' : 'soft'
  const offending = rows.filter(({ verdict }) => verdict === worst)
  return {
    rule,
    subject: subject.subject,
    tradingDate: subject.tradingDate,
    state: of('break') > 0 ? broken : of('soft') > 0 ? 'soft' : 'pass',
    judged,
    offenders: of('soft') + of('break'),
    relations: [...new Set(offending.flatMap((row) => row.relations?.split(',') ?? []))].sort(),
    note: null,
  }
}

function unjudged(rule: Rule, { subject, tradingDate }: Subject, note: string): RuleResult {
  return { rule, subject, tradingDate, state: 'not_evaluable', judged: 0, offenders: 0, relations: [], note }
}

async function keepOffenders(database: Database, rule: Rule): Promise<void> {
  await database.run(`INSERT INTO offender
    WITH judged AS (${rule.query})
    SELECT ${rule.number}, subject, trading_date, relation, key, verdict, CAST(expected AS VARCHAR), CAST(actual AS VARCHAR),
      TRY_CAST(residual AS DECIMAL(38,4))
    FROM judged WHERE verdict IN ('break', 'soft')
    QUALIFY row_number() OVER (PARTITION BY subject, trading_date
      ORDER BY verdict, abs(TRY_CAST(residual AS DOUBLE)) DESC NULLS LAST, relation, key) <= ${KEPT}`)
}
