import { withheldWords } from '../lake/withheld-rows.js'
import type { Conclusion } from '../night/conclusion.js'
import type { RunProgress } from '../night/progress.js'
import type { PublicationFacts } from './publication-facts.js'
import { shownConclusion } from './shown-conclusion.js'

/** A line of the status: what it is about, its name, its value. */
export type StatusRow = readonly [about: string, name: string, value: unknown]

/** Gaps and withheld sessions that are named. */
const NAMED = 10

/** The state of the data: whether the night is good, what is stored, what is missing. */
export function statusRows(
  facts: PublicationFacts,
  conclusion: Conclusion | null,
  progress: RunProgress | null,
  hasAccounts: boolean,
): StatusRow[] {
  const { publication, datasets, gaps, gapCount, missing, withheld } = facts
  return [
    ...Object.entries(publication).map(([name, value]) => ['publication', name, value] as const),
    ...nightRows(conclusion, hasAccounts),
    ['run', 'under way', progress === null ? 'no' : 'yes: this publication is the one before it'],
    ['gaps', 'incomplete windows', gapCount],
    ['gaps', 'sessions never requested', missing.length],
    ['withheld', 'sessions shown as they were before', withheld.length],
    ...datasets.map(
      ({ dataset, timeframe, from, to, keys, incomplete }) =>
        [
          'dataset',
          [dataset, timeframe].filter(Boolean).join(' '),
          `${from}..${to}, ${keys} keys, ${incomplete} incomplete windows`,
        ] as const,
    ),
    ...withheld
      .slice(0, NAMED)
      .map((each) => ['withheld', `rule ${each.rule}: ${each.title}`, withheldWords(each)] as const),
    ...gaps
      .slice(0, NAMED)
      .map(
        ({ dataset, key, timeframe, day, reason }) =>
          [
            'gap',
            [dataset, timeframe, key, day].filter((word) => word !== '' && word !== '*').join(' '),
            reason,
          ] as const,
      ),
  ]
}

function nightRows(conclusion: Conclusion | null, hasAccounts: boolean): StatusRow[] {
  if (conclusion === null) return [['night', 'conclusion', 'no run has left one']]
  const { reasons, next, ...night } = shownConclusion(conclusion, hasAccounts)
  return [
    ...Object.entries(night).map(([name, value]) => ['night', name, value] as const),
    ...reasons.map((reason) => ['night', 'reason', reason] as const),
    ...next.map((line) => ['night', 'what to type', line] as const),
  ]
}
