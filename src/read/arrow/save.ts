import type { Effects } from '../../effects.js'
import { writeWholeWith } from '../../home/files.js'
import { openCatalog } from '../query.js'
import { writeArrow } from './write.js'

/**
 * Writes a result as an Arrow IPC file: whole or not at all.
 *
 * @returns rows written
 */
export async function saveArrow(home: string, sql: string, file: string, { disk }: Effects): Promise<number> {
  const reader = await openCatalog(home)
  try {
    return await writeWholeWith(file, undefined, (temp) => writeArrow(reader, sql, temp), disk)
  } finally {
    reader.close()
  }
}
