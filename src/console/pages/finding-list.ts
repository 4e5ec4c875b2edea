import type { Row } from './api.js'

/** What the page of findings shows: all of it is in its address. */
export interface FindingView {
  /** Number of a rule, or `all`. */
  rule: string
  /** State of the findings; empty: all. */
  state: string
  /** Words that a rule, a subject or a note has; of a rule's rows, the symbol, index, account or subject. */
  find: string
  /** Of pages of rows; the first is 1. */
  page: number
}

export const STATES = ['break', 'soft', 'not_evaluable', 'pass'] as const

export const PAGE_FINDINGS = 100

/** The view of an address, `RULE/FILTERS/PAGE`: `5/state:soft,find:TPB/2`. */
export function findingViewOf([rule = '', filters = '', page = '']: readonly string[]): FindingView {
  const filterValue = (name: string): string => {
    const filter = filters.split(',').find((each) => each.startsWith(`${name}:`))
    return decoded(filter?.slice(name.length + 1) ?? '')
  }
  const state = filterValue('state')
  return {
    rule: rule || 'all',
    state: STATES.some((known) => known === state) ? state : '',
    find: filterValue('find'),
    page: Math.max(1, Math.trunc(Number(page)) || 1),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The address of a view. */
export function findingAddress({ rule, state, find, page }: FindingView): string {
  // Encoded twice: a comma within the words must not end the filter.
  const filters = [
    ...(state === '' ? [] : [`state:${state}`]),
    ...(find === '' ? [] : [`find:${encodeURIComponent(find)}`]),
  ].join(',')
  const parts = [rule, filters, page > 1 ? String(page) : '']
  const shown = parts.slice(0, parts.findLastIndex((part) => part !== '') + 1)
  const isPlain = shown.length === 1 && rule === 'all'
  return ['#/findings', ...(isPlain ? [] : shown.map((part) => encodeURIComponent(part)))].join('/')
}

/** Findings within the filters of the view. */
export function foundFindings(findings: readonly Row[], { state, find }: FindingView): Row[] {
  const wanted = find.trim().toLowerCase()
  return findings.filter(
    (row) =>
      (state === '' || row.state === state) &&
      `${row.rule} ${row.title} ${row.subject} ${row.trading_date} ${row.note ?? ''} ${row.accepted ?? ''}`
        .toLowerCase()
        .includes(wanted),
  )
}

/** What one rule found. */
export interface RuleGroup {
  readonly rule: number
  readonly title: string
  readonly severity: string
  /** The worst of its states. */
  readonly state: string
  /** Findings by state. */
  readonly counts: Readonly<Record<string, number>>
  readonly lastDate: string
  readonly offenders: number
}

/** Findings by rule: the worst first, of the same state the newest. */
export function byRule(findings: readonly Row[]): RuleGroup[] {
  const rules = [...new Set(findings.map(({ rule }) => Number(rule)))]
  return rules
    .map((rule) => groupOf(rule, findings))
    .sort(
      (left, right) =>
        STATES.findIndex((state) => state === left.state) -
          STATES.findIndex((state) => state === right.state) ||
        right.lastDate.localeCompare(left.lastDate) ||
        left.rule - right.rule,
    )
}

function groupOf(rule: number, findings: readonly Row[]): RuleGroup {
  const rows = findings.filter((row) => Number(row.rule) === rule)
  const counts: Record<string, number> = {}
  for (const { state } of rows) counts[String(state)] = (counts[String(state)] ?? 0) + 1
  return {
    rule,
    title: String(rows[0]?.title ?? ''),
    severity: String(rows[0]?.severity ?? ''),
    state: STATES.find((state) => counts[state]) ?? 'pass',
    counts,
    lastDate:
      rows
        .map((row) => String(row.trading_date))
        .sort()
        .at(-1) ?? '',
    offenders: rows.reduce((sum, row) => sum + Number(row.offenders ?? 0), 0),
  }
}
