import { join } from 'node:path'
import { readDeltaTable } from '../lake/delta/delta-table.js'
import type { LakeWriter } from '../lake/lake-writer.js'
import { tablePath } from '../lake/manifest.js'
import { tablesOf } from '../lake/table-names.js'
import { partitionOf } from './commit.js'
import { type LakeFile, recordFiles } from './lake-tables.js'

/**
 * Recovers the files of a lake whose ledger is lost (the warehouse was unreadable and has been rebuilt). They are
 * recorded as removed now, so that readers of the old catalog keep them until they are swept. If the next publication
 * writes a file with the same content, it is the same file, and it is live again.
 */
export async function recoverLake({ warehouse, lake, effects }: LakeWriter): Promise<void> {
  const now = effects.now()
  const files: LakeFile[] = []
  await warehouse.transaction(async () => {
    for (const name of tablesOf(lake)) {
      const table = await readDeltaTable(warehouse, join(lake, tablePath(name)))
      if (!table) continue
      const live = [...table.files.values()].map((add) => ({ ...add, removed: now }))
      const removedBefore = [...table.tombstones.values()].map((tombstone) => ({
        ...tombstone,
        removed: tombstone.deletionTimestamp,
      }))
      for (const { path, size, removed } of [...live, ...removedBefore]) {
        files.push({
          relation: name,
          partition: partitionOf({ path }),
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
    await recordFiles(warehouse, files)
  })
}
