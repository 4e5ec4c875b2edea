import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import { type ClosedWalk, isImported } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import type { Dataset } from '../plan/datasets.js'
import { scopeOf } from './facts.js'

/** Temp table `walk_answer`: how each walk of the batch ended, with its last page. */
export async function describeWalks(database: Database, walks: readonly ClosedWalk[]): Promise<void> {
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
  await database.run(sqlFile('load/walk_answer.sql'), [JSON.stringify(rows)])
}

/**
 * Temp table `session_answer`: what each session of each window was answered with. Sessions are those of the
 * tracked calendar and every day that has rows, so that a replay finds the same ones; of a file, only days that it brings.
 */
export async function judgeSessions(
  database: Database,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
): Promise<void> {
  const days = walks.map((walk) => ({
    walk: walk.id,
    days: isImported(walk) ? [] : calendar.sessionsBetween(walk.window.from, walk.window.to),
  }))
  await database.run(sqlFile('load/walk_day.sql'), [JSON.stringify(days)])
  const from = walks.map((walk) => walk.window.from).sort()[0] ?? ''
  const to =
    walks
      .map((walk) => walk.window.to)
      .sort()
      .at(-1) ?? ''
  const same = dataset.key.map((name) => `held.${name} = fresh.${name}`).join(' AND ')
  await database.run(`CREATE OR REPLACE TEMP TABLE held_missing AS
    SELECT answer.walk, held.trading_date AS day, count(*) AS held,
      count(*) FILTER (WHERE fresh.trading_date IS NULL) AS rows
    FROM ${dataset.relation} held
    JOIN (SELECT walk_answer.*, walk_day.day FROM walk_answer JOIN walk_day USING (walk)) answer ON ${scopeOf(dataset)}
    LEFT JOIN fresh ON ${same}
    WHERE held.trading_date BETWEEN ${literal(from)} AND ${literal(to)}
      AND held.request_id NOT IN (SELECT request_id FROM imported_page)
    GROUP BY ALL`)
  await database.run(sqlFile('load/session_answer.sql'))
}
