import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DAY_MS } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { settlePointer } from '../lake/delta/checkpoint.js'
import { checkpointFile, entryFile, type Listing, LOG, listLog } from '../lake/delta/delta-log.js'
import { duckLakeOf, refreshDuckLake } from '../lake/ducklake.js'
import { type LakeWriter, lakeWriter } from '../lake/lake-writer.js'
import { readManifest, tablePath } from '../lake/manifest.js'
import { tablesOf } from '../lake/table-names.js'
import { forgetSwept } from './periods.js'

export interface Swept {
  /** Parquet files that were replaced long enough ago, or that never belonged to a table. */
  files: number
  /** Log entries and checkpoints that are older than any version a reader may need. */
  logFiles: number
}

/**
 * Removes files that no reader needs: files that were replaced more than `retainDays` ago (readers of an older catalog
 * and time travel need them until then), and log entries from before that. It also removes what killed writers left in the
 * lake: temporary files, and Parquet files that are in no ledger and so in no log. The caller has locked the warehouse, so
 * there is no other writer.
 */
export async function sweepLake(
  warehouse: Database,
  home: string,
  retainDays: number,
  effects: Effects,
): Promise<Swept> {
  const writer = lakeWriter(warehouse, home, effects)
  const { lake } = writer
  const overdue = await expire(writer, retainDays)
  const manifest = await readManifest(lake)
  await warehouse.run('DELETE FROM ops.sealed_file')
  if (manifest && existsSync(duckLakeOf(lake))) await refreshDuckLake(writer, manifest)
  return await removeExpired(writer, overdue)
}

/**
 * Forgets what was replaced more than `retainDays` ago. Files are removed only after a DuckLake without them is in place:
 * none ever names a file that is gone.
 *
 * @returns the instant before which it was replaced
 */
export async function expire({ warehouse, effects }: LakeWriter, retainDays: number): Promise<string> {
  const overdue = new Date(effects.now() - retainDays * DAY_MS).toISOString()
  await warehouse.run('DELETE FROM ops.lake_file WHERE removed_at < ?::TIMESTAMPTZ', [overdue])
  await forgetSwept(warehouse)
  return overdue
}

/** Removes the files that the ledger does not have, and the log entries from before `overdue`. */
export async function removeExpired(writer: LakeWriter, overdue: string): Promise<Swept> {
  const { warehouse, lake, effects } = writer
  const { disk } = effects
  const swept: Swept = { files: 0, logFiles: 0 }
  const filesOfLedger = new Set(await warehouse.column<string>('SELECT file FROM ops.lake_file'))
  if (!existsSync(lake)) return swept
  for (const entry of readdirSync(lake, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    if (entry.name.endsWith('.tmp')) disk.remove(file)
    else if (
      entry.name.endsWith('.parquet') &&
      !entry.parentPath.endsWith(LOG) &&
      !filesOfLedger.has(relative(lake, file))
    ) {
      disk.remove(file)
      swept.files += 1
    }
  }
  swept.logFiles = await sweepLogs(writer, overdue)
  return swept
}

/**
 * Readers of a version need the latest checkpoint up to it, and everything after that. Older log files are removed, after
 * readers are pointed to the latest checkpoint.
 */
async function sweepLogs({ warehouse, lake, effects }: LakeWriter, overdue: string): Promise<number> {
  const logs = new Map<string, Listing>()
  for (const name of tablesOf(lake)) {
    const listing = listLog(join(lake, tablePath(name)))
    const latest = listing.checkpoints.at(-1)
    if (latest !== undefined) await settlePointer(warehouse, join(lake, tablePath(name)), latest, effects)
    logs.set(name, listing)
  }
  const [oldest] = await warehouse.rows<{ versions: string }>(
    `SELECT versions FROM ops.publication WHERE published_at < ?::TIMESTAMPTZ
     ORDER BY publication_id DESC LIMIT 1`,
    [overdue],
  )
  if (!oldest) return 0
  const versions = JSON.parse(oldest.versions) as Record<string, number>
  let count = 0
  for (const [name, { entries, checkpoints }] of logs) {
    const table = join(lake, tablePath(name))
    const needed = checkpoints.findLast((version) => version <= (versions[name] ?? -1))
    if (needed === undefined) continue
    const obsolete = [
      ...entries.filter((version) => version < needed).map(entryFile),
      ...checkpoints.filter((version) => version < needed).map(checkpointFile),
    ]
    for (const file of obsolete) effects.disk.remove(join(table, file))
    count += obsolete.length
  }
  return count
}
