import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile } from '../../duckdb/sqlfile.js'
import { settleFile } from '../../whole-file.js'
import { READABLE, replaceFile } from '../files.js'
import type { Action } from './actions.js'
import { checkpointFile, LOG } from './log.js'

/** Versions between two checkpoints, as Delta's own writers use: readers then read few log entries. */
export const CHECKPOINT_EVERY = 10

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
  const pointer = `${JSON.stringify({ version, size: actions.length })}\n`
  await replaceFile(join(table, LOG, '_last_checkpoint'), pointer)
}
