import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { writeLines, writeWholeWith } from '../../home/files.js'
import { READABLE, replaceFile } from '../lake-files.js'
import type { Action } from './actions.js'
import { checkpointFile, LOG } from './delta-log.js'

/** Versions between two checkpoints, as Delta's own writers use: readers then read few log entries. */
export const CHECKPOINT_EVERY = 10

const POINTER = '_last_checkpoint'

/**
 * Writes the state of a version as one Parquet file beside the log and points readers to it.
 *
 * @param actions protocol, metadata, transactions, live files and tombstones of that version
 */
export async function writeCheckpoint(
  database: Database,
  table: string,
  version: number,
  actions: readonly Action[],
  effects: Effects,
): Promise<void> {
  const { disk } = effects
  const file = join(table, checkpointFile(version))
  const lines = `${file}.${process.pid}.json.tmp`
  try {
    writeLines(lines, actions, disk)
    const columns = sqlFile('lake/checkpoint.sql').replace('$lines', () => literal(lines))
    const copy = (temp: string): Promise<void> =>
      database.run(`COPY (${columns}) TO ${literal(temp)} (FORMAT parquet, COMPRESSION snappy)`)
    await writeWholeWith(file, READABLE, copy, disk)
  } finally {
    disk.remove(lines)
  }
  await pointTo(table, version, actions.length, effects)
}

/**
 * Points readers to the latest checkpoint where a run was killed after it had written that checkpoint: the one that they are
 * pointed to would be swept.
 *
 * @param version of the latest checkpoint
 */
export async function settlePointer(
  database: Database,
  table: string,
  version: number,
  effects: Effects,
): Promise<void> {
  const text = await readFile(join(table, LOG, POINTER), 'utf8').catch(() => '')
  if (isPointerTo(text, version)) return
  const file = literal(join(table, checkpointFile(version)))
  const actions = await database.count(`SELECT count(*) FROM read_parquet(${file})`)
  await pointTo(table, version, actions, effects)
}

function isPointerTo(text: string, version: number): boolean {
  try {
    const pointer = JSON.parse(text)
    return pointer.version === version && Number.isInteger(pointer.size)
  } catch {
    return false
  }
}

async function pointTo(table: string, version: number, size: number, effects: Effects): Promise<void> {
  await replaceFile(join(table, LOG, POINTER), `${JSON.stringify({ version, size })}\n`, effects)
}
