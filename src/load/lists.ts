import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import type { ClosedWalk } from '../land/journal.js'
import { BOARDS } from '../market/board.js'
import type { Calendar } from '../market/calendar.js'
import { instantOf } from '../market/day.js'
import type { Dataset } from '../plan/datasets.js'
import { markMonths } from '../warehouse/dirty.js'

/** When the first board of a session opens, exchange time: futures' opening auction. */
const FIRST_PHASE = '08:45'

/** How many of the held members a list must still name to be believed when it leaves some out. */
const BELIEVABLE = 0.8

/**
 * Applies lists that are the whole truth as of a day. Absence means gone only where the list is complete and
 * of a believable length. Temp table `session_answer` gets one row a list. Returns the rows that changed.
 */
export async function applyList(
  database: Database,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
  asOf: string,
): Promise<number> {
  await database.run(`SET VARIABLE as_of = ${literal(asOf)}::DATE`)
  const open = new Date(instantOf(calendar.nextSession(asOf), FIRST_PHASE)).toISOString()
  await database.run(`SET VARIABLE next_open = ${literal(open)}::TIMESTAMPTZ`)
  await database.run(`CREATE OR REPLACE TEMP TABLE session_answer AS
    SELECT answer.walk, answer.key, answer.timeframe, ${literal(asOf)}::DATE AS day,
      CASE WHEN answer.state = 'complete' AND rejected.rows > 0 THEN 'incomplete'
           WHEN answer.state = 'complete' AND named.rows < ${BELIEVABLE} * held.rows THEN 'incomplete'
           ELSE answer.state END AS state,
      CASE WHEN answer.state = 'complete' AND rejected.rows > 0 THEN rejected.rows || ' records rejected'
           WHEN answer.state = 'complete' AND named.rows < ${BELIEVABLE} * held.rows
             THEN 'names ' || named.rows || ' where ' || held.rows || ' are held'
           ELSE answer.reason END AS reason,
      named.rows AS row_count, answer.received_at, answer.request_id
    FROM walk_answer answer,
      LATERAL (SELECT count(*) AS rows FROM fresh JOIN load_page page USING (request_id) WHERE page.walk = answer.walk) named,
      LATERAL (SELECT count(*) AS rows FROM staged JOIN load_page page USING (request_id)
        WHERE page.walk = answer.walk AND staged.reason IS NOT NULL) rejected,
      LATERAL (${heldMembers(dataset)}) held`)
  if (dataset.name === 'securities') {
    await database.run(`SET VARIABLE all_boards = (
      SELECT count(DISTINCT key) FROM session_answer WHERE state = 'complete' AND key IN (${BOARDS.map(literal).join(', ')})
    ) = ${BOARDS.length}`)
  } else if (dataset.name === 'indexMembers') {
    await database.run(`CREATE OR REPLACE TEMP TABLE answered AS
      SELECT key AS index_code FROM session_answer WHERE state = 'complete'`)
  }
  // Nothing walks back in time: a list received for an older date than one already applied changes nothing.
  const [latest] = await database.rows<{ older: boolean }>(
    `SELECT coalesce(max(window_from) > ${literal(asOf)}::DATE, false) AS older FROM ops.coverage WHERE dataset = ?`,
    [dataset.name],
  )
  if (latest?.older || walks.length === 0) return 0
  await database.run(sqlFile(`apply/${dataset.name}.sql`))
  if (dataset.name === 'securities') {
    const revised = '(SELECT loaded_at AS observed_at FROM moved WHERE held.symbol IS NOT NULL)'
    await markMonths(database, 'market.revision', revised)
  }
  const [count] = await database.rows<{ rows: bigint }>('SELECT rows FROM changed_count')
  return Number(count?.rows ?? 0)
}

function heldMembers(dataset: Dataset): string {
  if (dataset.name === 'securities') {
    return 'SELECT count(*) AS rows FROM market.security WHERE is_listed AND board = answer.key'
  }
  if (dataset.name === 'indexMembers') {
    return 'SELECT count(*) AS rows FROM market.index_member WHERE index_code = answer.key AND valid_to IS NULL'
  }
  return 'SELECT 0 AS rows'
}
