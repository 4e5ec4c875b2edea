import { type ClosedWalk, isImported } from '../land/journal.js'
import { isList } from '../plan/datasets.js'
import { boundRows } from './bound-rows.js'
import { dayRange, type FactParts } from './fact-parts.js'
import type { IncompletePages } from './stage-pages.js'
import type { WalkBatch } from './walk-batch.js'

/**
 * Creates temp table `walk_answer`: how each page walk of the batch ended, with its last page. A walk with a page of which not all
 * records could be read is incomplete. A user's file never is, because rows that it does not have are not missing.
 */
export async function describeWalks({ steps, walks }: WalkBatch, incomplete: IncompletePages): Promise<void> {
  const rows = walks.map((walk) => {
    const last = walk.pages.at(-1)
    const short = isImported(walk) ? undefined : walk.pages.find(({ id }) => incomplete.has(id))
    const fault = short && `page ${short.page}: ${incomplete.get(short.id)}`
    return {
      walk: walk.id,
      key: walk.window.key,
      timeframe: walk.window.timeframe,
      window_from: walk.window.from,
      window_to: walk.window.to,
      ...(fault ? { state: 'incomplete', reason: fault, reason_code: null } : answerOf(walk)),
      received: walk.pages.reduce((sum, page) => sum + page.rows, 0),
      items_count: walk.pages.map((page) => page.told?.items).find((items) => items !== undefined) ?? null,
      received_at: last?.received_at,
      request_id: last?.id,
    }
  })
  await steps.run('load/batch/walk_answers', {}, [boundRows(rows)])
}

/**
 * How a walk ended, for the ledger. `400` refuses the query: a limit may explain that, of datasets with sessions. Every other
 * refusal is a failure, whatever an earlier version wrote in the journal.
 */
function answerOf({ window, end, pages }: ClosedWalk): {
  state: string
  reason: string | null
  reason_code: string | null
} {
  const { state, reason, code = null } = end
  if (state !== 'refused') return { state, reason, reason_code: code }
  const isOfQuery = pages.at(-1)?.status === 400 || reason?.startsWith('400') === true
  if (isOfQuery && !isList(window.dataset)) return { state, reason, reason_code: 'refusal' }
  return { state: 'incomplete', reason: `refused: ${reason ?? ''}`, reason_code: 'failed' }
}

/**
 * Creates temp table `session_answer`: state and reason of the answer for each session of each window. Sessions are those of the
 * packaged calendar and every day with rows, so that a replay finds the same ones. For a file only days with rows count.
 */
export async function answerSessions(
  { steps, walks, calendar }: WalkBatch,
  { relation, in_scope, same_key }: FactParts,
): Promise<void> {
  const days = walks.map((walk) => ({
    walk: walk.id,
    days: isImported(walk) ? [] : calendar.sessionsBetween(walk.window.from, walk.window.to),
  }))
  await steps.run('load/facts/walk_days', {}, [boundRows(days)])
  const parts = { relation, in_scope, same_key, ...dayRange(walks) }
  await steps.run('load/facts/missing_counts', parts)
  await steps.run('load/facts/session_answers')
}
