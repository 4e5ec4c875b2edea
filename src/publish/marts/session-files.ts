import type { Database } from '../../duckdb/open.js'
import { literal } from '../../duckdb/sqlfile.js'
import type { LakeMart } from '../../relations.js'
import { allRows, type FilePlan } from '../partitions.js'

/** Sessions whose rows are computed by one statement, at most: the open month has fewer. */
const SESSIONS_AT_ONCE = 32

/**
 * Files of sessions, whose rows are computed for all of them at once: to compute one session of `mart.daily_factor` takes 40
 * CPU-ms, and 14 sessions take 50. A plan is to be written before the next one is asked for.
 *
 * @param state in which the plans are run
 * @param planOf the plan of a session's file from rows that a query gives; by default from those of the view
 */
export async function* planSessions(
  state: Database,
  mart: LakeMart,
  sessions: readonly string[],
  planOf: (session: string, rows?: string) => FilePlan,
): AsyncGenerator<FilePlan> {
  const [only] = sessions
  if (only !== undefined && sessions.length === 1) return yield planOf(only)
  for (let from = 0; from < sessions.length; from += SESSIONS_AT_ONCE) {
    const pass = sessions.slice(from, from + SESSIONS_AT_ONCE)
    await state.run(
      `CREATE OR REPLACE TEMP TABLE session_row AS
       ${allRows(mart)} WHERE trading_date IN (${pass.map((day) => `DATE ${literal(day)}`).join(', ')})`,
    )
    for (const session of pass) yield planOf(session, 'SELECT * FROM session_row')
  }
  await state.run('DROP TABLE IF EXISTS session_row')
}
