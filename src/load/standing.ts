import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import type { ClosedWalk } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'

/** Rows of a file that were left out, and the sessions of a symbol or index (and timeframe) that they speak of. */
export interface Left {
  rows: number
  sessions: number
}

export const NOTHING_LEFT: Left = { rows: 0, sessions: 0 }

/**
 * Takes out of `fresh` what a user's file says of sessions that the service has spoken of: a symbol's or index's session
 * (of a timeframe) of which any row held came with an answer stays as it is, whole. Decided here, where rows are compared
 * with what is held, and not before they are landed: a replay decides the same, at the same place in history.
 */
export async function leaveStanding(
  database: Database,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
): Promise<Left> {
  const scope = [...new Set([...dataset.key.filter((name) => name !== 'opened_at'), 'trading_date'])].join(
    ', ',
  )
  const days = walks.flatMap(({ window }) => [window.from, window.to]).sort()
  // Literal bounds let DuckDB skip row groups of other sessions.
  await database.run(`CREATE OR REPLACE TEMP TABLE standing AS
    SELECT DISTINCT ${scope} FROM ${dataset.relation} held SEMI JOIN fresh USING (${scope})
    WHERE held.trading_date BETWEEN ${literal(days[0] ?? '')} AND ${literal(days.at(-1) ?? '')}
      AND held.request_id NOT IN (SELECT request_id FROM imported_page)`)
  const [left] = await database.rows<{ rows: bigint; sessions: bigint }>(
    `SELECT (SELECT count(*) FROM fresh SEMI JOIN standing USING (${scope})) AS rows, count(*) AS sessions FROM standing`,
  )
  if (!left?.rows) return NOTHING_LEFT
  await database.run(`CREATE OR REPLACE TEMP TABLE let_in AS FROM fresh ANTI JOIN standing USING (${scope})`)
  await database.run('CREATE OR REPLACE TEMP VIEW fresh AS FROM let_in')
  return { rows: Number(left.rows), sessions: Number(left.sessions) }
}
