import type { Status } from '../../read/index.js'
import type { SessionView } from '../../run/session/view.js'
import type { JobStatus } from '../../schedule/next.js'
import { seconds } from '../progress.js'
import { renderSession } from './session.js'
import { count, renderTable } from './table.js'
import { renderWarnings } from './warnings.js'

const NO_SESSION = 'no session is stored: accounts need a one-time password (candlehouse login)'

/** Coverage, freshness, gaps, the last run and the next ones, as text. */
export function renderStatus(
  status: Status,
  session: SessionView | null | undefined,
  jobs: readonly JobStatus[],
): string {
  return [
    freshness(status),
    ...coverage(status),
    ...renderWarnings(status),
    ...gaps(status),
    lastRun(status.lastRun),
    ...(status.idleDays === null
      ? []
      : [
          `API key last used ${status.idleDays} days ago (${status.lastRequestAt}); keys idle for 90 days are suspended`,
        ]),
    // The embedded sandbox needs no stored session: its runs log in by themselves.
    ...(session === undefined ? [] : [session ? renderSession(session) : NO_SESSION]),
    ...jobs.map(
      (job) => `next ${job.name}: ${job.next} (${job.zone}, if \`schedule run\` or its units are active)`,
    ),
  ].join('\n\n')
}

function freshness({ publication }: Status): string {
  if (!publication) return 'nothing is published yet: run candlehouse nightly'
  return `publication ${publication.id}, ${seconds(publication.ageSeconds * 1000)} old (${publication.publishedAt})`
}

function coverage(status: Status): string[] {
  if (status.datasets.length === 0) return []
  // Few users import files: the column is shown only if it has a number.
  const anyImported = status.datasets.some(({ imported }) => imported > 0)
  const numbers = ['keys', 'complete', 'empty', 'incomplete', 'refused', ...(anyImported ? ['imported'] : [])]
  const columns = [
    { title: 'dataset' },
    { title: 'timeframe' },
    { title: 'sessions' },
    ...numbers.map((title) => ({ title, right: true })),
    { title: 'expires next' },
  ]
  const rows = status.datasets.map(({ dataset, timeframe, from, to, nextExpiry, ...windows }) => [
    dataset,
    timeframe,
    from === to ? from : `${from} … ${to}`,
    ...[windows.keys, windows.complete, windows.empty, windows.incomplete, windows.refused].map(count),
    ...(anyImported ? [count(windows.imported)] : []),
    nextExpiry ?? '',
  ])
  return [renderTable(columns, rows)]
}

function gaps(status: Status): string[] {
  const lines = status.gaps.map(
    (gap) => `  ${[gap.dataset, gap.key, gap.timeframe, gap.day].filter(Boolean).join(' ')}: ${gap.reason}`,
  )
  const more = status.gapCount - status.gaps.length
  return [
    ...(lines.length > 0
      ? [['Gaps', ...lines, ...(more > 0 ? [`  and ${count(more)} more`] : [])].join('\n')]
      : []),
    ...(status.quarantined > 0
      ? [`${count(status.quarantined)} rejected records: candlehouse sql "from ops.quarantine"`]
      : []),
  ]
}

function lastRun(run: Record<string, unknown> | null): string {
  if (!run) return 'no run has ended yet'
  return `last run: ${run.job} for ${run.tradingDate}, ended ${run.finishedAt} with exit ${run.exitCode}`
}

/** Row count and content hash per relation. */
export function renderHashes(hashes: Readonly<Record<string, string>>): string {
  const columns = [{ title: 'relation' }, { title: 'rows-xor-sum' }]
  return renderTable(columns, Object.entries(hashes))
}
