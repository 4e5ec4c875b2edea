import { oneYearBefore } from '../../market/date-arithmetic.js'
import type { Day } from '../../market/day.js'
import { DATASETS } from '../../plan/datasets.js'
import type { LeftOut } from '../../plan/request.js'
import { isServed, type WantedWindow, windowName } from '../../plan/wanted.js'
import type { MissingWindow } from '../../warehouse/missing.js'
import type { StandingBreak } from '../../warehouse/wanted.js'

/** Days of a rule that are named; the others are counted. */
const NAMED = 3

/** What a repair has to say when it is over. */
export interface Told {
  /** Windows that are still incomplete and served. */
  readonly missing: MissingWindow[]
  readonly leftOut: LeftOut[]
  readonly notes: string[]
  /** What is still broken: the run ends with 4. */
  readonly problems: string[]
}

/** What a repair asked, and how the warehouse stands after it. */
export interface Mending {
  readonly tradingDate: Day
  readonly asked: readonly WantedWindow[]
  /** Breaks whose rows were asked again: `rule subject day`. */
  readonly doubted: ReadonlySet<string>
  /** What is incomplete now, expired windows included. */
  readonly incomplete: readonly WantedWindow[]
  /** What stands broken now. */
  readonly breaks: readonly StandingBreak[]
  readonly leftOut: readonly LeftOut[]
}

/** What was mended, what remains and why. */
export function tellRepair(mending: Mending): Told {
  const { tradingDate, asked, doubted, leftOut } = mending
  const limit = oneYearBefore(tradingDate)
  const incomplete = mending.incomplete.filter((each) => isServed(each, limit))
  const missing = incomplete.map((each) => ({ dataset: each.dataset, line: lineOf(each) }))
  const standing = new Set(mending.breaks.map(breakOf))
  const holes = asked.filter(({ exact }) => exact)
  const open = new Set(incomplete.map(windowName))
  const mended = holes.filter((each) => !open.has(windowName(each)))
  const cured = [...doubted].filter((each) => !standing.has(each))
  const notes = [
    ...(holes.length > 0
      ? [`mended ${mended.length} of ${holes.length} incomplete windows${byDataset(mended)}`]
      : []),
    ...(doubted.size > 0 ? [`mended ${cured.length} of ${doubted.size} broken findings`] : []),
  ]
  const problems = brokenLines(mending.breaks, doubted)
  if (asked.length === 0 && missing.length === 0 && problems.length === 0)
    notes.push(
      'nothing to mend: no window is incomplete that is still served, and no rule stands broken; nothing was asked',
    )
  return { missing, leftOut: [...leftOut], notes, problems }
}

/** Breaks that asking again did not mend, and errors that it cannot mend: a line a rule. */
function brokenLines(breaks: readonly StandingBreak[], doubted: ReadonlySet<string>): string[] {
  const lines = new Map<string, { why: string; of: string[] }>()
  for (const each of breaks) {
    const again = doubted.has(breakOf(each))
    if (!again && each.severity === 'warn') continue
    const why = again
      ? 'the service says the same again'
      : each.subject === 'market'
        ? 'it cannot be asked again'
        : 'a snapshot is of its moment: the next one tells'
    const line = `rule ${each.rule} stands broken (${each.title}; ${why})`
    const of = each.subject === 'market' ? each.day : `${each.subject} ${each.day}`
    const known = lines.get(line)
    if (known) known.of.push(of)
    else lines.set(line, { why, of: [of] })
  }
  return [...lines].map(([line, { of }]) => {
    const more = of.length - NAMED
    return `${line}: ${of.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  })
}

function breakOf({ rule, subject, day }: StandingBreak): string {
  return `${rule} ${subject} ${day}`
}

function byDataset(windows: readonly WantedWindow[]): string {
  const counts = DATASETS.map(
    (name) => [windows.filter(({ dataset }) => dataset === name).length, name] as const,
  )
  const told = counts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`)
  return told.length > 0 ? `: ${told.join(', ')}` : ''
}

/** As the other jobs name a missing window. */
function lineOf({ key, timeframe, day, why }: WantedWindow): string {
  return `${[key === '*' ? '' : key, timeframe, day].filter(Boolean).join(' ')}: ${why.replace(/^incomplete: /, '')}`
}
