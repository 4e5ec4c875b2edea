import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../effects.js'
import { makeFolders, writeWholeFile } from '../home/files.js'
import { daysOf, type Relation } from '../relations.js'

/** How a Parquet file is written. */
export interface FileForm {
  readonly rowGroup: number
  readonly codec: 'zstd' | 'snappy'
}

/**
 * Options of COPY for Parquet files. Without bloom filters: rows are sorted by what is asked for, so that bounds tell of a row group
 * what they would, and DuckDB asks a bucket for each of them, before it looks at the bounds of dates (0081).
 */
export function parquetOptions({ rowGroup, codec }: FileForm): string {
  return `FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE ${rowGroup}, WRITE_BLOOM_FILTER false`
}

/**
 * The file of a month of bars, and of a relation that has one file: row groups of DuckDB's default. A symbol's month is in few of them,
 * and footers stay short.
 */
export const MONTH_FORM: FileForm = { rowGroup: 122_880, codec: 'zstd' }

/**
 * The file of one session, where a query for one symbol needs a few hundred rows of one row group: those of a month's file would be
 * three times as many. With Snappy instead of zstd, reading a symbol takes a third less and all rows a quarter less, for files that are
 * a quarter larger; they are merged when their month is closed (docs/decisions/0081-where-reading-spends-its-time.md).
 */
const SESSION_FORM: FileForm = { rowGroup: 40_960, codec: 'snappy' }

/**
 * The file of a year, whose rows are sorted by quarter first: a symbol is in four of its row groups, or a few more, and a session in
 * those of one quarter (docs/decisions/0081-where-reading-spends-its-time.md).
 */
export const YEAR_FORM: FileForm = { rowGroup: 16_384, codec: 'zstd' }

/**
 * The file of a month that becomes part of a year's: all but those of bars of 1m. A symbol is in one or two row groups of three, and
 * Snappy is for the year as for a session (docs/decisions/0085-months-of-an-open-year.md).
 */
const SMALL_MONTH_FORM: FileForm = { rowGroup: 16_384, codec: 'snappy' }

/** A file of all months of some symbols, which is read by symbol. */
const SYMBOLS_FORM: FileForm = { rowGroup: 40_960, codec: 'zstd' }

export function formOf(relation: Relation, partition: string): FileForm {
  if (relation.layout === 'symbol') return SYMBOLS_FORM
  const days = daysOf(relation, partition)
  if (days.length === 4) return YEAR_FORM
  if (days.length === 10) return SESSION_FORM
  const isOfMostBars = relation.split && days === partition
  return days.length === 7 && !isOfMostBars ? SMALL_MONTH_FORM : MONTH_FORM
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
  } catch (error) {
    // The system does not name what it cannot read.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error
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
