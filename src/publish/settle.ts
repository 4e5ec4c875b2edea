import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { StorageError } from '../errors.js'
import type { Metadata } from '../lake/delta/actions.js'
import { CHECKPOINT_EVERY, writeCheckpoint } from '../lake/delta/checkpoint.js'
import { checkpointFile, commitEntry, entryFile, LOG, listLog } from '../lake/delta/log.js'
import { readSnapshot } from '../lake/delta/snapshot.js'
import { hashFile } from '../lake/files.js'
import { type Manifest, type ManifestRelation, tablePath, writeManifest } from '../lake/manifest.js'
import { type Change, changeOf, checkpointActions, commitActions, type Published } from './commit.js'
import type { LakeTable } from './ledger.js'

/** Somebody else's commits are answered this often; beyond that two programs fight over the lake. */
const MOST_TRIES = 5

/** What a lake should hold, and what its manifest says that it holds. */
export interface Wanted {
  /** As the ledger has them now. */
  tables: readonly LakeTable[]
  /** Candle timeframes that were ever fetched. */
  timeframes: readonly string[]
  /** Undefined where there is no manifest yet, or one that is torn. */
  held: Manifest | undefined
}

/**
 * Makes the lake say what the ledger says: a commit in the Delta log of every table that differs, then the
 * manifest by rename. The ledger's transaction comes before; a kill anywhere in here is healed by calling this
 * again, since what is missing is found by comparing. Logs are a projection: one that is gone or torn is begun
 * anew, and what others have committed is answered by a commit that restores the ledger's state.
 *
 * @throws StorageError when the disk refuses, or another program keeps committing
 */
export async function settleLake(
  warehouse: Database,
  lake: string,
  wanted: Wanted,
  published: Published,
  effects: Effects,
): Promise<Manifest> {
  const { tables, timeframes, held } = wanted
  const settled: ManifestRelation[] = []
  for (const table of tables) {
    const before = held?.relations.find((each) => each.name === table.relation.name)
    const fits = before && isWanted(before, table) && stands(lake, before)
    settled.push(fits ? before : await commitTable(warehouse, lake, table, before, published, effects))
  }
  const manifest: Manifest = {
    format: 'candlehouse-lake',
    format_version: 1,
    publication: published.publication,
    run_id: published.runId,
    published_at: published.publishedAt,
    fetched_timeframes: [...timeframes],
    relations: settled,
  }
  if (JSON.stringify(manifest) !== JSON.stringify(held)) await writeManifest(lake, manifest)
  return manifest
}

/** Whether the log of a table ends where the manifest says, and has all that a reader needs. */
function stands(lake: string, { name, version, log }: ManifestRelation): boolean {
  const next = join(lake, tablePath(name), entryFile(version + 1))
  return !existsSync(next) && log.every(({ path }) => existsSync(join(lake, path)))
}

/** Whether the manifest says of a relation what the ledger wants. */
function isWanted(before: ManifestRelation, { comment, columns, live }: LakeTable): boolean {
  const stated = [before.comment, before.columns, before.files.map((file) => file.path)]
  return JSON.stringify(stated) === JSON.stringify([comment, columns, live.map((file) => file.file)])
}

async function commitTable(
  warehouse: Database,
  lake: string,
  table: LakeTable,
  before: ManifestRelation | undefined,
  published: Published,
  effects: Effects,
): Promise<ManifestRelation> {
  const folder = join(lake, tablePath(table.relation.name))
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const base = await readSnapshot(warehouse, folder)
    // A log that cannot be replayed serves nobody.
    if (!base) await rm(join(folder, LOG), { recursive: true, force: true })
    const change = changeOf(table, base, effects)
    const version = base && !differs(change) ? base.version : (base?.version ?? -1) + 1
    if (version !== base?.version) {
      const actions = commitActions(change, base === undefined, published)
      if (!(await commitEntry(folder, version, actions))) continue
      if (version > 0 && version % CHECKPOINT_EVERY === 0) {
        await writeCheckpoint(
          warehouse,
          folder,
          version,
          checkpointActions(table, change.metadata, published),
        )
      }
    }
    return await describeTable(lake, table, version, change.metadata, before)
  }
  throw new StorageError(`another program keeps committing to ${folder}`, {
    hint: 'the lake has one writer: stop the other, then: candlehouse publish',
  })
}

function differs({ adds, removes, newMetadata }: Change): boolean {
  return newMetadata || adds.length > 0 || removes.length > 0
}

async function describeTable(
  lake: string,
  { relation, comment, columns, live }: LakeTable,
  version: number,
  metadata: Metadata,
  before: ManifestRelation | undefined,
): Promise<ManifestRelation> {
  const files = live.map(({ file, partition, row_count, bytes, sha256, publication_id }) => ({
    path: file,
    partition,
    rows: Number(row_count),
    bytes: Number(bytes),
    sha256,
    publication: Number(publication_id),
  }))
  return {
    name: relation.name,
    comment,
    version,
    table_id: metadata.id,
    created_at: new Date(metadata.createdTime).toISOString(),
    partitioned_by: metadata.partitionColumns,
    columns,
    rows: files.reduce((sum, file) => sum + file.rows, 0),
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    files,
    log: await logOf(lake, relation.name, version, before),
  }
}

/** What a reader of the version needs: the latest checkpoint up to it, and the entries after that. */
async function logOf(
  lake: string,
  name: string,
  version: number,
  before: ManifestRelation | undefined,
): Promise<ManifestRelation['log']> {
  const { entries, checkpoints } = await listLog(join(lake, tablePath(name)))
  const checkpoint = checkpoints.findLast((each) => each <= version)
  const names = entries.filter((each) => each > (checkpoint ?? -1) && each <= version).map(entryFile)
  if (checkpoint !== undefined) names.unshift(checkpointFile(checkpoint))
  const hashed: ManifestRelation['log'] = []
  for (const file of names) {
    const path = `${tablePath(name)}/${file}`
    // Entries never change; the log of a table that was begun anew shares no entry that the manifest knows.
    const known = before?.log.find((each) => each.path === path)
    hashed.push(known ?? { path, sha256: await hashFile(join(lake, path)) })
  }
  return hashed
}
