import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { installForWriter } from '../mart/install.js'
import { type NeededRules, neededRules } from './changes.js'
import { type RuleResult, runRule, type Subject } from './check.js'
import {
  type CheckedInput,
  checkedWith,
  inputsOfNone,
  readSessionInputs,
  readSnapshotInputs,
  type SessionInput,
  storedInputs,
} from './inputs.js'
import { type Override, readOverrides } from './override-file.js'
import { isOwnRule, NO_OWN_RULES, type OwnRules } from './own-rule.js'
import { portionsOf, portionsWithoutBars } from './portions.js'
import { addMarketRows, emptyUnrecorded, isNoAccount, prepareAccounts, prepareSessions } from './prepare.js'
import { evidenceOf } from './reads.js'
import { recordResults } from './record-results.js'
import { numberList, type Rule, readRules } from './rule.js'
import { type AuditScope, sessionsAmong } from './scope.js'
import { storedResults } from './stored-results.js'
import { strictRules } from './strict.js'
import { checkTouched, unmergeableFindings } from './touched.js'

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
 * Checks sessions and snapshots and replaces their stored findings, one portion of sessions per transaction. A session that was
 * checked before is checked only by the rules of which an input has changed, and by some of them only on the symbols of which the
 * runs brought bars (`neededRules`). Snapshots that have not changed since their last check keep their findings. The last
 * transaction marks the runs as checked: after a kill the findings cover whole sessions, and the runs are checked again.
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
  await database.run(`SET VARIABLE audit_new_from = ${firstOf(scope.runs)}`)
  await auditor.checkSessions(scope.days)
  await auditor.checkSessions(scope.reached?.days ?? [])
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
  /** Sessions of the last `prepareSessions`. */
  private prepared = ''

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

  async checkSessions(days: readonly Day[]): Promise<void> {
    const { database, options, version } = this
    const sessions = await sessionsAmong(database, days, options.calendar)
    const former = await storedInputs(database, 'session', sessions)
    const isKnown = (day: Day): boolean => former.get(day)?.checked_with === version
    // Of sessions that were checked only some rules may be needed: whole portions of them are asked for first.
    const known = portionsWithoutBars(sessions.filter(isKnown))
    const others = await portionsOf(
      database,
      sessions.filter((day) => !isKnown(day)),
    )
    for (const portion of [...known, ...others]) await this.checkPortion(portion, former)
  }

  private async checkPortion(portion: readonly Day[], former: ReadonlyMap<Day, CheckedInput>): Promise<void> {
    const { database } = this
    await this.prepare(portion)
    const inputs = await readSessionInputs(database, this.version, this.overrides)
    const unmergeable = await unmergeableFindings(database)
    const groups = new Map<string, { inputs: SessionInput[]; needed: NeededRules }>()
    for (const input of inputs) {
      const day = input.trading_date
      const needed = this.checkUnchanged
        ? { all: this.marketRules, touched: [] }
        : neededRules(
            input,
            former.get(day),
            this.marketRules,
            ({ number }) => !unmergeable.has(`${number} ${day}`),
          )
      const key = `${numberList(needed.all)} ${numberList(needed.touched)}`
      const group = groups.get(key) ?? { inputs: [], needed }
      group.inputs.push(input)
      groups.set(key, group)
    }
    for (const group of groups.values()) {
      const { all, touched } = group.needed
      const others = this.marketRules.filter((rule) => !all.includes(rule) && !touched.includes(rule))
      this.results.push(...(await storedResults(database, 'session', daysOf(group.inputs), others)))
      if (all.length + touched.length > 0) await this.checkGroup(group.inputs, group.needed)
    }
  }

  /** Checks sessions that need the same rules. */
  private async checkGroup(inputs: readonly SessionInput[], { all, touched }: NeededRules): Promise<void> {
    const rules = this.marketRules.filter((rule) => all.includes(rule) || touched.includes(rule))
    const rest: SessionInput[] = touched.length > 0 ? [] : [...inputs]
    if (touched.length > 0)
      for (const portion of await this.portions(inputs, all))
        rest.push(...(await this.checkNew(portion, all, touched)))
    for (const portion of await this.portions(rest, rules)) {
      await this.prepare(daysOf(portion))
      const subjects = await addMarketRows(this.database, daysOf(portion), rules)
      await this.record(await this.runRules(rules, subjects), portion, rules)
    }
  }

  /** Divides sessions by their bars, where the rules read all of them. */
  private async portions(inputs: readonly SessionInput[], rules: readonly Rule[]): Promise<SessionInput[][]> {
    const days = daysOf(inputs)
    const portions = readBars(rules) ? await portionsOf(this.database, days) : portionsWithoutBars(days)
    return portions.map((portion) => inputs.filter(({ trading_date }) => portion.includes(trading_date)))
  }

  /**
   * Checks the symbols alone of which the runs brought bars, and what other rules need.
   *
   * @returns the sessions that need a check of all symbols
   */
  private async checkNew(
    inputs: readonly SessionInput[],
    all: readonly Rule[],
    touched: readonly Rule[],
  ): Promise<readonly SessionInput[]> {
    const { database } = this
    const { onRule, signal } = this.options
    await this.prepare(daysOf(inputs))
    this.prepared = ''
    const { results, contradicted } = await checkTouched(database, daysOf(inputs), touched, (rule) => {
      signal?.throwIfAborted()
      onRule?.(rule)
    })
    const kept = inputs.filter(({ trading_date }) => !contradicted.includes(trading_date))
    if (kept.length === 0) await emptyUnrecorded(database)
    else {
      await this.prepare(daysOf(kept))
      const subjects = await addMarketRows(database, daysOf(kept), all)
      const others = await this.runRules(all, subjects)
      await this.record([...results, ...others], kept, [...touched, ...all])
    }
    return inputs.filter((input) => !kept.includes(input))
  }

  /** `prepareSessions`, unless that was the last it was run for. */
  private async prepare(days: readonly Day[]): Promise<void> {
    const wanted = days.join()
    if (this.prepared !== wanted) await prepareSessions(this.database, days)
    this.prepared = wanted
  }

  async checkSnapshots(dates: readonly Day[]): Promise<void> {
    const { database } = this
    const results: RuleResult[] = []
    const checked: CheckedInput[] = []
    for (const asOf of dates) {
      const subjects = await prepareAccounts(database, asOf)
      const inputs = isNoAccount(subjects)
        ? [inputsOfNone(asOf, this.version)]
        : await readSnapshotInputs(database, this.version, this.overrides)
      const changed = await this.changed(inputs)
      if (changed.length === 0) continue
      results.push(...(await this.runRules(this.accountRules, subjects)))
      checked.push(...changed)
    }
    await this.record(results, checked, this.accountRules)
  }

  async markChecked(runs: readonly string[]): Promise<void> {
    await this.record([], [], [], runs)
  }

  /** Inputs of snapshots that have changed since their last check. Adds the stored results of the others. */
  private async changed(inputs: readonly CheckedInput[]): Promise<CheckedInput[]> {
    const former = await storedInputs(this.database, 'snapshot', daysOf(inputs))
    const isSame = (input: CheckedInput): boolean => {
      const before = former.get(input.trading_date)
      return before?.inputs === input.inputs && before.checked_with === input.checked_with
    }
    const same = this.checkUnchanged ? [] : inputs.filter(isSame)
    this.results.push(...(await storedResults(this.database, 'snapshot', daysOf(same), this.accountRules)))
    return inputs.filter((input) => !same.includes(input))
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

/** The first of runs, as SQL: null where there is none. */
function firstOf(runs: readonly string[]): string {
  const [first] = [...runs].sort()
  return first === undefined ? 'NULL::VARCHAR' : literal(first)
}

function readBars(rules: readonly Rule[]): boolean {
  return [...evidenceOf(rules)].some((path) => path.startsWith('audit/bar/'))
}

function daysOf(inputs: readonly CheckedInput[]): Day[] {
  return inputs.map(({ trading_date }) => trading_date).sort()
}
