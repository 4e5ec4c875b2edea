import type { ImportView } from '../../run/verbs/import.js'
import { count } from './table.js'

/** What an import would bring, for people. */
export function renderImport(view: ImportView): string {
  const { dataset, relation, file, rows, subjects, sessions, from, to, standing, undated } = view
  const who = dataset === 'indexSummary' ? 'indexes' : 'symbols'
  const lines = [
    `${file}: ${count(rows)} rows for ${relation}, ${who} ${count(subjects)}, sessions ${count(sessions)}, ${from} to ${to}; nothing was written`,
    ...(standing ? [`already held from the service, and left as they are: ${count(standing)} rows`] : []),
    ...(undated > 0 ? [`without a day that can be read, for ops.quarantine: ${count(undated)} rows`] : []),
    ...view.notes,
  ]
  return lines.join('\n')
}
