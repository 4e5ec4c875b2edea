import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { installForWriter } from '../mart/install.js'
import { type RuleResult, runRule, type Subject } from './check.js'
import {
  type CheckedInput,
  checkedWith,
  inputsOfNone,
  type Kind,
  readInputs,
  storedInputs,
} from './inputs.js'
import { type Override, readOverrides } from './override-file.js'
import { isOwnRule, NO_OWN_RULES, type OwnRules } from './own-rule.js'
import { addMarketRows, emptyUnrecorded, isNoAccount, prepareAccounts, prepareSessions } from './prepare.js'
import { recordResults } from './record-results.js'
import { type Rule, readRules } from './rule.js'
import { type AuditScope, sessionsAmong } from './scope.js'
import { strictRules } from './strict.js'

export interface AuditOptions {
  readonly home: string
  readonly calendar: Calendar
  /** Id of the run that a finding names. */
  runIdOf(subject: string, tradingDate: Day): string
  /** Rules of the user's own; none by default. */
  readonly own?: OwnRules
  /** Called before each rule. */
  onRule?(rule: Rule): void
  readonly signal?: AbortSignal
}

/**
 * Checks sessions and snapshots by all rules and replaces their stored findings, one portion of sessions per transaction.
 * Reached sessions are checked only by rules that read beyond their session. Sessions and snapshots that have not changed since
 * their last check keep their findings. The last transaction marks the runs as checked: after a kill the findings cover whole
 * sessions, and the runs are checked again.
 *
 * @returns the results for the whole scope, those of unchanged sessions too
 * @throws StorageError when disk or memory is exhausted · the signal's reason between two rules
 */
export async function audit(
  database: Database,
  scope: AuditScope,
  options: AuditOptions,
  effects: Effects,
): Promise<RuleResult[]> {
  const rules = [...readRules(), ...(options.own?.rules ?? [])]
  const version = checkedWith(rules, await installForWriter(database))
  const auditor = new Auditor(database, rules, version, scope.checkUnchanged ?? false, options, effects)
  await emptyUnrecorded(database)
  await auditor.checkSessions(scope.days)
  await auditor.checkSessions(scope.reached?.days ?? [], true)
  const snapshots = new Set([...scope.snapshots, ...(scope.reached?.snapshots ?? [])])
  await auditor.checkSnapshots([...snapshots].sort())
  await auditor.markChecked(scope.runs)
  return auditor.results
}

class Auditor {
  readonly results: RuleResult[] = []
  private readonly marketRules: readonly Rule[]
  private readonly accountRules: readonly Rule[]
  private readonly overrides: readonly Override[]
  private readonly own: OwnRules
  /** Numbers of rules of the user's own that could not be computed: their findings stay. */
  private readonly failed = new Set<number>()

  constructor(
    readonly database: Database,
    readonly rules: readonly Rule[],
    /** Hash of program and rules: `checkedWith`. */
    readonly version: string,
    readonly checkUnchanged: boolean,
    readonly options: AuditOptions,
    readonly effects: Effects,
  ) {
    this.marketRules = rules.filter(({ about }) => about === 'market')
    this.accountRules = rules.filter(({ about }) => about !== 'market')
    this.overrides = readOverrides(options.home)
    this.own = options.own ?? NO_OWN_RULES
  }

  /** @param areReached whether the scope has the sessions only as reached ones */
  async checkSessions(days: readonly Day[], areReached = false): Promise<void> {
    const { database, options } = this
    const sessions = await sessionsAmong(database, days, options.calendar)
    const reaching = this.marketRules.filter(({ reach }) => reach.back > 0 || reach.lists.length > 0)
    for (const portion of await portionsOf(database, sessions)) {
      await prepareSessions(database, portion)
      const inputs = await readInputs(database, 'session', this.version, this.overrides)
      const { changed, former } = await this.changed('session', inputs)
      // Rules that do not look back give a reached session the same results as before, unless the rules themselves changed.
      const isKnown = (input: CheckedInput): boolean =>
        areReached && former.get(input.trading_date)?.checked_with === this.version
      const all = changed.filter((input) => !isKnown(input))
      await this.checkPortion(all, this.marketRules, all.length === portion.length)
      const some = changed.filter(isKnown)
      await this.checkPortion(some, reaching, some.length === portion.length)
    }
  }

  /** @param isPrepared whether `prepareSessions` was run for these sessions */
  private async checkPortion(
    inputs: readonly CheckedInput[],
    rules: readonly Rule[],
    isPrepared: boolean,
  ): Promise<void> {
    if (inputs.length === 0) return
    const { database } = this
    const days = inputs.map(({ trading_date }) => trading_date).sort()
    if (!isPrepared) await prepareSessions(database, days)
    const subjects = await addMarketRows(database, days)
    await this.record(await this.runRules(rules, subjects), inputs, rules)
  }

  async checkSnapshots(dates: readonly Day[]): Promise<void> {
    const { database } = this
    const results: RuleResult[] = []
    const checked: CheckedInput[] = []
    for (const asOf of dates) {
      const subjects = await prepareAccounts(database, asOf)
      const inputs = isNoAccount(subjects)
        ? [inputsOfNone(asOf, this.version)]
        : await readInputs(database, 'snapshot', this.version, this.overrides)
      const { changed } = await this.changed('snapshot', inputs)
      if (changed.length === 0) continue
      results.push(...(await this.runRules(this.accountRules, subjects)))
      checked.push(...changed)
    }
    await this.record(results, checked, this.accountRules)
  }

  async markChecked(runs: readonly string[]): Promise<void> {
    await this.record([], [], [], runs)
  }

  /** Inputs that have changed since their last check, and the inputs of that check. Adds the stored results of the others. */
  private async changed(
    kind: Kind,
    inputs: readonly CheckedInput[],
  ): Promise<{ changed: CheckedInput[]; former: ReadonlyMap<Day, CheckedInput> }> {
    const days = inputs.map(({ trading_date }) => trading_date)
    const former = await storedInputs(this.database, kind, days)
    const isSame = (input: CheckedInput): boolean => {
      const before = former.get(input.trading_date)
      return before?.inputs === input.inputs && before.checked_with === input.checked_with
    }
    const same = this.checkUnchanged ? [] : inputs.filter(isSame).map(({ trading_date }) => trading_date)
    const rules = kind === 'session' ? this.marketRules : this.accountRules
    this.results.push(...(await storedResults(this.database, kind, same, rules)))
    return { changed: inputs.filter(({ trading_date }) => !same.includes(trading_date)), former }
  }

  private async runRules(rules: readonly Rule[], subjects: readonly Subject[]): Promise<RuleResult[]> {
    const { onRule, signal } = this.options
    const strict = strictRules()
    const results: RuleResult[] = []
    for (const rule of rules) {
      signal?.throwIfAborted()
      onRule?.(rule)
      if (isOwnRule(rule) && !(await this.evaluateOwn(rule, subjects))) continue
      results.push(...(await runRule(this.database, rule, subjects, strict)))
    }
    return results
  }

  private async evaluateOwn(rule: Rule, subjects: readonly Subject[]): Promise<boolean> {
    const days = [...new Set(subjects.map(({ tradingDate }) => tradingDate))].sort()
    const isComputed = days.length > 0 && (await this.own.evaluate(this.database, rule, days))
    if (!isComputed) this.failed.add(rule.number)
    return isComputed
  }

  /** @param runs are marked as checked in the same transaction */
  private async record(
    results: readonly RuleResult[],
    inputs: readonly CheckedInput[],
    checkedRules: readonly Rule[],
    runs: readonly string[] = [],
  ): Promise<void> {
    const { database, rules, options, effects } = this
    await recordResults(database, {
      results,
      inputs,
      checkedRules: checkedRules.filter(({ number }) => !this.failed.has(number)),
      knownRules: [...rules, ...this.own.broken.map((number) => ({ number }))],
      runs,
      overrides: this.overrides,
      runIdOf: (subject, tradingDate) => options.runIdOf(subject, tradingDate),
      now: effects.now(),
    })
    this.results.push(...results)
    await emptyUnrecorded(database)
  }
}

/**
 * Sessions checked at once, at most. 2,570 sessions of 100 symbols: 12 to 17 ms each and 590 MB resident by 60, 900 MB
 * by 125; all at once DuckDB gave up at its memory limit.
 */
const SESSIONS = 60

/** Bars of the sessions of a portion, at most: about as many as a night of the whole market has. */
const BARS = 2_000_000

/**
 * Divides sessions into portions that are checked one after another. The memory of a check follows the sessions that it covers,
 * so a file of decades, or a long backfill, must not be checked at once.
 */
export async function portionsOf(database: Database, sessions: readonly Day[]): Promise<Day[][]> {
  const [first, last] = [sessions[0], sessions.at(-1)]
  if (first === undefined || last === undefined) return []
  const rows = await database.rows<{ day: Day; bars: bigint }>(
    `SELECT CAST(trading_date AS VARCHAR) AS day, count(*) AS bars FROM market.candle
     WHERE trading_date BETWEEN ${literal(first)}::DATE AND ${literal(last)}::DATE GROUP BY trading_date`,
  )
  const bars = new Map(rows.map((row) => [row.day, Number(row.bars)]))
  const portions: Day[][] = []
  let portionBars = 0
  for (const day of sessions) {
    const portion = portions.at(-1)
    const dayBars = bars.get(day) ?? 0
    if (portion && portion.length < SESSIONS && portionBars + dayBars <= BARS) {
      portion.push(day)
      portionBars += dayBars
    } else {
      portions.push([day])
      portionBars = dayBars
    }
  }
  return portions
}

type StoredFinding = Pick<RuleResult, 'subject' | 'state' | 'severity' | 'note'> & {
  rule: number
  day: Day
  judged: bigint
  offenders: bigint
  relations: string | null
}

/** The stored results of rules for days that were not checked again. */
async function storedResults(
  database: Database,
  kind: Kind,
  days: readonly Day[],
  rules: readonly Rule[],
): Promise<RuleResult[]> {
  if (days.length === 0) return []
  const byNumber = new Map(rules.map((rule) => [rule.number, rule]))
  const findings = await database.rows<StoredFinding>(
    sqlTemplate('check/stored_findings.sql', {
      days: days.map(literal).join(', '),
      is_session: String(kind === 'session'),
    }),
  )
  return findings.flatMap(({ rule: number, day, judged, offenders, relations, ...unchanged }) => {
    const rule = byNumber.get(number)
    if (!rule) return []
    return {
      ...unchanged,
      rule,
      tradingDate: day,
      checked: Number(judged),
      offenders: Number(offenders),
      relations: relations?.split(',') ?? [],
    }
  })
}
