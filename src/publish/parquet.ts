import { chmod, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { StorageError } from '../errors.js'

/** 122,880 rows: DuckDB's own row group; a symbol's month stays within a few of them. */
const ROW_GROUP = 122_880

/**
 * Writes the rows of a query as one Parquet file: temp name, fsync, rename, fsync of the folder.
 *
 * @throws StorageError when the disk refuses; nothing stands under the name then
 */
export async function writeParquet(
  database: Database,
  query: string,
  file: string,
): Promise<{ rows: number; bytes: number }> {
  const temp = `${file}.${process.pid}.tmp`
  try {
    const [written] = await database.rows<{ Count: bigint }>(
      `COPY (${query}) TO ${literal(temp)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP})`,
    )
    // Analysts are other users of the machine; the process itself writes for its own eyes (umask 077).
    await chmod(temp, 0o644)
    await syncPath(temp)
    await rename(temp, file)
    await syncPath(dirname(file))
    return { rows: Number(written?.Count ?? 0), bytes: (await stat(file)).size }
  } catch (cause) {
    throw new StorageError(`cannot write ${file}: ${(cause as Error).message.split('\n')[0]}`, {
      hint: 'free some space, then: candlehouse publish',
      cause,
    })
  }
}

/** fsync of a file or folder. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
