import type { PlanView } from '../../run/jobs/dry-run.js'
import { seconds } from '../progress.js'
import { columnsOf, count, renderTable } from './table.js'

/** The requests that a run would send, why, and how long they would take at the highest allowed rate. */
export function renderPlan(view: PlanView, width?: number): string {
  const rows = view.stages.flatMap((stage) =>
    stage.datasets.map(({ dataset, windows, pages, from, to, why }) => [
      stage.stage,
      dataset,
      count(windows),
      count(pages),
      from === to ? from : `${from} … ${to}`,
      stage.estimate ? `estimate: ${why}` : why,
    ]),
  )
  const columns = columnsOf('stage', 'dataset', '#windows', '#requests', 'sessions', 'why')
  const unknown = view.stages.filter((stage) => stage.estimate && stage.datasets.length === 0)
  const estimated = view.stages.some((stage) => stage.estimate) ? 'about ' : ''
  const atLeast = unknown.length > 0 ? 'at least ' : estimated
  const duration =
    view.seconds === null ? '' : `, ${atLeast}${seconds(view.seconds * 1000)} at the highest rate`
  return [
    `${view.job} for ${view.tradingDate} would send ${atLeast}${count(view.pages)} requests${duration}; nothing was sent`,
    ...(rows.length > 0 ? [renderTable(columns, rows, width)] : []),
    ...unknown.map((stage) => `${stage.stage}: none needed yet; the stages before it may add some`),
    ...(view.assumes === null ? [] : [`The estimates are for ${view.assumes}.`]),
    ...view.inDoubt,
    ...(view.keys
      ? [`keys, one after the other: ${view.keys.join(', ')}; market data with the first that works`]
      : []),
    ...view.leftOut.map((skipped) => `skipped: ${skipped.why} (${skipped.from} to ${skipped.to})`),
  ].join('\n\n')
}
