import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import {
  type AuditScope,
  audit,
  type RuleResult,
  reachOf,
  scopeOfRuns,
  uncheckedRuns,
} from '../../audit/index.js'
import type { Database } from '../../duckdb/open.js'
import { OwnProcess } from '../../mine/own-process.js'
import type { OwnProblem } from '../../mine/problem.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { ownRulesOf } from './own-rules.js'

/** The scope of these runs and of earlier runs that were not checked. */
export async function uncheckedScope(
  warehouse: Database,
  home: string,
  runs: readonly string[],
): Promise<AuditScope> {
  const all = [...new Set([...(await uncheckedRuns(warehouse, home)), ...runs])].sort()
  return scopeOfRuns(home, all)
}

interface RulesRun {
  readonly home: string
  /** Run that checks. */
  readonly runId: string
  readonly scope: AuditScope
  /** Gets what is wrong with rules of the user's own. */
  readonly onProblem?: (problem: OwnProblem) => void
}

/**
 * Runs every rule on loaded rows before any of them is published: sessions that break a rule of severity `error` are
 * withheld. What was checked before and can have changed with these rows is checked again.
 */
export async function runRules(
  warehouse: Database,
  { home, runId, scope, onProblem = () => {} }: RulesRun,
  { effects, progress, signal }: RunIo,
): Promise<RuleResult[]> {
  progress.phase('check')
  const reached = scope.runs.length > 0 ? await reachOf(warehouse, scope) : undefined
  await using apart = new OwnProcess(signal)
  const ownRules = await ownRulesOf(warehouse, home, onProblem, apart)
  const results = await audit(
    warehouse,
    reached ? { ...scope, reached } : scope,
    {
      home,
      calendar: loadCalendar(),
      own: ownRules,
      runIdOf: () => runId,
      onRule: (rule) => progress.advance(1, rule.title),
      signal,
    },
    effects,
  )
  progress.done()
  return results
}
