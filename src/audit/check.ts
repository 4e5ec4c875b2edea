import { StorageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Rule, Severity } from './rule.js'

export type State = 'pass' | 'soft' | 'break' | 'not_evaluable'

export interface RuleResult {
  readonly rule: Rule
  /** `market` or an account number. `*`: the trading date has no account to check. */
  readonly subject: string
  readonly tradingDate: Day
  readonly state: State
  /** That of the rule, or `warn` if it breaks only on boards where it warns. */
  readonly severity: Severity
  /** Rows that the rule could check. */
  readonly checked: number
  readonly offenders: number
  /** Relations of the worst offenders: breaks that withhold, else those that warn, else what is soft. */
  readonly relations: readonly string[]
  /** Why the rule, or some of its rows, could not be evaluated: sentences for a person. Null where all rows could be. */
  readonly note: string | null
}

/** A subject whose evidence is prepared: the market of a session, or an account of a snapshot. */
export interface Subject {
  readonly subject: string
  readonly tradingDate: Day
  readonly side: Rule['about']
  /** Why none of its rules can be evaluated; null if they can. */
  readonly fault: string | null
}

/** Offenders stored per finding, at most: those with the largest residuals. */
export const MOST_OFFENDERS = 1000

/** Rows of a rule's query per subject, day, result and relation. */
export interface ResultCount {
  subject: string
  day: Day
  /** `warn`: a break on a board where the rule warns. */
  result: State | 'warn'
  relation: string
  rows: bigint
  reason: string | null
}

/** A rule's query as `sql/check/` reads it: steps for a WITH, each followed by a comma, and the SELECT of its rows. */
interface RuleQuery {
  steps: string
  rows: string
}

/**
 * Runs one rule over the prepared evidence and adds its offenders to temp table `offender`. A break of a rule marked
 * `learning` is `soft`, except for accounts listed in `data/reference/strict_rules.csv`.
 *
 * If DuckDB cannot compute a rule, its result is `not_evaluable` with DuckDB's message, so that one odd row does not stop the
 * other rules.
 *
 * @param strict rules whose breaks are not softened for an account, as `RULE ACCOUNT`: `strictRules`
 * @throws StorageError when disk or memory is exhausted
 */
export async function runRule(
  database: Database,
  rule: Rule,
  subjects: readonly Subject[],
  strict: ReadonlySet<string>,
): Promise<RuleResult[]> {
  const ruleSubjects = subjects.filter(({ side }) => applies(rule, side))
  if (ruleSubjects.every(({ fault }) => fault !== null))
    return ruleSubjects.map((subject) => notEvaluable(rule, subject, subject.fault ?? needs(rule, subject)))
  const counts = await checkRows(database, rule)
  if (counts instanceof Error) {
    const reason = `${NOT_COMPUTED} ${counts.message.split('\n')[0] ?? ''}`
    return ruleSubjects.map((subject) => notEvaluable(rule, subject, reason))
  }
  return ruleSubjects.map((subject) => {
    if (subject.fault !== null) return notEvaluable(rule, subject, subject.fault)
    const subjectCounts = counts.filter(
      (count) => count.day === subject.tradingDate && count.subject === subject.subject,
    )
    return resultOf(rule, subject, subjectCounts, strict)
  })
}

/** How the note of a rule begins that DuckDB could not compute. */
export const NOT_COMPUTED = 'It could not be computed:'

/**
 * Counts a rule's rows over the prepared evidence, and adds its offenders to temp table `offender`.
 *
 * @returns the error where DuckDB cannot compute the rule
 * @throws StorageError when disk or memory is exhausted
 */
export async function checkRows(database: Database, rule: Rule): Promise<ResultCount[] | Error> {
  try {
    const query = rule.about === 'market' ? partsOf(rule) : await rowsOnce(database, rule)
    const counts = await countResults(database, rule, query)
    if (counts.some(({ result }) => result === 'break' || result === 'warn' || result === 'soft'))
      await storeOffenders(database, rule, query)
    return counts
  } catch (error) {
    // A full disk or memory is not a matter of the rows: sessions that could not be checked for it must not be published.
    if (error instanceof StorageError || /out of memory/i.test((error as Error).message)) throw error
    return error as Error
  }
}

/**
 * Counts a rule's rows per subject, day, result and relation. Texts are the most expensive columns of a rule: those of a million
 * bars take seconds. So `actual` is read only if the rule can give a reason in it; keys and values are read only of offenders.
 */
async function countResults(database: Database, rule: Rule, query: RuleQuery): Promise<ResultCount[]> {
  const reason = rule.query.includes("'not_evaluable'")
    ? "min(actual) FILTER (WHERE result = 'not_evaluable')"
    : 'CAST(NULL AS VARCHAR)'
  return await database.rows<ResultCount>(
    sqlTemplate('check/result_count.sql', { ...query, severity: severityOf(rule), reason }),
  )
}

/**
 * Computes the rows of a rule about accounts into temp table `rule_row`. They are few, and what they cost is planning: DuckDB took as
 * long for the offenders of a rule about positions as for their number, 4 % of a night for two rules.
 */
async function rowsOnce(database: Database, { query }: Rule): Promise<RuleQuery> {
  await database.run(`CREATE OR REPLACE TEMP TABLE rule_row AS ${query}`)
  return { steps: '', rows: 'FROM rule_row' }
}

/**
 * The steps of a rule's query, each followed by a comma, and the query for its rows: its last SELECT, which alone begins a line. They
 * stand beside `checked_row`, not within it, because DuckDB computes every column of a query that has steps of its own: keys and values
 * of all bars of a backfill, which nobody reads, took half of its check.
 */
function partsOf({ query }: Rule): RuleQuery {
  const statement = query.replace(/^(?:--.*\n)+/, '')
  const last = statement.search(/^SELECT\b/m)
  const [, steps] = /^WITH\s(.*)\s$/s.exec(statement.slice(0, last)) ?? []
  return { steps: steps === undefined ? '' : `${steps},`, rows: statement.slice(last) }
}

/** SQL for the result of a row: `warn` for a break on a board where the rule warns. */
function severityOf({ warnsOn }: Rule): string {
  if (warnsOn.length === 0) return 'checked_row.result'
  const boards = warnsOn.map(literal).join(', ')
  return `CASE WHEN checked_row.result = 'break' AND checked_row.board IN (${boards}) THEN 'warn' ELSE checked_row.result END`
}

function applies(rule: Rule, side: Subject['side']): boolean {
  if (rule.about === 'market' || side === 'market') return rule.about === side
  return side === 'accounts' || rule.about === 'accounts' || rule.about === side
}

/** The result of a subject from the counts of its rows. */
export function resultOf(
  rule: Rule,
  subject: Subject,
  counts: readonly ResultCount[],
  strict: ReadonlySet<string>,
): RuleResult {
  const rowsIn = (state: ResultCount['result']): number =>
    counts.filter(({ result }) => result === state).reduce((sum, { rows }) => sum + Number(rows), 0)
  const broken = rowsIn('break') + rowsIn('warn')
  const checked = rowsIn('pass') + rowsIn('soft') + broken
  const reason = reasonOf(counts, rowsIn('not_evaluable'))
  if (checked === 0) return notEvaluable(rule, subject, reason ?? needs(rule, subject))
  const breakState = rule.learning && !strict.has(`${rule.number} ${subject.subject}`) ? 'soft' : 'break'
  // Withheld rows and overrides follow from breaks alone; soft rows next to them must not change either.
  const worst = rowsIn('break') > 0 ? 'break' : broken > 0 ? 'warn' : 'soft'
  const offending = counts.filter(({ result }) => result === worst)
  return {
    rule,
    subject: subject.subject,
    tradingDate: subject.tradingDate,
    state: broken > 0 ? breakState : rowsIn('soft') > 0 ? 'soft' : 'pass',
    severity: worst === 'warn' ? 'warn' : rule.severity,
    checked,
    offenders: rowsIn('soft') + broken,
    relations: offending.map(({ relation }) => relation).sort(),
    note: reason,
  }
}

/** What a rule needs, as a sentence: the note where nothing is stored that it could check. */
function needs(rule: Rule, { tradingDate }: Subject): string {
  return `It needs ${rule.needs}: nothing like that is stored for ${tradingDate}.`
}

/** Why rows could not be evaluated: the first reason, and how many rows have one. Null where all could be. */
function reasonOf(counts: readonly ResultCount[], rows: number): string | null {
  const [reason] = counts.flatMap((count) => count.reason ?? []).sort()
  if (reason === undefined) return null
  return rows > 1 ? `${asSentence(reason)} ${rows - 1} more cannot be evaluated.` : asSentence(reason)
}

/** With a capital letter and a full stop: notes stand alone in reports and tables. */
function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}

function notEvaluable(rule: Rule, { subject, tradingDate }: Subject, reason: string): RuleResult {
  const counts = { checked: 0, offenders: 0, relations: [] }
  const note = asSentence(reason)
  return { rule, subject, tradingDate, state: 'not_evaluable', severity: rule.severity, ...counts, note }
}

async function storeOffenders(database: Database, rule: Rule, query: RuleQuery): Promise<void> {
  await database.run(
    sqlTemplate('check/offender.sql', {
      ...query,
      rule: String(rule.number),
      severity: severityOf(rule),
      is_error: String(rule.severity === 'error'),
      most: String(MOST_OFFENDERS),
    }),
  )
}
