import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemFault } from 'candlehouse-foundation/system-fault'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { daysOf } from '../lake/file-kinds.js'
import { hashFile } from '../lake/lake-files.js'
import type { WithheldRows } from '../lake/withheld-rows.js'
import { relations } from '../relations.js'
import { forgetSwept } from './periods.js'

/** A file of the lake as the ledger has it. */
export interface RecordedFile {
  readonly relation: string
  readonly partition: string
  readonly file: string
  readonly bytes: bigint
  readonly isLive: boolean
}

/**
 * Finds files of the lake that are gone or are not what was published, and removes them: the publication writes the live ones
 * again from the warehouse. Sizes are always compared. Of replaced files, which no one can write again, the ledger forgets.
 *
 * @param isRead of which files the content is compared too: their names have the beginning of their SHA-256
 * @returns the live ones among them
 */
export async function removeDamaged(
  warehouse: Database,
  lake: string,
  isRead: (file: RecordedFile) => boolean,
  { disk }: Effects,
): Promise<RecordedFile[]> {
  const files = await warehouse.rows<RecordedFile>(
    'SELECT relation, partition, file, bytes, removed_at IS NULL AS "isLive" FROM ops.lake_file',
  )
  const damaged: RecordedFile[] = []
  for (const file of files)
    if (!(await isWhole(join(lake, file.file), file, isRead(file)))) damaged.push(file)
  for (const { file } of damaged) disk.remove(join(lake, file))
  await forgetReplaced(
    warehouse,
    damaged.filter(({ isLive }) => !isLive),
  )
  return damaged.filter(({ isLive }) => isLive)
}

/** Forgets lost files once others have taken their place: no former publication can be read whole any more. */
export async function forgetReplaced(warehouse: Database, lost: readonly RecordedFile[]): Promise<void> {
  if (lost.length === 0) return
  await warehouse.run(
    `DELETE FROM ops.lake_file WHERE removed_at IS NOT NULL AND list_contains(from_json(?, '["VARCHAR"]'), file)`,
    [JSON.stringify(lost.map(({ file }) => file))],
  )
  await forgetSwept(warehouse)
}

async function isWhole(path: string, { bytes }: RecordedFile, isRead: boolean): Promise<boolean> {
  const stats = await stat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemFault(error)?.code ?? '')) return undefined
    throw error
  })
  if (!stats?.isFile() || BigInt(stats.size) !== bytes) return false
  if (!isRead) return true
  const [, beginning = ''] = /-([0-9a-f]{16})\.parquet$/.exec(path) ?? []
  return (await hashFile(path)).startsWith(beginning)
}

/** Files whose rows readers keep seeing because a session is withheld: only what is proven is published once more. */
export function keepsWithheld(
  withheld: readonly WithheldRows[],
): (file: Pick<RecordedFile, 'relation' | 'partition'>) => boolean {
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
