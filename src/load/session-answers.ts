import { type ClosedWalk, isImported } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import { boundRows } from './bound-rows.js'
import { dayRange, type FactParts } from './fact-parts.js'
import type { IncompletePages } from './stage-pages.js'
import type { Steps } from './steps.js'

/**
 * Temp table `walk_answer`: how each walk of the batch ended, with its last page. A walk of which a page could not be read
 * in full is incomplete, however it ended; only a user's file stays one, which says nothing about what it does not hold.
 */
export async function describeWalks(
  steps: Steps,
  walks: readonly ClosedWalk[],
  incomplete: IncompletePages,
): Promise<void> {
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
      state: fault ? 'incomplete' : walk.end.state,
      reason: fault ?? walk.end.reason,
      received_at: last?.received_at,
      request_id: last?.id,
    }
  })
  await steps.run('load/batch/walk_answers', { values: [boundRows(rows)] })
}

/**
 * Temp table `session_answer`: what each session of each window was answered with. Sessions are those of the
 * tracked calendar and every day that has rows, so that a replay finds the same ones; of a file, only days that it brings.
 */
export async function answerSessions(
  steps: Steps,
  { relation, in_scope, same_key }: FactParts,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
): Promise<void> {
  const days = walks.map((walk) => ({
    walk: walk.id,
    days: isImported(walk) ? [] : calendar.sessionsBetween(walk.window.from, walk.window.to),
  }))
  await steps.run('load/facts/walk_days', { values: [boundRows(days)] })
  const parts = { relation, in_scope, same_key, ...dayRange(walks) }
  await steps.run('load/facts/missing_counts', { parts })
  await steps.run('load/facts/session_answers')
}
