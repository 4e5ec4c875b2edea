import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import type { ClosedWalk } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import type { Dataset } from '../plan/datasets.js'
import { scopeOf } from './facts.js'

/** Temp table `walk_answer`: how each walk of the batch ended, with its last page. */
export async function describeWalks(database: Database, walks: readonly ClosedWalk[]): Promise<void> {
  await database.run(`CREATE OR REPLACE TEMP TABLE walk_answer (walk VARCHAR, key VARCHAR, timeframe VARCHAR,
    window_from DATE, window_to DATE, state VARCHAR, reason VARCHAR, received_at TIMESTAMPTZ, request_id VARCHAR)`)
  const rows = walks.map((walk) => {
    const { key, timeframe, from, to } = walk.window
    const last = walk.pages.at(-1)
    const cells = [
      walk.id,
      key,
      timeframe,
      from,
      to,
      walk.end.state,
      walk.end.reason,
      last?.received_at,
      last?.id,
    ]
    return `(${cells.map((cell) => (cell == null ? 'NULL' : literal(cell))).join(', ')})`
  })
  // One statement: a prepared insert a walk cost a fifth of the whole load.
  await database.run(`INSERT INTO walk_answer VALUES ${rows.join(', ')}`)
}

/**
 * Temp table `session_answer`: what each session of each window was answered with. Sessions are those of the
 * tracked calendar and every day that has rows, so that a replay finds the same ones.
 */
export async function judgeSessions(
  database: Database,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
): Promise<void> {
  await database.run('CREATE OR REPLACE TEMP TABLE walk_day (walk VARCHAR, day DATE)')
  const days = walks.flatMap((walk) =>
    calendar
      .sessionsBetween(walk.window.from, walk.window.to)
      .map((day) => `(${literal(walk.id)}, ${literal(day)})`),
  )
  for (let at = 0; at < days.length; at += 1000) {
    await database.run(`INSERT INTO walk_day VALUES ${days.slice(at, at + 1000).join(', ')}`)
  }
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
    GROUP BY ALL`)
  await database.run(sqlFile('load/session_answer.sql'))
}
