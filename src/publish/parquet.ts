import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { StorageError } from '../errors.js'
import { type ColumnStats, fileStats } from '../lake/delta/stats.js'
import { hashFile, openFolder, parquetOptions, settleFile } from '../lake/files.js'

/** A file that was written. */
export interface Written {
  file: string
  rows: number
  bytes: number
  sha256: string
  /** As the Delta log holds them, JSON. */
  stats: string
}

/**
 * Writes the rows of a query as one Parquet file named by what it holds: two files of one name are equal, and a
 * file that is written again as it was is the file that is there. Temp name, fsync, rename, fsync of the folder.
 *
 * @param stem path without the hash and `.parquet`
 * @param columns of the query, with their types
 * @param rowGroup rows of a row group
 * @returns undefined when there are no rows: there is no file then
 * @throws StorageError when the disk refuses; nothing stands under the name then
 */
export async function writeParquet(
  database: Database,
  query: string,
  stem: string,
  columns: readonly { name: string; type: string }[],
  rowGroup: number,
): Promise<Written | undefined> {
  await openFolder(dirname(stem))
  const temp = `${stem}.${process.pid}.tmp`
  try {
    const [told] = await database.rows<{ count: bigint; column_statistics: [string, [string, string][]][] }>(
      `COPY (${query}) TO ${literal(temp)} (${parquetOptions(rowGroup)}, RETURN_STATS)`,
    )
    const rows = Number(told?.count ?? 0)
    if (rows === 0) {
      await rm(temp, { force: true })
      return undefined
    }
    const sha256 = await hashFile(temp)
    const bytes = (await stat(temp)).size
    const file = `${stem}-${sha256.slice(0, 16)}.parquet`
    await settleFile(temp, file)
    const statistics = new Map<string, ColumnStats>(
      told?.column_statistics.map(([name, entries]) => [unquoted(name), Object.fromEntries(entries)]),
    )
    return { file, rows, bytes, sha256, stats: fileStats(rows, columns, statistics) }
  } catch (cause) {
    throw new StorageError(`cannot write ${stem}: ${(cause as Error).message.split('\n')[0]}`, {
      hint: 'free some space, then: candlehouse publish',
      cause,
    })
  }
}

/** DuckDB names columns in its statistics as quoted identifiers. */
function unquoted(name: string): string {
  return name.slice(1, -1).replaceAll('""', '"')
}
