import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { checkpointFile, entryFile, LOG, listLog } from '../lake/delta/log.js'
import { tablePath } from '../lake/manifest.js'
import { relations } from '../relations.js'

const DAY_MS = 24 * 60 * 60 * 1000

/** What a sweep removed. */
export interface Swept {
  /** Parquet files whose time was up, or that no table ever held. */
  files: number
  /** Log entries and checkpoints that no reader within the time needs. */
  logFiles: number
}

/**
 * Removes what nobody can be reading: files that were replaced longer ago than `retainDays` (a reader of an older
 * catalog and time travel keep them until then), log entries from before that, and at once what dead writers left:
 * temp files, and Parquet files that no ledger and so no log ever named. The caller holds the warehouse's lock, so
 * every writer but itself is dead.
 */
export async function sweep(
  warehouse: Database,
  home: string,
  retainDays: number,
  effects: Effects,
): Promise<Swept> {
  const lake = join(home, 'lake')
  const swept: Swept = { files: 0, logFiles: 0 }
  const overdue = new Date(effects.now() - retainDays * DAY_MS).toISOString()
  await warehouse.run('DELETE FROM ops.lake_file WHERE removed_at < ?::TIMESTAMPTZ', [overdue])
  const rows = await warehouse.rows<{ file: string }>('SELECT file FROM ops.lake_file')
  const known = new Set(rows.map((row) => row.file))
  for (const name of readdirSync(home)) {
    if (/^(catalog|warehouse)\.duckdb\.\d+\.tmp(\.wal)?$/.test(name))
      await rm(join(home, name), { force: true })
  }
  if (!existsSync(lake)) return swept
  for (const entry of readdirSync(lake, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    if (entry.name.endsWith('.tmp')) await rm(file, { force: true })
    else if (
      entry.name.endsWith('.parquet') &&
      !entry.parentPath.endsWith(LOG) &&
      !known.has(relative(lake, file))
    ) {
      await rm(file, { force: true })
      swept.files += 1
    }
  }
  swept.logFiles = await sweepLogs(warehouse, lake, overdue)
  return swept
}

/** A version that was current within the time needs the latest checkpoint up to it, and what came after that. */
async function sweepLogs(warehouse: Database, lake: string, overdue: string): Promise<number> {
  const [oldest] = await warehouse.rows<{ versions: string }>(
    `SELECT versions FROM ops.publication WHERE published_at < ?::TIMESTAMPTZ
     ORDER BY publication_id DESC LIMIT 1`,
    [overdue],
  )
  if (!oldest) return 0
  const versions = JSON.parse(oldest.versions) as Record<string, number>
  let count = 0
  for (const { name } of relations) {
    const table = join(lake, tablePath(name))
    const { entries, checkpoints } = await listLog(table)
    const needed = checkpoints.findLast((each) => each <= (versions[name] ?? -1))
    if (needed === undefined) continue
    const gone = [
      ...entries.filter((each) => each < needed).map(entryFile),
      ...checkpoints.filter((each) => each < needed).map(checkpointFile),
    ]
    for (const file of gone) await rm(join(table, file), { force: true })
    count += gone.length
  }
  return count
}
