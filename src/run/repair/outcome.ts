import type { Day } from 'candlehouse-foundation/market/day'
import { DATASETS } from '../../plan/datasets.js'
import type { SkippedWindows } from '../../plan/request.js'
import { servedFrom } from '../../plan/served.js'
import { isServed, type WantedWindow, windowName } from '../../plan/wanted.js'
import type { MissingWindow } from '../../warehouse/missing.js'
import type { IncompleteWindow, OpenFinding } from '../../warehouse/wanted-windows.js'

/** Days per rule that are named; the others are counted. */
const NAMED_DAYS = 3

export interface RepairOutcome {
  /** Windows that are still incomplete and that the service still serves. */
  readonly missing: readonly MissingWindow[]
  readonly skipped: readonly SkippedWindows[]
  readonly notes: readonly string[]
  /** What is still broken: the run ends with 4. */
  readonly problems: readonly BrokenRuleLine[]
}

/** A rule that is still broken, in words. */
export interface BrokenRuleLine {
  readonly text: string
  readonly rule: number
  readonly severity: 'error' | 'warn'
}

/** What a repair requested, and the state of the warehouse after it. */
export interface RepairState {
  readonly tradingDate: Day
  readonly requested: readonly WantedWindow[]
  /** Findings whose rows were fetched again: `rule subject day`. */
  readonly refetched: ReadonlySet<string>
  /** What is incomplete now, expired windows included. */
  readonly incomplete: readonly IncompleteWindow[]
  readonly openFindings: readonly OpenFinding[]
  readonly skipped: readonly SkippedWindows[]
}

export function repairOutcome(state: RepairState): RepairOutcome {
  const { tradingDate, requested, refetched, openFindings, skipped } = state
  const limit = servedFrom(tradingDate)
  const incomplete = state.incomplete.filter((window) => isServed(window, limit))
  const missing = incomplete.map((window) => ({ dataset: window.dataset, line: lineOf(window) }))
  const problems = problemLines(openFindings, refetched)
  const nothing = requested.length === 0 && missing.length === 0 && problems.length === 0
  const notes = [
    ...windowNotes(requested, incomplete),
    ...findingNotes(refetched, openFindings),
    ...(nothing
      ? ['nothing to repair: all fetchable windows are complete and no rule is broken; no requests sent']
      : []),
  ]
  return { missing, skipped, notes, problems }
}

function windowNotes(requested: readonly WantedWindow[], incomplete: readonly WantedWindow[]): string[] {
  const before = requested.filter(({ exact }) => exact)
  if (before.length === 0) return []
  const after = new Set(incomplete.map(windowName))
  const repaired = before.filter((window) => !after.has(windowName(window)))
  return [`repaired ${repaired.length} of ${before.length} incomplete windows${perDataset(repaired)}`]
}

function findingNotes(refetched: ReadonlySet<string>, openFindings: readonly OpenFinding[]): string[] {
  if (refetched.size === 0) return []
  const open = new Set(openFindings.map(findingName))
  const repaired = [...refetched].filter((name) => !open.has(name))
  return [`repaired ${repaired.length} of ${refetched.size} broken findings`]
}

/** Findings that fetching again did not repair, and errors that it cannot repair: one line per rule. */
function problemLines(findings: readonly OpenFinding[], refetched: ReadonlySet<string>): BrokenRuleLine[] {
  const lines = new Map<string, { finding: OpenFinding; subjects: string[] }>()
  for (const finding of findings) {
    const again = refetched.has(findingName(finding))
    if (!again && finding.severity === 'warn') continue
    const line = `rule ${finding.rule} is broken (${finding.title}; ${whyOf(finding, again)})`
    const subject = finding.subject === 'market' ? finding.day : `${finding.subject} ${finding.day}`
    lines.set(line, { finding, subjects: [...(lines.get(line)?.subjects ?? []), subject] })
  }
  return [...lines].map(([line, { finding, subjects }]) => {
    const more = subjects.length - NAMED_DAYS
    const text = `${line}: ${subjects.slice(0, NAMED_DAYS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    return { text, rule: finding.rule, severity: finding.severity }
  })
}

function whyOf({ subject }: OpenFinding, again: boolean): string {
  if (again) return 'fetched again; the service returned the same values'
  return subject === 'market'
    ? 'it cannot be fetched again'
    : 'past snapshots cannot be fetched again; see the next one'
}

function findingName({ rule, subject, day }: OpenFinding): string {
  return `${rule} ${subject} ${day}`
}

function perDataset(windows: readonly WantedWindow[]): string {
  const counts = DATASETS.map(
    (name) => [windows.filter(({ dataset }) => dataset === name).length, name] as const,
  )
  const shown = counts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`)
  return shown.length > 0 ? `: ${shown.join(', ')}` : ''
}

/** As the other jobs name a missing window. */
function lineOf({ key, timeframe, day, reason }: IncompleteWindow): string {
  return `${[key === '*' ? '' : key, timeframe, day].filter(Boolean).join(' ')}: ${reason}`
}
