import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { datasets } from '../plan/datasets.js'
import { type Imported, subjectOf } from './subject.js'

/**
 * Rows of table `file_record` whose session a warehouse holds from the service: they will be left as they are. Reads only.
 *
 * @param warehouse path of its file
 * @throws DuckDB's error if another run has locked it or it is not a warehouse
 */
export async function heldRows(database: Database, dataset: Imported, warehouse: string): Promise<number> {
  const { relation } = datasets[dataset]
  const timeframe = dataset === 'ohlc' ? 'timeframe' : `''`
  await database.run(`ATTACH ${literal(warehouse)} AS warehouse (READ_ONLY)`)
  try {
    const [held] = await database.rows<{ rows: bigint }>(
      `WITH standing AS (
         SELECT DISTINCT ${subjectOf(datasets[dataset])} AS subject, ${timeframe} AS timeframe, trading_date AS day
         FROM warehouse.${relation}
         WHERE trading_date BETWEEN (SELECT min(day) FROM file_record) AND (SELECT max(day) FROM file_record)
           AND request_id NOT IN (SELECT request_id FROM warehouse.ops.request WHERE endpoint = 'import')
       )
       SELECT count(*) AS rows FROM file_record SEMI JOIN standing USING (subject, timeframe, day)`,
    )
    return Number(held?.rows ?? 0)
  } finally {
    await database.run('DETACH warehouse')
  }
}
