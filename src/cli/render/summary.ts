import { seriousReasons, shortHeadline } from '../../night/conclusion.js'
import type { KeySummary, RunSummary } from '../../night/summary.js'
import { seconds } from '../progress.js'
import { renderChecks } from './checks.js'
import { renderNext, renderReasons } from './conclusion.js'
import { columnsOf, count, renderTable } from './table.js'

/** The end of a run, as text: its conclusion, the figures per dataset, the rules, what to type next. */
export function renderSummary(summary: RunSummary): string {
  const { job, tradingDate, exitCode, datasets, conclusion } = summary
  const took = seconds(Date.parse(summary.finishedAt) - Date.parse(summary.startedAt))
  const exit = exitCode === 0 ? '' : ` (exit ${exitCode})`
  const first = `${job} for ${tradingDate}: ${shortHeadline(conclusion)} in ${took}${exit}`
  const parts = [[first, ...renderReasons(conclusion)].join('\n')]
  if (datasets.length > 0) {
    parts.push(
      renderTable(
        columnsOf('dataset', '#windows', '#requests', '#rows', '#changed', '#rejected', '#missing'),
        datasets.map(({ dataset, missing, ...total }) => [
          dataset,
          ...[total.windows, total.requests, total.rows, total.changed, total.rejected, missing.length].map(
            count,
          ),
        ]),
      ),
    )
  }
  if (summary.keys) parts.push(['Keys', ...summary.keys.map(keyLine)].join('\n'))
  if (summary.checks) parts.push(...renderChecks(summary.checks))
  const said = new Set(seriousReasons(conclusion).map(({ text }) => text))
  const notes = summary.notes.filter((note) => !said.has(note))
  if (notes.length > 0) parts.push(['Notes', ...notes.map((note) => `  ${note}`)].join('\n'))
  const look = summary.next.slice(conclusion.next.length).map((line) => `  ${line}`)
  parts.push(
    [...renderNext(conclusion), ...(conclusion.next.length === 0 ? ['Next'] : []), ...look].join('\n'),
  )
  return parts.join('\n\n')
}

function keyLine({ name, market, accounts }: KeySummary): string {
  const parts = [...(market ? ['market data'] : []), ...(accounts ? [`accounts ${accounts}`] : [])]
  return `  ${name}: ${parts.join(', ')}`
}
