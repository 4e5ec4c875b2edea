import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import {
  checkRows,
  MOST_OFFENDERS,
  NOT_COMPUTED,
  type ResultCount,
  type RuleResult,
  resultOf,
} from './check.js'
import { prepareSessions, prepareTouched, prepareTouchedBars, subjectsOf } from './prepare.js'
import { numberList, type Rule } from './rule.js'

/** Results of the sessions whose stored findings could be kept for other symbols, and the other sessions. */
export interface TouchedCheck {
  readonly results: readonly RuleResult[]
  readonly contradicted: readonly Day[]
}

/**
 * Checks only the symbols of which the runs being checked brought bars, as they were before and as they are: a finding is what it
 * was, less what the rule found of them before, and what it finds of them now. Temp table `offender` then has all offenders of the
 * rules in these sessions. Each rule is per symbol, and nothing else that it reads has changed (`neededRules`). The sessions are
 * prepared (`prepareSessions`), and are not any more afterwards.
 */
export async function checkTouched(
  database: Database,
  sessions: readonly Day[],
  rules: readonly Rule[],
  onRule: (rule: Rule) => void,
): Promise<TouchedCheck> {
  await setVariables(database, rules)
  let days = sessions
  const contradicted: Day[] = []
  await database.run(sqlFile('audit/new/1_touched_symbol.sql'))
  const crowded = await database.column<Day>(sqlFile('audit/new/crowded.sql'))
  if (crowded.length > 0) {
    contradicted.push(...crowded)
    days = days.filter((day) => !crowded.includes(day))
    if (days.length === 0) return { results: [], contradicted }
    await prepareSessions(database, days)
    await database.run(sqlFile('audit/new/1_touched_symbol.sql'))
  }
  await prepareTouched(database, rules)
  await database.run(sqlFile('audit/new/before.sql'))
  const before = await runAll(database, rules, () => {})
  await database.run(sqlFile('audit/new/now.sql'))
  const now = await runAll(database, rules, onRule)
  if (!before || !now) return { results: [], contradicted: sessions }
  const odd = new Set(await database.column<Day>(sqlFile('audit/new/contradicted.sql')))
  await database.run(sqlFile('audit/new/merge.sql'))
  const kept = days.filter((day) => !odd.has(day))
  if (odd.size > 0)
    await database.run(
      `DELETE FROM offender WHERE trading_date IN (${[...odd].map((day) => `DATE ${literal(day)}`).join(', ')})`,
    )
  const results = await mergedResults(database, kept, rules, before, now)
  return { results, contradicted: [...contradicted, ...odd].sort() }
}

async function setVariables(database: Database, rules: readonly Rule[]): Promise<void> {
  const errors = rules.filter(({ severity }) => severity === 'error')
  await database.run(`SET VARIABLE checked_rules = ${numberList(rules)}`)
  await database.run(`SET VARIABLE error_rules = ${numberList(errors)}`)
}

/** Rules of prepared sessions, as `RULE DAY`, whose stored findings cannot be changed for some symbols. */
export async function unmergeableFindings(database: Database): Promise<ReadonlySet<string>> {
  await database.run(`SET VARIABLE most_offenders = ${MOST_OFFENDERS}`)
  await database.run(`SET VARIABLE not_computed = ${literal(NOT_COMPUTED)}`)
  const rows = await database.rows<{ rule: number; day: Day }>(sqlFile('audit/new/unmergeable.sql'))
  return new Set(rows.map(({ rule, day }) => `${rule} ${day}`))
}

type Counts = ReadonlyMap<Rule, readonly ResultCount[]>

/** Counts per rule; undefined where DuckDB cannot compute one of them. */
async function runAll(
  database: Database,
  rules: readonly Rule[],
  onRule: (rule: Rule) => void,
): Promise<Counts | undefined> {
  await prepareTouchedBars(database, rules)
  const counts = new Map<Rule, readonly ResultCount[]>()
  for (const rule of rules) {
    onRule(rule)
    const rows = await checkRows(database, rule)
    if (rows instanceof Error) return undefined
    counts.set(rule, rows)
  }
  return counts
}

type MergedCount = Pick<ResultCount, 'day' | 'relation' | 'rows'> & {
  rule: number
  result: ResultCount['result'] | 'checked'
}

async function mergedResults(
  database: Database,
  days: readonly Day[],
  rules: readonly Rule[],
  before: Counts,
  now: Counts,
): Promise<RuleResult[]> {
  const merged = await database.rows<MergedCount>(sqlFile('audit/new/merged.sql'))
  return rules.flatMap((rule) => {
    const ofRule = merged.filter((count) => count.rule === rule.number)
    return subjectsOf(days).map((subject) => {
      const ofDay = ofRule.filter(({ day }) => day === subject.tradingDate)
      const offending = ofDay.filter(({ result }) => result !== 'checked')
      const checked =
        sum(ofDay.filter(({ result }) => result === 'checked')) -
        sum(rowsOf(before.get(rule), subject.tradingDate)) +
        sum(rowsOf(now.get(rule), subject.tradingDate))
      const counts = [
        ...offending,
        { day: subject.tradingDate, result: 'pass', relation: '', rows: BigInt(checked - sum(offending)) },
      ].map((count) => ({ ...count, subject: subject.subject, reason: null }) as ResultCount)
      return resultOf(rule, subject, counts, new Set())
    })
  })
}

function rowsOf(counts: readonly ResultCount[] | undefined, day: Day): ResultCount[] {
  return (counts ?? []).filter((count) => count.day === day)
}

function sum(counts: readonly { readonly rows: bigint }[]): number {
  return counts.reduce((total, { rows }) => total + Number(rows), 0)
}
