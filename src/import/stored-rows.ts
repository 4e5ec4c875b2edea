import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { datasets } from '../plan/datasets.js'
import { type Imported, subjectOf } from './subject.js'

/**
 * Rows of table `file_record` of sessions that a warehouse has stored from the service: an import skips them. Reads only.
 *
 * @param warehouse path of its file
 * @throws DuckDB's error if another run has locked it or it is not a warehouse
 */
export async function countStoredRows(
  database: Database,
  dataset: Imported,
  warehouse: string,
): Promise<number> {
  const { relation } = datasets[dataset]
  const timeframe = dataset === 'ohlc' ? 'timeframe' : `''`
  await database.run(`ATTACH ${literal(warehouse)} AS warehouse (READ_ONLY)`)
  try {
    const [stored] = await database.rows<{ rows: bigint }>(
      `WITH answered_session AS (
         SELECT DISTINCT ${subjectOf(datasets[dataset])} AS subject, ${timeframe} AS timeframe, trading_date AS day
         FROM warehouse.${relation}
         WHERE trading_date BETWEEN (SELECT min(day) FROM file_record) AND (SELECT max(day) FROM file_record)
           AND request_id NOT IN (SELECT request_id FROM warehouse.ops.request WHERE endpoint = 'import')
       )
       SELECT count(*) AS rows FROM file_record SEMI JOIN answered_session USING (subject, timeframe, day)`,
    )
    return Number(stored?.rows ?? 0)
  } finally {
    await database.run('DETACH warehouse')
  }
}
