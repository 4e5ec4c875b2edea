import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { tempOfProcess, type UnsettledFile } from '../home/files.js'
import { type ColumnStats, fileStats } from '../lake/delta/stats.js'
import { hashFile, openFolder, parquetOptions } from '../lake/lake-files.js'

/** A Parquet file that was written, under its temporary name. */
export interface WrittenFile extends UnsettledFile {
  rows: number
  bytes: number
  sha256: string
  /** Statistics in the form of the Delta log, JSON. */
  stats: string
}

/** Where the rows of a query go. */
export interface ParquetFile {
  /** Path without the hash and `.parquet`. */
  readonly stem: string
  /** Of the query, with their types. */
  readonly columns: readonly { name: string; type: string }[]
  /** Rows per row group. */
  readonly rowGroup: number
}

/**
 * Writes the rows of a query as one Parquet file, to be settled under a name from its content: files of one name are equal, and
 * unchanged rows give the existing file again.
 *
 * @returns undefined if there are no rows; no file is written then
 * @throws StorageError if the disk refuses; no file of that name exists then
 */
export async function writeParquet(
  database: Database,
  query: string,
  { stem, columns, rowGroup }: ParquetFile,
  effects: Effects,
): Promise<WrittenFile | undefined> {
  const { disk } = effects
  await openFolder(dirname(stem), effects)
  const temp = tempOfProcess(stem)
  try {
    const [statsRow] = await database.rows<{
      count: bigint
      column_statistics: [string, [string, string][]][]
    }>(`COPY (${query}) TO ${literal(temp)} (${parquetOptions(rowGroup)}, RETURN_STATS)`)
    const rows = Number(statsRow?.count ?? 0)
    if (rows === 0) {
      disk.remove(temp)
      return undefined
    }
    const sha256 = await hashFile(temp)
    const bytes = (await stat(temp)).size
    const file = `${stem}-${sha256.slice(0, 16)}.parquet`
    const statistics = new Map<string, ColumnStats>(
      statsRow?.column_statistics.map(([name, entries]) => [unquoted(name), Object.fromEntries(entries)]),
    )
    return { temp, file, rows, bytes, sha256, stats: fileStats(rows, columns, statistics) }
  } catch (cause) {
    throw refused(`write ${stem}`, cause, 'free some disk space, then: candlehouse publish')
  }
}

/** DuckDB names columns in its statistics as quoted identifiers. */
function unquoted(name: string): string {
  return name.slice(1, -1).replaceAll('""', '"')
}
