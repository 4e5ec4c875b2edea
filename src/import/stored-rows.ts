import type { Database } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
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
  const { relation, shape } = datasets[dataset]
  // The service has no declarations: every row counts.
  if (shape === 'declaration') return 0
  const timeframe = dataset === 'ohlc' ? 'timeframe' : `''`
  await database.run(`ATTACH ${literal(warehouse)} AS warehouse (READ_ONLY)`)
  try {
    const subject = subjectOf(datasets[dataset])
    return await database.count(sqlTemplate('import/stored_rows.sql', { subject, timeframe, relation }))
  } finally {
    await database.run('DETACH warehouse')
  }
}
