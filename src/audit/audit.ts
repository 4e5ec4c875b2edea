import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import type { Calendar } from '../market/calendar.js'
import { installForWriter } from '../mart/install.js'
import { type RuleResult, runRule, type Subject } from './check.js'
import { prepareAccounts, prepareMarket } from './evidence.js'
import { type Override, readOverrides } from './overrides.js'
import { portionsOf } from './portion.js'
import { recordResults } from './record.js'
import { type Rule, readRules } from './rule.js'
import { type AuditScope, sessionsAmong } from './scope.js'
import { strictRules } from './strict.js'

export interface AuditOptions {
  readonly home: string
  readonly calendar: Calendar
  /** Run that judges. */
  readonly runId: string
  /** Called before each rule. */
  onRule?(rule: Rule): void
  readonly signal?: AbortSignal
}

/**
 * Judges sessions and snapshots by all rules and replaces what was found of them before, some sessions at a time, each
 * time in one transaction. The last one marks the runs as judged: a kill leaves verdicts of whole sessions, and runs to be
 * judged.
 */
export async function audit(
  database: Database,
  scope: AuditScope,
  options: AuditOptions,
  effects: Effects,
): Promise<RuleResult[]> {
  const acceptances: readonly Override[] = readOverrides(options.home)
  const strict = strictRules()
  const rules = readRules()
  await installForWriter(database)
  await database.run('CREATE OR REPLACE TEMP TABLE offender AS FROM recon.offender LIMIT 0')
  const verdicts: RuleResult[] = []
  const waiting: RuleResult[] = []
  const record = async (runs: readonly string[]): Promise<void> => {
    const found = { verdicts: waiting, runs, acceptances, runId: options.runId, now: effects.now() }
    await recordResults(database, found)
    verdicts.push(...waiting.splice(0))
    await database.run('CREATE OR REPLACE TEMP TABLE offender AS FROM recon.offender LIMIT 0')
  }
  const judgeAll = async (subjects: readonly Subject[], about: readonly Rule[]): Promise<void> => {
    for (const rule of about) {
      options.signal?.throwIfAborted()
      options.onRule?.(rule)
      waiting.push(...(await runRule(database, rule, subjects, strict)))
    }
  }
  const sessions = await sessionsAmong(database, scope.days, options.calendar)
  for (const portion of await portionsOf(database, sessions)) {
    if (waiting.length > 0) await record([])
    const subjects = await prepareMarket(database, portion)
    await judgeAll(
      subjects,
      rules.filter(({ about }) => about === 'market'),
    )
  }
  for (const asOf of scope.snapshots) {
    const subjects = await prepareAccounts(database, asOf)
    await judgeAll(
      subjects,
      rules.filter(({ about }) => about !== 'market'),
    )
  }
  await record(scope.runs)
  return verdicts
}
