import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile } from '../../duckdb/sqlfile.js'
import { settleFile } from '../../whole-file.js'
import { READABLE, replaceFile } from '../files.js'
import type { Action } from './actions.js'
import { checkpointFile, LOG } from './log.js'

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
): Promise<void> {
  const file = join(table, checkpointFile(version))
  const temp = `${file}.${process.pid}.tmp`
  const lines = `${file}.${process.pid}.json.tmp`
  try {
    await writeFile(lines, actions.map((action) => JSON.stringify(action)).join('\n'))
    const columns = sqlFile('lake/checkpoint.sql').replace('$lines', () => literal(lines))
    await database.run(`COPY (${columns}) TO ${literal(temp)} (FORMAT parquet, COMPRESSION snappy)`)
    await settleFile(temp, file, READABLE)
  } finally {
    await rm(lines, { force: true })
    await rm(temp, { force: true })
  }
  await pointTo(table, version, actions.length)
}

/**
 * Points readers to the latest checkpoint where a run was killed after it had written that checkpoint: the one that they are
 * pointed to would be swept.
 *
 * @param version of the latest checkpoint
 */
export async function settlePointer(database: Database, table: string, version: number): Promise<void> {
  const text = await readFile(join(table, LOG, POINTER), 'utf8').catch(() => '')
  if (isPointerTo(text, version)) return
  const file = literal(join(table, checkpointFile(version)))
  const [row] = await database.rows<{ actions: bigint }>(
    `SELECT count(*) AS actions FROM read_parquet(${file})`,
  )
  await pointTo(table, version, Number(row?.actions))
}

function isPointerTo(text: string, version: number): boolean {
  try {
    const pointer = JSON.parse(text)
    return pointer.version === version && Number.isInteger(pointer.size)
  } catch {
    return false
  }
}

async function pointTo(table: string, version: number, size: number): Promise<void> {
  await replaceFile(join(table, LOG, POINTER), `${JSON.stringify({ version, size })}\n`)
}
