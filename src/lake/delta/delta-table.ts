import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { literal } from '../../duckdb/sqlfile.js'
import type { Action, Add, Metadata, Remove } from './actions.js'
import { checkpointFile, listLog, readEntry } from './delta-log.js'

/** The state of a table, read from its log. */
export interface DeltaTable {
  version: number
  metadata: Metadata
  /** Live files by path. */
  files: Map<string, Add>
  /** Removed files that are still kept, by path. */
  tombstones: Map<string, Remove>
}

/**
 * Reads a table from its log: the latest checkpoint up to the version, then every entry after it.
 *
 * @param upTo version to read. @default the latest
 * @returns undefined if the log is missing or incomplete: a gap, a damaged entry, no metadata
 */
export async function readDeltaTable(
  database: Database,
  table: string,
  upTo = Number.POSITIVE_INFINITY,
): Promise<DeltaTable | undefined> {
  const listing = listLog(table)
  const checkpoint = listing.checkpoints.findLast((version) => version <= upTo)
  const entries = listing.entries.filter((version) => version > (checkpoint ?? -1) && version <= upTo)
  const version = entries.at(-1) ?? checkpoint
  if (version === undefined || entries.length !== version - (checkpoint ?? -1)) return undefined
  if (Number.isFinite(upTo) && version !== upTo) return undefined
  const files = new Map<string, Add>()
  const tombstones = new Map<string, Remove>()
  let metadata: Metadata | undefined
  const apply = (actions: readonly Action[]): void => {
    for (const { add, remove, metaData } of actions) {
      if (metaData) metadata = metaData
      if (remove) {
        files.delete(remove.path)
        tombstones.set(remove.path, remove)
      }
      if (add) {
        files.set(add.path, add)
        tombstones.delete(add.path)
      }
    }
  }
  try {
    if (checkpoint !== undefined)
      apply(await readCheckpoint(database, join(table, checkpointFile(checkpoint))))
    for (const entry of entries) apply(await readEntry(table, entry))
  } catch {
    return undefined
  }
  return metadata && { version, metadata, files, tombstones }
}

async function readCheckpoint(database: Database, file: string): Promise<Action[]> {
  const actions = await database.column<string>(
    `SELECT to_json(line)::VARCHAR AS action FROM (SELECT add, remove, metaData FROM read_parquet(${literal(file)})) line`,
  )
  return actions.map((action) => JSON.parse(action, dropNull) as Action)
}

/** In a checkpoint a missing struct is null. */
function dropNull(_: string, value: unknown): unknown {
  return value === null ? undefined : value
}
