import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import type { Calendar } from '../market/calendar.js'
import { installForWriter } from '../mart/install.js'
import { type RuleResult, runRule, type Subject } from './check.js'
import { prepareAccounts, prepareMarket } from './evidence.js'
import { readOverrides } from './overrides.js'
import { portionsOf } from './portion.js'
import { recordResults } from './record.js'
import { type Rule, readRules } from './rule.js'
import { type AuditScope, sessionsAmong } from './scope.js'
import { strictRules } from './strict.js'

export interface AuditOptions {
  readonly home: string
  readonly calendar: Calendar
  /** Run that checks. */
  readonly runId: string
  /** Called before each rule. */
  onRule?(rule: Rule): void
  readonly signal?: AbortSignal
}

/**
 * Checks sessions and snapshots by all rules and replaces their stored findings, one portion of sessions at a time, each
 * in its own transaction. The last transaction marks the runs as checked: after a kill the findings cover whole sessions,
 * and the runs are checked again.
 */
export async function audit(
  database: Database,
  scope: AuditScope,
  options: AuditOptions,
  effects: Effects,
): Promise<RuleResult[]> {
  const overrides = readOverrides(options.home)
  const rules = readRules()
  const marketRules = rules.filter(({ about }) => about === 'market')
  const accountRules = rules.filter(({ about }) => about !== 'market')
  await installForWriter(database)
  await emptyOffenders(database)
  const results: RuleResult[] = []
  // Results of the portion at hand, not recorded yet.
  let unrecorded: RuleResult[] = []
  const record = async (runs: readonly string[]): Promise<void> => {
    const portion = { results: unrecorded, runs, overrides, runId: options.runId, now: effects.now() }
    await recordResults(database, portion)
    results.push(...unrecorded)
    unrecorded = []
    await emptyOffenders(database)
  }
  const sessions = await sessionsAmong(database, scope.days, options.calendar)
  for (const portion of await portionsOf(database, sessions)) {
    if (unrecorded.length > 0) await record([])
    unrecorded.push(
      ...(await runRules(database, marketRules, await prepareMarket(database, portion), options)),
    )
  }
  for (const asOf of scope.snapshots)
    unrecorded.push(
      ...(await runRules(database, accountRules, await prepareAccounts(database, asOf), options)),
    )
  await record(scope.runs)
  return results
}

async function runRules(
  database: Database,
  rules: readonly Rule[],
  subjects: readonly Subject[],
  { onRule, signal }: AuditOptions,
): Promise<RuleResult[]> {
  const strict = strictRules()
  const results: RuleResult[] = []
  for (const rule of rules) {
    signal?.throwIfAborted()
    onRule?.(rule)
    results.push(...(await runRule(database, rule, subjects, strict)))
  }
  return results
}

/** Temp table `offender`: one row per offender of the results that are not recorded yet. */
async function emptyOffenders(database: Database): Promise<void> {
  await database.run('CREATE OR REPLACE TEMP TABLE offender AS FROM recon.offender LIMIT 0')
}
