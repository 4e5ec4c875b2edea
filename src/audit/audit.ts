import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import type { Calendar } from '../market/calendar.js'
import type { Day } from '../market/day.js'
import { installForWriter } from '../mart/install.js'
import { type RuleResult, runRule, type Subject } from './check.js'
import { emptyUnrecorded, prepareAccounts, prepareMarket } from './evidence.js'
import { type Override, readOverrides } from './overrides.js'
import { portionsOf } from './portion.js'
import { recordResults } from './record.js'
import { type Rule, readRules } from './rule.js'
import { type AuditScope, sessionsAmong } from './scope.js'
import { strictRules } from './strict.js'

export interface AuditOptions {
  readonly home: string
  readonly calendar: Calendar
  /** Run that counts as the one that checked a subject. */
  runIdOf(subject: string, tradingDate: Day): string
  /** Called before each rule. */
  onRule?(rule: Rule): void
  readonly signal?: AbortSignal
}

/**
 * Checks sessions and snapshots by all rules and replaces their stored findings, one portion of sessions at a time, each
 * in its own transaction. Sessions that are only reached are checked by the rules that read beyond their session. The last
 * transaction marks the runs as checked: after a kill the findings cover whole sessions, and the runs are checked again.
 */
export async function audit(
  database: Database,
  scope: AuditScope,
  options: AuditOptions,
  effects: Effects,
): Promise<RuleResult[]> {
  const rules = readRules()
  const marketRules = rules.filter(({ about }) => about === 'market')
  const reaching = marketRules.filter(({ reach }) => reach.back > 0 || reach.lists.length > 0)
  const accountRules = rules.filter(({ about }) => about !== 'market')
  await installForWriter(database)
  const recorder = new Recorder(database, rules, options, effects)
  await recorder.begin()
  const checkSessions = async (days: readonly Day[], ofRules: readonly Rule[]): Promise<void> => {
    const sessions = await sessionsAmong(database, days, options.calendar)
    for (const portion of await portionsOf(database, sessions)) {
      const subjects = await prepareMarket(database, portion)
      await recorder.record(await runRules(database, ofRules, subjects, options), ofRules)
    }
  }
  await checkSessions(scope.days, marketRules)
  await checkSessions(scope.reached?.days ?? [], reaching)
  const snapshots = [...new Set([...scope.snapshots, ...(scope.reached?.snapshots ?? [])])].sort()
  for (const asOf of snapshots) {
    const subjects = await prepareAccounts(database, asOf)
    recorder.keep(await runRules(database, accountRules, subjects, options))
  }
  await recorder.record([], accountRules, scope.runs)
  return recorder.results
}

/** Records results in transactions. */
class Recorder {
  readonly results: RuleResult[] = []
  #unrecorded: RuleResult[] = []
  readonly #overrides: readonly Override[]

  constructor(
    readonly database: Database,
    readonly rules: readonly Rule[],
    readonly options: AuditOptions,
    readonly effects: Effects,
  ) {
    this.#overrides = readOverrides(options.home)
  }

  async begin(): Promise<void> {
    await emptyUnrecorded(this.database)
  }

  keep(results: readonly RuleResult[]): void {
    this.#unrecorded.push(...results)
  }

  /** @param runs that are marked as checked with it */
  async record(
    results: readonly RuleResult[],
    checkedRules: readonly Rule[],
    runs: readonly string[] = [],
  ): Promise<void> {
    const { database, rules, options, effects } = this
    this.keep(results)
    await recordResults(database, {
      results: this.#unrecorded,
      checkedRules,
      knownRules: rules,
      runs,
      overrides: this.#overrides,
      runIdOf: (subject, tradingDate) => options.runIdOf(subject, tradingDate),
      now: effects.now(),
    })
    this.results.push(...this.#unrecorded)
    this.#unrecorded = []
    await emptyUnrecorded(database)
  }
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
