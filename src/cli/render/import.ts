import { counted } from 'candlehouse-foundation/number-text'
import { visible } from 'candlehouse-foundation/visible'
import type { ImportView } from '../../run/verbs/import.js'
import { count } from './table.js'

/** Rejected records that are named: `--json` has all of them. */
const NAMED_RECORDS = 5

export function renderImport(view: ImportView): string {
  const { dataset, relation, file, rows, subjects, sessions, from, to, standing, undated } = view
  const rejected = view.rejected ?? []
  const days = dataset === 'corporateActions' ? 'ex-date' : 'session'
  const kind =
    dataset === 'indexSummary' ? counted(subjects, 'index', 'indexes') : counted(subjects, 'symbol')
  const lines = [
    `${file}: ${counted(rows, 'row')} for ${relation}, ${kind}, ${counted(sessions, days)}, ${from} to ${to}; nothing was written`,
    ...(standing ? [`rows already stored from the service, which stay as they are: ${count(standing)}`] : []),
    ...(rejected.length > 0 ? [`rows that would go to ops.quarantine: ${count(rejected.length)}`] : []),
    ...rejected.slice(0, NAMED_RECORDS).map((reason) => `  ${reason}`),
    ...(undated > 0 && view.rejected === null
      ? [`rows without a readable day, which would go to ops.quarantine: ${count(undated)}`]
      : []),
    ...(view.rejected === null
      ? ['numbers and texts are checked when the file is imported: ops.quarantine then has what is wrong']
      : []),
    ...view.notes,
  ]
  return visible(lines.join('\n'))
}
