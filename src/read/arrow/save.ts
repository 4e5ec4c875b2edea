import { settleFile, tempOfProcess } from '../../disk-files.js'
import type { Effects } from '../../effects.js'
import { openCatalog } from '../query.js'
import { writeArrow } from './write.js'

/**
 * Writes a result as an Arrow IPC file: whole or not at all.
 *
 * @returns rows written
 */
export async function saveArrow(home: string, sql: string, file: string, { disk }: Effects): Promise<number> {
  const reader = await openCatalog(home)
  const temp = tempOfProcess(file)
  try {
    const rows = await writeArrow(reader, sql, temp)
    await settleFile(temp, file, undefined, disk)
    return rows
  } catch (error) {
    disk.remove(temp)
    throw error
  } finally {
    reader.close()
  }
}
