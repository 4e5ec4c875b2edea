import type { ImportView } from '../../run/verbs/import.js'
import { count } from './table.js'

/** What an import would add, as text. */
export function renderImport(view: ImportView): string {
  const { dataset, relation, file, rows, subjects, sessions, from, to, standing, undated } = view
  const kind = dataset === 'indexSummary' ? 'indexes' : 'symbols'
  const lines = [
    `${file}: ${count(rows)} rows for ${relation}, ${count(subjects)} ${kind}, ${count(sessions)} sessions, ${from} to ${to}; nothing was written`,
    ...(standing ? [`rows already stored from the service, which stay as they are: ${count(standing)}`] : []),
    ...(undated > 0
      ? [`rows without a readable day, which would go to ops.quarantine: ${count(undated)}`]
      : []),
    ...view.notes,
  ]
  return lines.join('\n')
}
