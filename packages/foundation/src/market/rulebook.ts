import { StorageError } from '../errors.js'
import type { TradingBoard } from './board.js'
import type { Day } from './day.js'
import { cell, holdsOn, readReference } from './reference.js'

/** How sure a rule is: an exchange, a law or two sources state it; it was measured on data; or it follows from a weaker source. */
export const CERTAINTIES = ['published', 'measured', 'inferred'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** One rule of the market with its validity: a line of `data/reference/market_rules.csv`. */
export interface MarketRule {
  readonly rule: string
  /**
   * A path: `*`, a board, a board and a kind (`HOSE/etf`), the derivatives market and an underlying (`DERIVATIVE/VN30`). The most
   * specific one holds.
   */
  readonly scope: string
  readonly validFrom: Day
  /** Last day, included; empty: it still holds. */
  readonly validTo: Day | ''
  readonly value: string
  readonly unit: string
  readonly source: string
  readonly certainty: Certainty
}

/** What a rule is looked up for. */
export interface RuleScope {
  readonly board: TradingBoard
  /** Of an instrument: `stock`, `etf`, `covered_warrant`, `future`. */
  readonly kind: string
  /** Of a future. */
  readonly underlying?: string | undefined
}

const COLUMNS = ['rule', 'scope', 'valid_from', 'valid_to', 'value', 'unit', 'source', 'certainty']

let table: readonly MarketRule[] | undefined

/** Every rule, in the order of the file. */
export function marketRules(): readonly MarketRule[] {
  table ??= readReference('market_rules', COLUMNS).map((row) => ({
    rule: cell(row, 'rule'),
    scope: cell(row, 'scope'),
    validFrom: cell(row, 'valid_from'),
    validTo: cell(row, 'valid_to'),
    value: cell(row, 'value'),
    unit: cell(row, 'unit'),
    source: cell(row, 'source'),
    certainty: cell(row, 'certainty') as Certainty,
  }))
  return table
}

/** Scopes that an instrument lies in, the most specific one first. */
function scopesOf({ board, kind, underlying }: RuleScope): string[] {
  return [`${board}/${underlying ?? kind}`, board, '*']
}

const rowsByScope = new Map<string, readonly MarketRule[]>()

/** The rule that holds for an instrument on a day; undefined where none is recorded. */
export function ruleOn(rule: string, scope: RuleScope, day: Day): MarketRule | undefined {
  const name = [rule, scope.board, scope.kind, scope.underlying].join(' ')
  let rows = rowsByScope.get(name)
  if (!rows) {
    const rules = marketRules().filter((each) => each.rule === rule)
    rows = scopesOf(scope).flatMap((path) => rules.filter((each) => each.scope === path))
    rowsByScope.set(name, rows)
  }
  return rows.find((row) => holdsOn(row, day))
}

/** The value of a rule that is a number. @throws StorageError where none is recorded for the day */
export function ruleNumber(rule: string, scope: RuleScope, day: Day): number {
  const holding = ruleOn(rule, scope, day)
  if (!holding) {
    throw new StorageError(
      `market_rules.csv has no ${rule} for ${scope.underlying ?? scope.kind} on ${scope.board} at ${day}`,
    )
  }
  return Number(holding.value)
}

/** How a code of futures is written: before the change of codes in 2025 (`VN30F{yymm}`), or since (`41I1{y}{m}000`). */
export type CodeScheme = 'legacy' | 'present'

const TEMPLATES: Readonly<Record<CodeScheme, string>> = { legacy: '{yymm}', present: '{y}{m}000' }

/** What stands before year and month in codes of futures, by underlying. */
export function codePrefixes(scheme: CodeScheme): ReadonlyMap<string, string> {
  const end = TEMPLATES[scheme]
  return new Map(codeRules(scheme).map((rule) => [underlyingOf(rule), rule.value.slice(0, -end.length)]))
}

/** First day on which futures on an underlying are listed under codes of a scheme; undefined where they never were. */
export function codesSince(scheme: CodeScheme, underlying: string): Day | undefined {
  return codeRules(scheme).find((rule) => underlyingOf(rule) === underlying)?.validFrom
}

function codeRules(scheme: CodeScheme): readonly MarketRule[] {
  return marketRules().filter(
    ({ rule, value }) => rule === 'contract_code' && value.endsWith(TEMPLATES[scheme]),
  )
}

/** How codes of a kind are written, as a regular expression for the whole code: rule `instrument_code`. */
export function codePattern(kind: string): string {
  const patterns = marketRules()
    .filter(({ rule, scope }) => rule === 'instrument_code' && scope.endsWith(`/${kind}`))
    .flatMap(({ value }) => value.split(';'))
  return patterns.join('|')
}

/** The underlying of a rule of futures: `VN30` of `DERIVATIVE/VN30`. */
export function underlyingOf({ scope }: MarketRule): string {
  return scope.slice(scope.indexOf('/') + 1)
}
