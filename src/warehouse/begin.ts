import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { packageRoot } from '../package.js'

/** A warehouse in which nothing has happened, made by the build (`src/template.ts`), named by the migrations it has. */
export function emptyWarehouse(): string {
  const hash = createHash('sha256')
  for (const name of sqlFiles('migrations')) hash.update(name).update(sqlFile(`migrations/${name}`))
  return join(packageRoot, 'dist', `warehouse-${hash.digest('hex').slice(0, 16)}.duckdb`)
}

/**
 * Puts the build's empty warehouse where there is none: its migrations take 0.1 s. By a link, which never replaces what
 * another run has begun meanwhile; where that cannot be, DuckDB makes the file and the migrations run.
 */
export async function beginWarehouse(file: string): Promise<void> {
  const empty = emptyWarehouse()
  if (existsSync(file) || existsSync(`${file}.wal`) || !existsSync(empty)) return
  const temp = `${file}.${process.pid}.tmp`
  try {
    await copyFile(empty, temp)
    await link(temp, file)
  } catch {
    // Opening says what is wrong with the folder, in words of its own.
  } finally {
    await rm(temp, { force: true })
  }
}
