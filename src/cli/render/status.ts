import { shownInstant } from 'candlehouse-foundation/market/day'
import { killedWords } from '../../night/progress.js'
import { driftLine } from '../../plan/field-drift.js'
import type { Status } from '../../read/index.js'
import type { SessionView } from '../../run/session/view.js'
import type { JobStatus } from '../../schedule/next.js'
import type { CalendarStatus } from '../../settings/calendar-status.js'
import { seconds } from '../progress.js'
import { renderConclusion } from './conclusion.js'
import { renderSession } from './key-status.js'
import { columnsOf, count, renderTable } from './table.js'

const KILLED_NEXT = 'type its command again, it continues where it stopped'

const NO_SESSION = 'no session is stored: accounts need a one-time password (candlehouse login)'

/** Coverage, freshness, gaps, the last run and the next ones, as text. */
export function renderStatus(
  status: Status,
  session: SessionView | null | undefined,
  jobs: readonly JobStatus[],
  width?: number,
): string {
  return [
    ...(status.killedRun ? [`${killedWords(status.killedRun)}: ${KILLED_NEXT}`] : []),
    ...(status.conclusion ? [renderConclusion(status.conclusion)] : []),
    freshness(status),
    ...bucketLines(status),
    ...coverage(status, width),
    ...gaps(status),
    ...drift(status),
    ...(status.lastRun || status.conclusion ? [] : ['no run has ended yet']),
    ...(status.idleDays === null
      ? []
      : [
          `API key last used ${status.idleDays} days ago (${shownInstant(status.lastRequestAt ?? '')}); keys idle for 90 days are suspended`,
        ]),
    // The embedded sandbox needs no stored session: its runs log in by themselves.
    ...(session === undefined ? [] : [session ? renderSession(session) : NO_SESSION]),
    ...jobs.map(
      (job) => `next ${job.name}: ${shownInstant(job.next)} (if \`schedule run\` or its units are active)`,
    ),
  ].join('\n\n')
}

function freshness({ publication }: Status): string {
  if (!publication) return 'nothing is published yet: run candlehouse nightly'
  return `publication ${publication.id}, ${ageOf(publication.ageSeconds)} old (${shownInstant(publication.publishedAt)})`
}

/** Hours are read up to some days. */
function ageOf(age: number): string {
  const days = Math.floor(age / 86_400)
  return days < 4 ? seconds(age * 1000) : `${days} days`
}

/** What readers of the bucket see, and how far that is behind. */
function bucketLines({ bucket, publication }: Status): string[] {
  if (!bucket) return []
  const has = bucket.publication === null ? 'nothing published yet' : `publication ${bucket.publication}`
  const behind = (publication?.id ?? 0) - (bucket.publication ?? 0)
  const lag = behind > 0 ? `, ${count(behind)} behind` : ''
  const failure = bucket.failure ? `\n  at ${shownInstant(bucket.at)}: ${bucket.failure}` : ''
  return [`bucket ${bucket.url}: ${has}${lag}${failure}`]
}

function coverage({ datasets }: Status, width: number | undefined): string[] {
  if (datasets.length === 0) return []
  const table = coverageTable(datasets)
  const isTooWide = width !== undefined && table.split('\n').some((line) => line.length > width)
  return [isTooWide ? narrowCoverage(datasets, width) : table]
}

function coverageTable(datasets: Status['datasets']): string {
  // Few users import files: the column is shown only if it has a number.
  const anyImported = datasets.some(({ imported }) => imported > 0)
  const numbers = [
    '#keys',
    '#complete',
    '#empty',
    '#incomplete',
    '#refused',
    ...(anyImported ? ['#imported'] : []),
  ]
  const columns = columnsOf('dataset', 'timeframe', 'sessions', ...numbers, 'expires next')
  const rows = datasets.map((status) => [
    status.dataset,
    status.timeframe,
    sessions(status),
    ...[status.keys, status.complete, status.empty, status.incomplete, status.refused].map(count),
    ...(anyImported ? [count(status.imported)] : []),
    status.nextExpiry ?? '',
  ])
  return renderTable(columns, rows)
}

/** As `coverageTable`, for a narrow terminal: the numbers of windows share one column, which wraps. */
function narrowCoverage(datasets: Status['datasets'], width: number): string {
  const columns = columnsOf('dataset', 'timeframe', 'sessions', '#keys', 'windows', 'expires next')
  const rows = datasets.map((status) => {
    const windows = (['complete', 'empty', 'incomplete', 'refused', 'imported'] as const)
      .filter((state) => status[state] > 0)
      .map((state) => `${count(status[state])} ${state}`)
    return [
      status.dataset,
      status.timeframe,
      sessions(status),
      count(status.keys),
      windows.join(', '),
      status.nextExpiry ?? '',
    ]
  })
  return renderTable(columns, rows, width)
}

function sessions({ from, to }: Status['datasets'][number]): string {
  return from === to ? from : `${from} … ${to}`
}

function gaps(status: Status): string[] {
  const lines = status.gaps.map(
    (gap) => `  ${[gap.dataset, gap.key, gap.timeframe, gap.day].filter(Boolean).join(' ')}: ${gap.reason}`,
  )
  const more = status.gapCount - status.gaps.length
  if (lines.length === 0) return []
  return [['Gaps', ...lines, ...(more > 0 ? [`  and ${count(more)} more`] : [])].join('\n')]
}

function drift({ drift: datasets }: Status): string[] {
  if (datasets.length === 0) return []
  return [
    ['Fields other than in the specification', ...datasets.map((each) => `  ${driftLine(each)}`)].join('\n'),
  ]
}

/** A warning where the user's own calendar cannot be read; else nothing. That it ends is a note of a night, once a week. */
export function renderCalendar({ problem }: CalendarStatus): string[] {
  return problem === null ? [] : [`warning: runs will refuse ${problem}`]
}

export function renderHashes(hashes: Readonly<Record<string, string>>): string {
  return renderTable(columnsOf('relation', 'rows-xor-sum'), Object.entries(hashes))
}
