import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Database, openDatabase } from '../duckdb/open.js'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { threadsWithin } from '../duckdb/threads.js'
import type { Effects } from '../effects.js'
import { placeNew, removeQuietly, tempOfProcess } from '../home/files.js'
import { makeHome, makeTempFolder } from '../home/home.js'
import { sha256 } from '../home/sha256.js'
import { packageRoot } from '../package.js'
import { migrate } from './migrate.js'

/** A warehouse in which nothing has happened, made by the build (`build/template.ts`), named by the migrations it has. */
export function emptyWarehouse(): string {
  const texts = sqlFiles('migrations').flatMap((name) => [name, sqlFile(`migrations/${name}`)])
  return join(packageRoot, 'dist', `warehouse-${sha256(...texts).slice(0, 16)}.duckdb`)
}

/**
 * Puts the build's empty warehouse where there is none: its migrations take 0.1 s. It never replaces what another
 * run has begun meanwhile; where it cannot be put there, DuckDB makes the file and the migrations run.
 */
async function beginWarehouse(file: string, { disk }: Pick<Effects, 'disk'>): Promise<void> {
  const empty = emptyWarehouse()
  if (existsSync(file) || existsSync(`${file}.wal`) || !existsSync(empty)) return
  const temp = tempOfProcess(file)
  try {
    disk.copy(empty, temp)
    await disk.sync(temp)
    await placeNew(temp, file, disk)
  } catch {
    // Opening says what is wrong with the folder, in words of its own.
    removeQuietly(temp, disk)
  }
}

/** DuckDB spills beyond it; without it a year's backfill of 72 symbols grew to 775 MB resident. */
const MEMORY_LIMIT = '512MB'

/**
 * Opens the warehouse for writing: DuckDB's own file lock is the run lock (the kernel frees it on kill -9),
 * the file is 0600, the schema is brought up to date.
 *
 * @throws LockedError (75) when another run holds it
 * @throws StorageError (6) when it cannot be written, is damaged, or was made by a newer candlehouse
 */
export async function openWarehouse(file: string, effects: Pick<Effects, 'disk'>): Promise<Database> {
  makeHome(dirname(file))
  // For the life of the process: DuckDB makes its log whenever it first writes.
  process.umask(0o077)
  await beginWarehouse(file, effects)
  const spill = makeTempFolder(dirname(file))
  const database = await openDatabase(file, {
    threads: threadsWithin(MEMORY_LIMIT),
    memoryLimit: MEMORY_LIMIT,
    spill,
  })
  try {
    for (const path of [file, `${file}.wal`]) if (existsSync(path)) effects.disk.setMode(path, 0o600)
    await migrate(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
