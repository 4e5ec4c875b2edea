import type { Database } from '../duckdb/open.js'
import type { Dataset } from '../plan/datasets.js'

/**
 * `staged` → temp table `fresh`: one row per key. Pages that slid make equal rows, which are one row; rows of
 * one key that differ within one answer contradict each other: none is believed, all go to quarantine.
 */
export async function keepDistinct(database: Database, dataset: Dataset): Promise<void> {
  const key = dataset.key.join(', ')
  await database.run(`CREATE OR REPLACE TEMP TABLE doubled AS
    SELECT ${key} FROM staged WHERE reason IS NULL GROUP BY ALL HAVING count(*) > 1`)
  const [doubled] = await database.rows<{ n: bigint }>('SELECT count(*) AS n FROM doubled')
  if (doubled?.n) {
    await database.run(`CREATE OR REPLACE TEMP TABLE contradicted AS
      SELECT ${key} FROM (SELECT DISTINCT * EXCLUDE (request_id, ordinal, received_at, reason, payload)
        FROM staged SEMI JOIN doubled USING (${key}) WHERE reason IS NULL)
      GROUP BY ALL HAVING count(*) > 1`)
    await database.run(`UPDATE staged SET reason = 'the same key twice with different values'
      WHERE reason IS NULL AND (${key}) IN (SELECT (${key}) FROM contradicted)`)
  }
  await database.run(
    doubled?.n
      ? `CREATE OR REPLACE TEMP TABLE fresh AS
         SELECT DISTINCT ON (${key}) * FROM staged WHERE reason IS NULL ORDER BY ${key}, request_id, ordinal`
      : 'CREATE OR REPLACE TEMP TABLE fresh AS SELECT * FROM staged WHERE reason IS NULL',
  )
}
