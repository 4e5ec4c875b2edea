import { dayRange } from './fact-parts.js'
import type { WalkBatch } from './walk-batch.js'

/** Numbers of rows of a file that were skipped, and of their sessions: one per symbol or index, and timeframe. */
export interface Blocked {
  rows: number
  sessions: number
}

export const NOTHING_BLOCKED: Blocked = { rows: 0, sessions: 0 }

/**
 * Removes rows of a user's file from `received_row` if a row of the service is stored for the same session of the same symbol or
 * index (and timeframe): such a session never gets imported rows. This is decided while loading, not before landing, so that a
 * replay decides the same at the same point of its history.
 */
export async function blockSessions({ steps, dataset, walks }: WalkBatch): Promise<Blocked> {
  const { key, relation } = dataset
  const scope = [...new Set([...key.filter((name) => name !== 'opened_at'), 'trading_date'])].join(', ')
  const parts = { relation, scope, ...dayRange(walks) }
  const [blocked] = await steps.rows<{ rows: bigint; sessions: bigint }>(
    'load/batch/blocking_sessions',
    parts,
  )
  if (!blocked?.rows) return NOTHING_BLOCKED
  await steps.run('load/batch/unblocked_rows', { scope })
  return { rows: Number(blocked.rows), sessions: Number(blocked.sessions) }
}
