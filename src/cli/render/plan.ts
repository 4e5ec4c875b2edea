import type { PlanView } from '../../run/jobs/dry-run.js'
import { seconds } from '../progress.js'
import { count, renderTable } from './table.js'

/** What a run would ask for, why, and how long it would take at the highest rate allowed. */
export function renderPlan(view: PlanView): string {
  const rows = view.stages.flatMap((stage) =>
    stage.datasets.map((each) => [
      stage.stage,
      each.dataset,
      count(each.windows),
      count(each.pages),
      each.from === each.to ? each.from : `${each.from} … ${each.to}`,
      stage.estimate ? `estimate: ${each.why}` : each.why,
    ]),
  )
  const columns = [
    { title: 'stage' },
    { title: 'dataset' },
    { title: 'windows', right: true },
    { title: 'requests', right: true },
    { title: 'sessions' },
    { title: 'why' },
  ]
  const unknown = view.stages.filter((stage) => stage.estimate && stage.datasets.length === 0)
  const about = view.stages.some((stage) => stage.estimate) ? 'at least ' : ''
  const duration =
    view.seconds === null ? '' : `, ${about}${seconds(view.seconds * 1000)} at the highest rate`
  return [
    `${view.job} for ${view.tradingDate} would send ${about}${count(view.pages)} requests${duration}; nothing was sent`,
    ...(rows.length > 0 ? [renderTable(columns, rows)] : []),
    ...unknown.map((stage) => `${stage.stage}: known once the stages before it have run`),
    ...view.leftOut.map((left) => `left out: ${left.why} (${left.from} to ${left.to})`),
  ].join('\n\n')
}
