import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { StorageError } from 'candlehouse-foundation/errors'
import { systemFault } from 'candlehouse-foundation/system-fault'
import { removeTempFolder } from '../home/home.js'
import { CATALOG_SCHEMAS } from '../relations.js'
import { readerMemory, spillRoom } from './reader-limits.js'
import { literal } from './sqlfile.js'

export interface ReaderOptions {
  /** For example '200MB'. @default a quarter of the machine's memory */
  memoryLimit?: string
  /** Folder that `copy` may write to. DuckDB spills to it too. */
  out?: string
  /** Most that it spills to `out`, for example '2GB'. @default DuckDB's own: most of the disk */
  outSpill?: string
  /** Worker threads. With one, a statement gives its rows in the same order each time. @default DuckDB's own: one per core */
  threads?: number
  /** Folder to spill to beyond the memory limit, for readers without `out`; removed with the reader. @default none */
  spill?: string | undefined
}

/** Opens a file for statements that read: nothing outside these folders can be reached, and no setting can be changed. */
export async function openLocked(
  file: string,
  folders: readonly string[],
  { memoryLimit, threads, out, outSpill, spill }: ReaderOptions,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  try {
    const instance = await DuckDBInstance.create(file, {
      access_mode: 'READ_ONLY',
      memory_limit: memoryLimit ?? readerMemory(),
      ...(threads ? { threads: String(threads) } : {}),
      // Without a folder it would be beside the catalog, where readers may not write.
      temp_directory: out ?? spill ?? '',
      ...(outSpill ? { max_temp_directory_size: outSpill } : {}),
      ...(spill && !out ? { max_temp_directory_size: spillRoom(spill) } : {}),
    })
    const connection = await instance.connect()
    await connection.run("SET TimeZone = 'UTC'")
    await connection.run(`SET search_path = '${await searchPath(connection)}'`)
    await connection.run('SET autoinstall_known_extensions = false')
    // Files of the lake never change. Without it every statement reads the footers of its files again: of 900 million bars half of the
    // time of a symbol's daily bars. All footers of that lake take 70 MB.
    await connection.run('SET parquet_metadata_cache = true')
    if (out) {
      await connection.run('SET enable_progress_bar = true')
      await connection.run('SET enable_progress_bar_print = false')
    }
    const allowed = [...folders, ...(out ? [out] : [])].map(literal).join(', ')
    await connection.run(`SET allowed_directories = [${allowed}]`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
    return { instance, connection }
  } catch (cause) {
    if (spill) removeTempFolder(spill)
    throw new StorageError(`cannot open ${file}: ${(cause as Error).message.split('\n')[0]}`, {
      hint: systemFault(cause)?.hint ?? 'write it again: candlehouse publish',
      cause,
    })
  }
}

/** The schemas that the file has: a file that is not a catalog may have none of them. */
async function searchPath(connection: DuckDBConnection): Promise<string> {
  const reader = await connection.runAndReadAll(
    'SELECT schema_name FROM duckdb_schemas() WHERE database_name = current_database()',
  )
  const existing = new Set(reader.getRows().map(([name]) => String(name)))
  return [...CATALOG_SCHEMAS.filter((name) => existing.has(name)), 'main'].join(',')
}
