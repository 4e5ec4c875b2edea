import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { CalendarDay } from 'candlehouse-foundation/market/calendar'
import type { MarketRule } from 'candlehouse-foundation/market/rulebook'
import type { Metadata } from '../lake/delta/actions.js'
import { CHECKPOINT_EVERY, writeCheckpoint } from '../lake/delta/checkpoint.js'
import { checkpointFile, commitEntry, entryFile, LOG, listLog } from '../lake/delta/delta-log.js'
import { readDeltaTable } from '../lake/delta/delta-table.js'
import { writeDuckLake } from '../lake/ducklake.js'
import { hashFile } from '../lake/lake-files.js'
import type { LakeWriter } from '../lake/lake-writer.js'
import {
  type Manifest,
  type ManifestDay,
  type ManifestFile,
  type ManifestRelation,
  type ManifestRule,
  tablePath,
  writeManifest,
} from '../lake/manifest.js'
import type { OwnView } from '../lake/own-views.js'
import type { Relation } from '../relations.js'
import {
  type Base,
  type Change,
  changeOf,
  checkpointActions,
  commitActions,
  describedBy,
  type PublicationId,
  wholeChange,
} from './commit.js'
import type { LakeFile, LakeTable } from './lake-tables.js'
import { isLogAhead } from './log-state.js'

/** How often a commit is tried again after a commit of another program. More would mean two permanent writers. */
const MAX_ATTEMPTS = 5

/** The lake according to the ledger, and according to its manifest. */
export interface LakeState {
  /** The tables of the ledger now. */
  tables: readonly LakeTable[]
  timeframes: readonly string[]
  userDays: readonly CalendarDay[]
  userRules: readonly MarketRule[]
  /** Views of the user's own, and its tables as they were last computed. */
  ownViews: readonly OwnView[]
  ownTables: readonly OwnView[]
  /** Tables that are no longer published: their logs get a version without files, and the manifest lacks them. */
  retired: ReadonlySet<string>
  /** Undefined if there is no manifest yet, or a damaged one. */
  manifest: Manifest | undefined
  /** Relations of the manifest whose logs are damaged. */
  damaged: ReadonlySet<string>
}

/**
 * Brings the lake to the state of the ledger: a commit in the Delta log of every table that differs, then the DuckLake and
 * the manifest by rename. The transaction of the ledger comes before. After a kill, another call does what is missing, because
 * missing steps are found by comparing. A log that is missing or damaged goes on with a version that has the whole state; one
 * that no manifest describes is started again. If another program has committed to a log, a further commit restores the state
 * of the ledger.
 *
 * @throws StorageError if the disk refuses, or if another program keeps committing
 */
export async function updateLake(
  writer: LakeWriter,
  state: LakeState,
  published: PublicationId,
): Promise<Manifest> {
  const { lake, effects } = writer
  const {
    tables,
    timeframes,
    userDays,
    userRules,
    ownViews,
    ownTables,
    retired,
    manifest: former,
    damaged,
  } = state
  const updated: ManifestRelation[] = []
  for (const table of tables) {
    const before = former?.relations.find(({ name }) => name === table.relation.name)
    const isDamaged = damaged.has(table.relation.name)
    const isCurrent = before && !isDamaged && matchesLedger(before, table) && !isLogAhead(lake, before)
    const current = isCurrent ? before : await commitTable(writer, table, { before, isDamaged }, published)
    // Its files are in use until the transaction that retires it.
    if (!retired.has(table.relation.name) || table.live.length > 0) updated.push(current)
  }
  const manifest: Manifest = {
    format: 'candlehouse-lake',
    format_version: 1,
    publication: published.publication,
    run_id: published.runId,
    published_at: published.publishedAt,
    fetched_timeframes: [...timeframes],
    ...(userDays.length > 0 ? { calendar_days: userDays.map(manifestDay) } : {}),
    ...(userRules.length > 0 ? { market_rules: userRules.map(manifestRule) } : {}),
    ...(ownViews.length > 0 ? { own_views: [...ownViews] } : {}),
    ...(ownTables.length > 0 ? { own_tables: [...ownTables] } : {}),
    relations: updated,
  }
  if (JSON.stringify(manifest) !== JSON.stringify(former)) {
    await writeDuckLake(writer, manifest, former)
    await writeManifest(lake, manifest, effects)
  }
  return manifest
}

export function manifestRule({ validFrom, validTo, ...rule }: MarketRule): ManifestRule {
  return { ...rule, valid_from: validFrom, valid_to: validTo === '' ? null : validTo }
}

export function manifestDay({ day, isSession, closedFor, source }: CalendarDay): ManifestDay {
  return { day, is_session: isSession, closed_for: closedFor, source }
}

/** Whether a relation is the same in the manifest and in the ledger. */
function matchesLedger(before: ManifestRelation, { comment, columns, live }: LakeTable): boolean {
  const { partitioned_by, files } = before
  const published = [before.comment, before.columns, partitioned_by, files.map((file) => file.path)]
  return JSON.stringify(published) === JSON.stringify([comment, columns, [], live.map((file) => file.file)])
}

async function commitTable(
  writer: LakeWriter,
  table: LakeTable,
  { before, isDamaged }: { before: ManifestRelation | undefined; isDamaged: boolean },
  published: PublicationId,
): Promise<ManifestRelation> {
  const { warehouse, lake, effects } = writer
  const damaged = isDamaged ? before : undefined
  const folder = join(lake, tablePath(table.relation.name))
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const base = damaged ? await continuedFrom(folder, damaged) : await baseOf(writer, before, folder)
    // A log that nothing is known of is removed and started again.
    if (!base) effects.disk.remove(join(folder, LOG))
    const change = damaged ? wholeChange(table, base, effects) : changeOf(table, base, effects)
    const version = base && !differs(change) ? base.version : (base?.version ?? -1) + 1
    if (version !== base?.version) {
      const isWhole = isDamaged || base === undefined
      const entry = commitActions(change, isWhole, published)
      if (!(await commitEntry(folder, version, entry, effects))) continue
      if (version > 0 && (isDamaged || version % CHECKPOINT_EVERY === 0)) {
        const actions = checkpointActions(table, change.metadata, published)
        await writeCheckpoint(warehouse, folder, version, actions, effects)
      }
    }
    return await describeTable(lake, table, version, change.metadata, before)
  }
  throw new StorageError(`another program keeps writing to ${folder}`, {
    hint: 'a lake can have only one writer: stop the other program, then: candlehouse publish',
  })
}

/**
 * The table as the manifest describes it, if its log is the one that the manifest was written for; else as the log has it.
 * Reading the checkpoints of 25 tables takes 90 CPU-ms, hashing them 15.
 */
async function baseOf(
  { warehouse, lake }: LakeWriter,
  before: ManifestRelation | undefined,
  folder: string,
): Promise<Base | undefined> {
  const isDescribed = before && before.partitioned_by.length === 0 && !isLogAhead(lake, before)
  return isDescribed ? describedBy(before) : await readDeltaTable(warehouse, folder)
}

/**
 * A table whose log is damaged, as its manifest describes it. The next version has the whole state and a checkpoint: readers
 * need nothing from before it, and the id of the table and its numbers of versions go on.
 */
async function continuedFrom(folder: string, before: ManifestRelation): Promise<Base> {
  const { entries, checkpoints } = listLog(folder)
  const version = Math.max(before.version, entries.at(-1) ?? -1, checkpoints.at(-1) ?? -1)
  return { ...describedBy(before), version }
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
  const files = manifestFiles(relation, live)
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

/** Files of the ledger as a manifest has them. */
export function manifestFiles({ split }: Relation, files: readonly LakeFile[]): ManifestFile[] {
  return files.map(({ file, partition, row_count, bytes, sha256, publication_id, stats }) => ({
    path: file,
    partition,
    rows: Number(row_count),
    bytes: Number(bytes),
    sha256,
    publication: Number(publication_id),
    ...(split ? timeframesOf(stats) : {}),
  }))
}

/** The bounds that let the catalog's view of bars leave out files. @param stats in the form of the Delta log */
function timeframesOf(stats: string): Pick<ManifestFile, 'timeframes'> {
  const { minValues, maxValues } = JSON.parse(stats) as Record<string, { timeframe?: string } | undefined>
  const [lowest, highest] = [minValues?.timeframe, maxValues?.timeframe]
  return lowest === undefined || highest === undefined ? {} : { timeframes: [lowest, highest] }
}

/** The log files for reading a version: the latest checkpoint up to it, and the entries after that. */
async function logOf(
  lake: string,
  name: string,
  version: number,
  before: ManifestRelation | undefined,
): Promise<ManifestRelation['log']> {
  const { entries, checkpoints } = listLog(join(lake, tablePath(name)))
  const checkpoint = checkpoints.findLast((candidate) => candidate <= version)
  const names = entries.filter((entry) => entry > (checkpoint ?? -1) && entry <= version).map(entryFile)
  if (checkpoint !== undefined) names.unshift(checkpointFile(checkpoint))
  const hashed: ManifestRelation['log'] = []
  for (const file of names) {
    const path = `${tablePath(name)}/${file}`
    // Entries never change. A log that was started again shares no entry with the former manifest.
    const unchanged = before?.log.find((entry) => entry.path === path)
    hashed.push(unchanged ?? { path, sha256: await hashFile(join(lake, path)) })
  }
  return hashed
}
