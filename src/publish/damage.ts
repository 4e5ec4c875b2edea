import { statSync } from 'node:fs'
import { join } from 'node:path'
import { systemFault } from 'candlehouse-foundation/system-fault'
import type { Database } from '../duckdb/open.js'
import { hashFile } from '../lake/lake-files.js'
import type { LakeWriter } from '../lake/lake-writer.js'
import type { WithheldRows } from '../lake/withheld-rows.js'
import { daysOf, relations } from '../relations.js'
import { isLive, type LakeFile } from './lake-tables.js'
import { forgetSwept } from './periods.js'

/**
 * Finds files of the lake that are gone or are not what was published, and removes them: the publication writes the live ones
 * again from the warehouse. Sizes are always compared. Of replaced files, which no one can write again, the ledger forgets.
 *
 * @param files those that the ledger has
 * @param isRead of which files the content is compared too: their names have the beginning of their SHA-256
 * @returns the live ones among them
 */
export async function removeDamaged(
  { warehouse, lake, effects }: LakeWriter,
  files: readonly LakeFile[],
  isRead: (file: LakeFile) => boolean,
): Promise<LakeFile[]> {
  const damaged: LakeFile[] = []
  for (const file of files)
    if (!(await isWhole(join(lake, file.file), file, isRead(file)))) damaged.push(file)
  for (const { file } of damaged) effects.disk.remove(join(lake, file))
  await forgetReplaced(
    warehouse,
    damaged.filter((file) => !isLive(file)),
  )
  return damaged.filter(isLive)
}

/** Forgets lost files once others have taken their place: no former publication can be read whole any more. */
export async function forgetReplaced(warehouse: Database, lost: readonly LakeFile[]): Promise<void> {
  if (lost.length === 0) return
  await warehouse.run(
    `DELETE FROM ops.lake_file WHERE removed_at IS NOT NULL AND list_contains(from_json(?, '["VARCHAR"]'), file)`,
    [JSON.stringify(lost.map(({ file }) => file))],
  )
  await forgetSwept(warehouse)
}

async function isWhole(path: string, { bytes }: LakeFile, isRead: boolean): Promise<boolean> {
  try {
    const stats = statSync(path)
    if (!stats.isFile() || BigInt(stats.size) !== bytes) return false
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemFault(error)?.code ?? '')) return false
    throw error
  }
  if (!isRead) return true
  const [, beginning = ''] = /-([0-9a-f]{16})\.parquet$/.exec(path) ?? []
  return (await hashFile(path)).startsWith(beginning)
}

/** Files whose rows readers keep seeing because a session is withheld: only what is proven is published once more. */
export function keepsWithheld(
  withheld: readonly WithheldRows[],
): (file: Pick<LakeFile, 'relation' | 'partition'>) => boolean {
  return (file) => {
    const relation = relations.find(({ name }) => name === file.relation)
    if (!relation) return false
    const days = daysOf(relation, file.partition)
    return withheld.some((rows) => rows.relation === relation.name && rows.tradingDate.startsWith(days))
  }
}

/** Whether a failure may come from a damaged file, not from a disk that is full or forbidden. */
export function mayBeDamage(error: unknown): boolean {
  const code = systemFault(error)?.code
  return code === undefined || ['ENOENT', 'EIO', 'ESTALE'].includes(code)
}
