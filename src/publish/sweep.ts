import { existsSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'

/** Replaced files are kept by time since they were replaced: a long-lived reader of an older catalog opens them. */
const RETAIN_MS = 7 * 24 * 60 * 60 * 1000

/** Removes temp files of dead writers at once, and files that no catalog reads once they are a week old. */
export async function sweep(warehouse: Database, home: string, effects: Effects): Promise<void> {
  const lake = join(home, 'lake')
  const overdue = new Date(effects.now() - RETAIN_MS).toISOString()
  await warehouse.run('DELETE FROM ops.lake_file WHERE removed_at < ?::TIMESTAMPTZ', [overdue])
  const files = await warehouse.rows<{ file: string }>('SELECT file FROM ops.lake_file')
  const known = new Set(files.map((row) => row.file))
  for (const name of readdirSync(home)) {
    if (/^catalog\.duckdb\.\d+\.tmp(\.wal)?$/.test(name)) await rm(join(home, name), { force: true })
  }
  if (!existsSync(lake)) return
  for (const entry of readdirSync(lake, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    if (known.has(relative(lake, file))) continue
    // The writer of the warehouse is alone (its lock): every temp file here is a dead one's.
    if (entry.name.endsWith('.tmp')) await rm(file, { force: true })
    else if (entry.name.endsWith('.parquet') && effects.now() - statSync(file).mtimeMs > RETAIN_MS) {
      await rm(file, { force: true })
    }
  }
}
