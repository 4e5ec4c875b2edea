import { type ClosedWalk, isImported } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import { dayRange, type FactParts } from './fact-parts.js'
import type { Steps } from './steps.js'

/** Temp table `walk_answer`: how each walk of the batch ended, with its last page. */
export async function describeWalks(steps: Steps, walks: readonly ClosedWalk[]): Promise<void> {
  const rows = walks.map((walk) => {
    const last = walk.pages.at(-1)
    return {
      walk: walk.id,
      key: walk.window.key,
      timeframe: walk.window.timeframe,
      window_from: walk.window.from,
      window_to: walk.window.to,
      state: walk.end.state,
      reason: walk.end.reason,
      received_at: last?.received_at,
      request_id: last?.id,
    }
  })
  await steps.run('load/batch/walk_answers', { values: [JSON.stringify(rows)] })
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
  await steps.run('load/facts/walk_days', { values: [JSON.stringify(days)] })
  const parts = { relation, in_scope, same_key, ...dayRange(walks) }
  await steps.run('load/facts/missing_counts', { parts })
  await steps.run('load/facts/session_answers')
}
