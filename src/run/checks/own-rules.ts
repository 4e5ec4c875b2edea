import { InterruptedError, StorageError } from 'candlehouse-foundation/errors'
import { systemFault } from 'candlehouse-foundation/system-fault'
import { FIRST_OWN_RULE, NO_OWN_RULES, type OwnRules, ownRule } from '../../audit/own-rule.js'
import type { Rule } from '../../audit/rule.js'
import type { Database } from '../../duckdb/open.js'
import { literal } from '../../duckdb/sqlfile.js'
import type { OwnProcess } from '../../mine/own-process.js'
import type { OwnProblem } from '../../mine/problem.js'
import { computeRuleRows } from '../../mine/rule-rows.js'
import { ownRuleTitle } from '../../mine/stated-rules.js'

/**
 * The rules of the user's own, for a check. One that does not work is a problem and no more: its findings stay as they are, so that
 * it neither withholds rows nor gives withheld ones to readers.
 */
export async function ownRulesOf(
  warehouse: Database,
  home: string,
  onProblem: (problem: OwnProblem) => void,
  apart: OwnProcess,
): Promise<OwnRules> {
  const { rules: bound, problems } = await apart.bind(home)
  const ofRules = problems.filter(({ file }) => file.startsWith('sql/rules/'))
  for (const problem of ofRules) onProblem(problem)
  if (bound.length + ofRules.length === 0) return NO_OWN_RULES
  const statements = new Map<Rule, (typeof bound)[number]>(
    bound.map((each) => [
      ownRule({ ...each.head, title: ownRuleTitle(each.name, each.head.title) }, each.sql),
      each,
    ]),
  )
  const names = ofRules.map(({ file }) => file.slice('sql/rules/'.length, -'.sql'.length))
  return {
    rules: [...statements.keys()],
    broken: await numbersOfBroken(warehouse, names),
    evaluate: async (database, rule, days) => {
      const { file, sql } = statements.get(rule) ?? { file: '', sql: '' }
      const wrong = await computeRuleRows(database, home, { rule, sql }, days, apart).catch(wordsOf)
      if (wrong === undefined) return true
      const [words = ''] = wrong.split('\n')
      onProblem({ file, line: undefined, wrong: words, next: 'its findings stay as they were' })
      return false
    },
  }
}

async function numbersOfBroken(warehouse: Database, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const starts = names.map((name) => `starts_with(title, ${literal(ownRuleTitle(name, ''))})`)
  return await warehouse.column<number>(
    `SELECT DISTINCT rule FROM recon.finding WHERE rule >= ${FIRST_OWN_RULE} AND (${starts.join(' OR ')})`,
  )
}

/** What its rows did to a statement is its own fault; a full disk is not. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof Error) || cause instanceof StorageError || cause instanceof InterruptedError)
    throw cause
  if (systemFault(cause)) throw cause
  return cause.message
}
