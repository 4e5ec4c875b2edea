import type { Database } from '../duckdb/open.js'
import type { Dataset } from '../plan/datasets.js'

/**
 * `staged` → `fresh`: one row per key. Pages that slid make equal rows, which are one row; rows of
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
  await database.run('DROP TABLE IF EXISTS fresh_row')
  if (doubled?.n) {
    await database.run(`CREATE TEMP TABLE fresh_row AS
      SELECT DISTINCT ON (${key}) * FROM staged WHERE reason IS NULL ORDER BY ${key}, request_id, ordinal`)
  }
  // Nearly always every row is one of its own: then a view saves copying them all.
  await database.run(
    `CREATE OR REPLACE TEMP VIEW fresh AS ${doubled?.n ? 'FROM fresh_row' : 'SELECT * FROM staged WHERE reason IS NULL'}`,
  )
}
