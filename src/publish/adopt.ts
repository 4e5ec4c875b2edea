import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { MONTH } from '../lake/delta/schema.js'
import { readSnapshot } from '../lake/delta/snapshot.js'
import { tablePath } from '../lake/manifest.js'
import { relations } from '../relations.js'
import { recordFile } from './ledger.js'

/**
 * Takes over the files of a lake whose ledger is lost (a warehouse rebuilt where the old one could not be read):
 * as removed just now, so that readers of the old catalog keep them until they are swept. What is published next
 * and holds the same is the same file, and lives again.
 */
export async function adoptLake(warehouse: Database, lake: string, effects: Effects): Promise<void> {
  const now = effects.now()
  await warehouse.transaction(async () => {
    for (const { name } of relations) {
      const snapshot = await readSnapshot(warehouse, join(lake, tablePath(name)))
      if (!snapshot) continue
      const live = [...snapshot.files.values()].map((add) => ({ ...add, removed: now }))
      const kept = [...snapshot.tombstones.values()].map((gone) => ({
        ...gone,
        removed: gone.deletionTimestamp,
      }))
      for (const { path, partitionValues, size, removed } of [...live, ...kept]) {
        await recordFile(warehouse, {
          relation: name,
          partition: partitionValues[MONTH] ?? 'all',
          file: `${tablePath(name)}/${path}`,
          row_count: 0n,
          bytes: BigInt(size),
          sha256: '',
          stats: '{}',
          data_change: true,
          publication_id: 0n,
          added_ms: BigInt(removed),
          removed_ms: BigInt(removed),
        })
      }
    }
  })
}
