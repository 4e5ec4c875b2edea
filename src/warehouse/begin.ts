import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { placeNew, removeQuietly, tempOfProcess } from '../home/files.js'
import { sha256 } from '../home/sha256.js'
import { packageRoot } from '../package.js'

/** A warehouse in which nothing has happened, made by the build (`build/template.ts`), named by the migrations it has. */
export function emptyWarehouse(): string {
  const texts = sqlFiles('migrations').flatMap((name) => [name, sqlFile(`migrations/${name}`)])
  return join(packageRoot, 'dist', `warehouse-${sha256(...texts).slice(0, 16)}.duckdb`)
}

/**
 * Puts the build's empty warehouse where there is none: its migrations take 0.1 s. It never replaces what another
 * run has begun meanwhile; where it cannot be put there, DuckDB makes the file and the migrations run.
 */
export async function beginWarehouse(file: string, { disk }: Pick<Effects, 'disk'>): Promise<void> {
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
