import type { KeySummary, RunSummary } from '../../run/report/summary.js'
import { seconds } from '../progress.js'
import { renderChecks } from './checks.js'
import { count, renderTable } from './table.js'

/** Missing windows shown per dataset; the others are counted. */
const SHOWN = 5

/** The end of a run, as text: figures per dataset, what is missing and why, what to type next. */
export function renderSummary(summary: RunSummary): string {
  const { job, tradingDate, exitCode, datasets } = summary
  const took = seconds(Date.parse(summary.finishedAt) - Date.parse(summary.startedAt))
  const parts = [`${job} for ${tradingDate}: ${outcome(exitCode)} in ${took}`]
  if (datasets.length > 0) {
    const columns = ['windows', 'requests', 'rows', 'changed', 'rejected', 'missing']
    parts.push(
      renderTable(
        [{ title: 'dataset' }, ...columns.map((title) => ({ title, right: true }))],
        datasets.map(({ dataset, missing, ...total }) => [
          dataset,
          ...[total.windows, total.requests, total.rows, total.changed, total.rejected, missing.length].map(
            count,
          ),
        ]),
      ),
    )
  }
  const missing = datasets.flatMap(({ dataset, missing: lines }) => [
    ...lines.slice(0, SHOWN).map((line) => `  ${dataset} ${line}`),
    ...(lines.length > SHOWN ? [`  ${dataset}: ${lines.length - SHOWN} more (candlehouse status)`] : []),
  ])
  if (summary.keys) parts.push(['Keys', ...summary.keys.map(keyLine)].join('\n'))
  if (missing.length > 0) parts.push(['Missing', ...missing].join('\n'))
  if (summary.checks) parts.push(...renderChecks(summary.checks))
  if (summary.notes.length > 0) parts.push(['Notes', ...summary.notes.map((note) => `  ${note}`)].join('\n'))
  if (summary.next.length > 0) parts.push(['Next', ...summary.next.map((line) => `  ${line}`)].join('\n'))
  return parts.join('\n\n')
}

function keyLine({ name, market, accounts }: KeySummary): string {
  const parts = [...(market ? ['market data'] : []), ...(accounts ? [`accounts ${accounts}`] : [])]
  return `  ${name}: ${parts.join(', ')}`
}

function outcome(exitCode: number): string {
  if (exitCode === 0) return 'complete'
  return exitCode === 4
    ? 'finished with gaps, rejected rows or broken rules (exit 4)'
    : `failed (exit ${exitCode})`
}
