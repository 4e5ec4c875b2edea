import type { ClosedWalk } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'
import { dayRange } from './fact-parts.js'
import type { Steps } from './steps.js'

/** Rows of a file that were skipped, and the sessions of a symbol or index (and timeframe) that they are about. */
export interface Blocked {
  rows: number
  sessions: number
}

export const NOTHING_BLOCKED: Blocked = { rows: 0, sessions: 0 }

/**
 * Takes out of `received_row` what a user's file says of sessions that the service has answered: a symbol's or index's
 * session (of a timeframe) of which any stored row came with an answer stays as it is, whole. Decided here, where rows are
 * compared with stored ones, and not before they are landed: a replay decides the same, at the same place in history.
 */
export async function blockSessions(
  steps: Steps,
  { key, relation }: Dataset,
  walks: readonly ClosedWalk[],
): Promise<Blocked> {
  const scope = [...new Set([...key.filter((name) => name !== 'opened_at'), 'trading_date'])].join(', ')
  const [blocked] = await steps.rows<{ rows: bigint; sessions: bigint }>('load/batch/blocking_sessions', {
    parts: { relation, scope, ...dayRange(walks) },
  })
  if (!blocked?.rows) return NOTHING_BLOCKED
  await steps.run('load/batch/unblocked_rows', { parts: { scope } })
  return { rows: Number(blocked.rows), sessions: Number(blocked.sessions) }
}
