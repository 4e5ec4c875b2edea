import type { Database } from '../duckdb/open.js'

/**
 * Records which files a publication has: ends the periods of files that are no longer live, begins those of files that now
 * are.
 *
 * @param isNewShape whether columns of a relation have changed: former publications cannot be read any more then
 */
export async function recordPeriods(
  warehouse: Database,
  publication: number,
  isNewShape = false,
): Promise<void> {
  await warehouse.run(
    `UPDATE ops.file_period SET until_publication = ? WHERE until_publication IS NULL
     AND file NOT IN (SELECT file FROM ops.lake_file WHERE removed_at IS NULL)`,
    [publication],
  )
  await warehouse.run(
    `INSERT INTO ops.file_period SELECT file, ?, NULL FROM ops.lake_file WHERE removed_at IS NULL
     AND file NOT IN (SELECT file FROM ops.file_period WHERE until_publication IS NULL)`,
    [publication],
  )
  if (isNewShape) await beginWith(warehouse, publication)
}

/** A warehouse without periods, of an earlier version or rebuilt, begins with the latest publication. */
export async function beginPeriods(warehouse: Database, latest: number): Promise<void> {
  const [begun] = await warehouse.rows('SELECT 1 FROM ops.file_period LIMIT 1')
  if (!begun) await recordPeriods(warehouse, latest)
}

/** Forgets the publications that had a file which the ledger no longer has: they cannot be read whole any more. */
export async function forgetSwept(warehouse: Database): Promise<void> {
  const [row] = await warehouse.rows<{ first: bigint | null }>(
    `SELECT max(until_publication) AS first FROM ops.file_period
     WHERE until_publication IS NOT NULL AND file NOT IN (SELECT file FROM ops.lake_file)`,
  )
  if (row?.first != null) await beginWith(warehouse, Number(row.first))
}

async function beginWith(warehouse: Database, publication: number): Promise<void> {
  await warehouse.run('DELETE FROM ops.file_period WHERE until_publication <= ?', [publication])
  await warehouse.run('UPDATE ops.file_period SET from_publication = $1 WHERE from_publication < $1', [
    publication,
  ])
}
