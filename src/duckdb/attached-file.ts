import { type Database, openDatabase } from './open.js'
import { identifier, literal } from './sqlfile.js'

/** A DuckDB file, open for writing. */
export interface OpenFile {
  readonly database: Database
  close(): Promise<void>
}

/** Commits of this size write the file itself, not a log beside it that would be written to the file later. */
export const AT_ONCE = "SET checkpoint_threshold = '1b'"

/** A database that has been open for long has read files that may have been damaged since. */
const FROM_DISK = 'SET enable_external_file_cache = false'

/**
 * Opens a file that nobody else opens: each transaction is in the file itself once it is committed. It is attached to a database
 * that is open, if there is one: until it is closed, names without a database are names of the file. An instance of its own
 * takes 12 CPU-ms more.
 */
export async function openFile(file: string, host: Database | undefined): Promise<OpenFile> {
  if (!host) {
    const database = await openDatabase(file)
    await database.run(AT_ONCE)
    return { database, close: async () => database.close() }
  }
  const [former] = await host.rows<{ name: string }>('SELECT current_database() AS name')
  await host.run(`ATTACH ${literal(file)} AS attached_file; USE attached_file; ${AT_ONCE}; ${FROM_DISK}`)
  const close = `RESET enable_external_file_cache; RESET checkpoint_threshold; USE ${identifier(former?.name ?? '')}; DETACH attached_file`
  return { database: host, close: () => host.run(close) }
}
