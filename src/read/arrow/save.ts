import { rm } from 'node:fs/promises'
import { settleFile } from '../../whole-file.js'
import { openCatalog } from '../query.js'
import { writeArrow } from './write.js'

/**
 * Writes a result as an Arrow IPC file: whole or not at all.
 *
 * @returns rows written
 */
export async function saveArrow(home: string, sql: string, file: string): Promise<number> {
  const reader = await openCatalog(home)
  const temp = `${file}.${process.pid}.tmp`
  try {
    const rows = await writeArrow(reader, sql, temp)
    await settleFile(temp, file)
    return rows
  } catch (error) {
    await rm(temp, { force: true })
    throw error
  } finally {
    reader.close()
  }
}
