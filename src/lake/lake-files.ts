import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../effects.js'
import { makeFolders, writeWholeFile } from '../home/files.js'
import type { Layout } from '../relations.js'

/** Options of COPY for Parquet files. */
export function parquetOptions(rowGroup: number): string {
  return `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowGroup}`
}

/** Rows per row group, DuckDB's default: a symbol's month is in few row groups, and footers stay short. */
export const ROW_GROUP = 122_880

/**
 * Rows per row group in the file of one session, where a query for one symbol needs a few hundred rows. One symbol in 22
 * such files takes 19 ms instead of 32 ms with the larger group (2 cores, 200,000 bars per session). The files are a tenth
 * larger, and reading all rows takes 23 ms instead of 19 ms. With smaller groups footers cost more than they save.
 */
export const SESSION_ROW_GROUP = 40_960

/**
 * Rows per row group in the file of a year, whose rows are sorted by month first: a month of a daily relation of 1,700 symbols
 * is about as large, so that one session of all symbols costs what it costs in a file of that month. With 61,440 rows it takes
 * a fifth more, with 122,880 twice as much (docs/decisions/0059-small-years-are-one-file.md).
 */
export const YEAR_ROW_GROUP = 40_960

/** Rows per row group of a file. A file of all months of some symbols is read by symbol: as fine as that of a year. */
export function rowGroupOf(layout: Layout, partition: string): number {
  if (layout === 'symbol' || partition.length === 4) return YEAR_ROW_GROUP
  return partition.length === 10 ? SESSION_ROW_GROUP : ROW_GROUP
}

/** Everybody may read what the lake holds: analysts are other users of the machine, the process has umask 077. */
export const READABLE = 0o644

/** Bytes that are hashed at once, before others get a turn. Most files of a night are smaller: threads for them cost more. */
const HASHED_AT_ONCE = 1 << 20

/** SHA-256 of a file's bytes, hex. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  const handle = openSync(file, 'r')
  try {
    const buffer = Buffer.allocUnsafe(Math.min(fstatSync(handle).size + 1, HASHED_AT_ONCE))
    for (let bytes = readSync(handle, buffer); bytes > 0; bytes = readSync(handle, buffer)) {
      hash.update(buffer.subarray(0, bytes))
      if (bytes === HASHED_AT_ONCE) await turn()
    }
  } finally {
    closeSync(handle)
  }
  return hash.digest('hex')
}

/** Creates a folder of the lake and its parents, readable by analysts on this machine (the process has umask 077). */
export async function openFolder(folder: string, { disk }: Effects): Promise<void> {
  try {
    await makeFolders(folder, 0o755, disk)
  } catch (cause) {
    throw refused(`create folder ${folder}`, cause, 'make the folder writable, then: candlehouse publish')
  }
}

/** Writes a file of the lake whole or not at all. @throws StorageError */
export async function replaceFile(
  file: string,
  text: string,
  { disk }: Pick<Effects, 'disk'>,
): Promise<void> {
  const hint = 'free some space or make the folder writable, then: candlehouse publish'
  await writeWholeFile(file, text, { mode: READABLE, hint }, disk)
}
