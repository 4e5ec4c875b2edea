import { type Database, openDatabase } from './open.js'
import { literal } from './sqlfile.js'

/** A DuckDB file, open for writing. */
export interface OpenFile {
  readonly database: Database
  close(): Promise<void>
}

/**
 * A commit writes the file itself, not a log beside it that would be written to the file later. Choosing a compression for the
 * columns of short tables takes twice as long as writing them, and saves a tenth of the bytes.
 */
export const AT_ONCE = "SET checkpoint_threshold = '1b'; SET force_compression = 'uncompressed'"
export const AS_USUAL = 'RESET force_compression; RESET checkpoint_threshold'

/** Bytes of a block: most tables are empty or short, and each takes at least a block. */
export const BLOCK_BYTES = 16_384

/** A database that has been open for long has read files that may have been damaged since. */
const FROM_DISK = 'SET enable_external_file_cache = false'

/**
 * Opens a file that nobody else opens: each transaction is in the file itself once it is committed. It is attached to a database
 * that is open, if there is one: until it is closed, names without a database are names of the file. An instance of its own
 * takes 12 CPU-ms more.
 */
export async function openFile(file: string, host: Database | undefined): Promise<OpenFile> {
  if (!host) {
    const database = await openDatabase(file, { blockBytes: BLOCK_BYTES })
    await database.run(AT_ONCE)
    return { database, close: async () => database.close() }
  }
  await host.run(`ATTACH ${literal(file)} AS attached_file; USE attached_file; ${AT_ONCE}; ${FROM_DISK}`)
  const close = `RESET enable_external_file_cache; ${AS_USUAL}; RESET schema; DETACH attached_file`
  return { database: host, close: () => host.run(close) }
}
