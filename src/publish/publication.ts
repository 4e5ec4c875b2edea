import { join, relative } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { writeCatalog } from '../lake/catalog.js'
import { listLog } from '../lake/delta/log.js'
import { refreshDuckLake } from '../lake/ducklake.js'
import { openFolder, ROW_GROUP, SESSION_ROW_GROUP, YEAR_ROW_GROUP } from '../lake/files.js'
import { type Manifest, readManifest, tablePath } from '../lake/manifest.js'
import type { WithheldSession } from '../lake/withheld.js'
import type { CalendarDay } from '../market/calendar-file.js'
import { refreshMaterialized } from '../mart/materialized.js'
import { relationOf, relations } from '../relations.js'
import type { PublicationId } from './commit.js'
import {
  type LakeFile,
  type LakeTable,
  lakeTables,
  recordFiles,
  removeFiles,
  withRecordedFiles,
} from './laketables.js'
import { isSession, isYear, yearPart } from './levels.js'
import { writeParquet } from './parquet.js'
import { type FilePlan, planFiles, wholePlan } from './partitions.js'
import { recordPeriods } from './periods.js'
import { recoverLake } from './recover.js'
import { missingParts, NOTHING_REPAIRED, type Repairs } from './repairs.js'
import { expire, removeExpired } from './sweep.js'
import { updateLake } from './update.js'
import { clearDirty, withheldWithDerived } from './withheld.js'

/** What a publication wrote. */
export interface Publication {
  /** Number of the publication; if nothing had changed, that of the latest one. */
  id: number
  /** Files written. */
  partitions: number
  rows: number
  /** Absolute path of the catalog. */
  catalog: string
  repaired: Repairs
}

export interface PublishOptions {
  runId: string
  /** Days to keep removed files, for time travel and for readers of an older catalog. */
  retainDays: number
  /** Days of the user's own calendar; none by default. */
  userDays?: readonly CalendarDay[]
}

/**
 * Publishes what has changed: Parquet files with new names, then the ledger in one transaction, then the Delta logs,
 * the manifest, and the catalog by rename. Readers of the catalog see the whole former state until that last rename. A
 * kill before the transaction leaves only orphan files; after a kill later on, the next publication does the missing
 * steps. The cost depends on what changed, not on what is stored.
 */
export async function publish(
  warehouse: Database,
  home: string,
  options: PublishOptions,
  effects: Effects,
): Promise<Publication> {
  const { userDays = [] } = options
  const lake = join(home, 'lake')
  const catalog = join(home, 'catalog.duckdb')
  await openFolder(lake)
  await refreshMaterialized(warehouse)
  const former = await readManifest(lake)
  const tables = await lakeTables(warehouse)
  const changedSchema = changedSchemas(tables, former)
  const partitioned = partitionedTables(former)
  const latest = await latestPublication(warehouse)
  if (latest) await recordPeriods(warehouse, latest.publication)
  const isComplete = former !== undefined && former.publication === latest?.publication
  const timeframes = await fetchedTimeframes(warehouse, isComplete ? former.fetched_timeframes : undefined)
  const missing = latest ? await missingParts(warehouse, lake, catalog, former) : NOTHING_REPAIRED
  let manifest: Manifest | undefined
  if (!latest) await recoverLake(warehouse, lake, effects)
  // An interrupted publication is completed first, so that the next versions follow its versions.
  else if (former && changedSchema.size === 0 && partitioned.size === 0)
    manifest = await updateLake(
      warehouse,
      lake,
      { tables, timeframes, userDays, manifest: former },
      latest,
      effects,
    )
  const withheld = await withheldWithDerived(warehouse)
  const plans = await planFiles(warehouse, lake, changedSchema, withheld)
  const id = Math.max(latest?.publication ?? 0, former?.publication ?? 0) + 1
  const next = { publication: id, runId: options.runId, publishedAt: new Date(effects.now()).toISOString() }
  const first = latest === undefined
  const written = await recordPublication(
    warehouse,
    lake,
    {
      plans,
      tables,
      first,
      changedSchema,
      changedTables: new Set([...changedSchema, ...partitioned]),
      withheld,
    },
    next,
  )
  const current = written.published || !latest ? next : latest
  const overdue = await expire(warehouse, options.retainDays, effects)
  if (written.files > 0 || !manifest) {
    const state = {
      tables: await withRecordedFiles(warehouse, tables),
      timeframes,
      userDays,
      manifest: manifest ?? former,
    }
    manifest = await updateLake(warehouse, lake, state, current, effects)
  }
  // A publication has written it; else it may be damaged or lost, in another folder, or show what has expired.
  if (!written.published) await refreshDuckLake(warehouse, lake, manifest)
  const isCatalogNew = await writeCatalog(manifest, lake, catalog, written.published)
  // Without new data the catalog was current, unless it was damaged, a kill came before its rename, or the user changed
  // the calendar.
  const isSameCalendar = JSON.stringify(manifest.calendar_days) === JSON.stringify(former?.calendar_days)
  const isCatalogRepaired = isCatalogNew && !first && !written.published && isSameCalendar
  const repaired = { ...missing, catalog: missing.catalog || isCatalogRepaired }
  await removeExpired(warehouse, home, overdue)
  return { id: current.publication, partitions: written.files, rows: written.rows, catalog, repaired }
}

/**
 * Candle timeframes that were ever requested. Only months with changes can have more than the last publication: a decade of the
 * whole market has four million windows.
 *
 * @param former those of the last publication; undefined if it was interrupted, or if there is none
 */
async function fetchedTimeframes(
  warehouse: Database,
  former: readonly string[] | undefined,
): Promise<string[]> {
  const changed = former ? `AND window_from >= (${sqlFile('publish/first_changed_window.sql')})` : ''
  const rows = await warehouse.rows<{ timeframe: string }>(
    `SELECT DISTINCT timeframe FROM ops.coverage WHERE dataset = 'ohlc' ${changed} ORDER BY timeframe`,
  )
  return [...new Set([...(former ?? []), ...rows.map(({ timeframe }) => timeframe)])].sort()
}

async function latestPublication(warehouse: Database): Promise<PublicationId | undefined> {
  const [row] = await warehouse.rows<{ id: bigint; run: string; at: bigint }>(
    `SELECT publication_id AS id, run_id AS run, epoch_ms(published_at) AS at FROM ops.publication
     ORDER BY publication_id DESC LIMIT 1`,
  )
  return (
    row && {
      publication: Number(row.id),
      runId: row.run,
      publishedAt: new Date(Number(row.at)).toISOString(),
    }
  )
}

/** Relations whose columns differ from the manifest: all their files are rewritten. */
function changedSchemas(tables: readonly LakeTable[], former: Manifest | undefined): Set<string> {
  const shape = (columns: readonly { name: string; type: string }[]): string =>
    columns.map(({ name, type }) => `${name} ${type}`).join()
  return new Set(
    tables.flatMap(({ relation, columns }) => {
      const before = former?.relations.find(({ name }) => name === relation.name)
      return before && shape(before.columns) !== shape(columns) ? relation.name : []
    }),
  )
}

/**
 * Relations whose Delta tables were partitioned by month, as earlier versions of candlehouse wrote them. They get a version
 * without partitions, which has the same files.
 */
function partitionedTables(former: Manifest | undefined): Set<string> {
  const tables = former?.relations.filter(({ partitioned_by }) => partitioned_by.length > 0) ?? []
  return new Set(tables.map(({ name }) => name))
}

/** The changes that a publication has to write. */
interface PendingChanges {
  plans: readonly FilePlan[]
  tables: readonly LakeTable[]
  /** The first publication is recorded even if there are no files to write. */
  first: boolean
  /** Relations whose columns have changed. */
  changedSchema: ReadonlySet<string>
  /** Relations whose tables get a version whatever files they get. */
  changedTables: ReadonlySet<string>
  withheld: readonly WithheldSession[]
}

/**
 * Writes files and their rows in the ledger, in one transaction; a rollback leaves orphan files, which are swept. The row
 * of the publication itself is written last, to the file of `ops.publication`, because it lists all new versions.
 */
async function recordPublication(
  warehouse: Database,
  lake: string,
  { plans, tables, first, changedSchema, changedTables, withheld }: PendingChanges,
  published: PublicationId,
): Promise<{ files: number; rows: number; published: boolean }> {
  const written = { files: 0, rows: 0, published: false }
  if (plans.length === 0 && !first && changedTables.size === 0) return written
  const columns = new Map(tables.map((table) => [table.relation.name, table.columns] as const))
  const changed = new Set<string>(changedTables)
  const live = await warehouse.rows<LiveFile>(
    'SELECT relation, partition, file FROM ops.lake_file WHERE removed_at IS NULL',
  )
  const replaced: string[] = []
  const added: LakeFile[] = []
  const write = async (plan: FilePlan): Promise<void> => {
    const file = await writePlan(warehouse, lake, plan, columns.get(plan.relation.name) ?? [], published)
    const before = filesOf(live, plan)
    const outdated = before.filter((name) => name !== file?.file)
    if (outdated.length === 0 && before.length === (file ? 1 : 0)) return
    replaced.push(...outdated)
    changed.add(plan.relation.name)
    if (!file) return
    added.push(file)
    written.files += 1
    written.rows += Number(file.row_count)
  }
  const publications = relationOf('ops.publication')
  await warehouse.transaction(async () => {
    for (const plan of plans) if (plan.relation !== publications) await write(plan)
    if (changed.size > 0 || first) {
      changed.add(publications.name)
      written.published = true
      await warehouse.run('INSERT INTO ops.publication VALUES (?, ?, ?::TIMESTAMPTZ, ?)', [
        published.publication,
        published.runId,
        published.publishedAt,
        JSON.stringify(await nextVersions(lake, changed)),
      ])
      await write(wholePlan(publications))
    } else if (plans.some((plan) => plan.relation === publications)) await write(wholePlan(publications))
    await removeFiles(warehouse, replaced, published.publishedAt)
    await recordFiles(warehouse, added)
    if (written.published) await recordPeriods(warehouse, published.publication, changedSchema.size > 0)
    await clearDirty(warehouse, withheld)
  })
  return written
}

interface LiveFile {
  relation: string
  partition: string
  file: string
}

/** Live files of the partitions that a plan replaces. */
function filesOf(live: readonly LiveFile[], { relation, replaces }: FilePlan): string[] {
  return live
    .filter((file) => file.relation === relation.name && replaces.includes(file.partition))
    .map(({ file }) => file)
}

/** Writes the file of one plan; undefined if the partition is empty now. */
async function writePlan(
  warehouse: Database,
  lake: string,
  { relation, partition, query, dataChange }: FilePlan,
  columns: readonly { name: string; type: string }[],
  { publication, publishedAt }: PublicationId,
): Promise<LakeFile | undefined> {
  const folder = join(lake, tablePath(relation.name), ...(relation.dated ? [yearPart(partition)] : []))
  const rowGroup = isSession(partition) ? SESSION_ROW_GROUP : isYear(partition) ? YEAR_ROW_GROUP : ROW_GROUP
  const written = await writeParquet(warehouse, query, join(folder, partition), columns, rowGroup)
  if (!written) return undefined
  return {
    relation: relation.name,
    partition,
    file: relative(lake, written.file),
    row_count: BigInt(written.rows),
    bytes: BigInt(written.bytes),
    sha256: written.sha256,
    stats: written.stats,
    data_change: dataChange,
    publication_id: BigInt(publication),
    added_ms: BigInt(Date.parse(publishedAt)),
    removed_ms: null,
  }
}

/** Version of every table after this publication. */
async function nextVersions(lake: string, changed: ReadonlySet<string>): Promise<Record<string, number>> {
  const versions: Record<string, number> = {}
  for (const { name } of relations) {
    const { entries, checkpoints } = await listLog(join(lake, tablePath(name)))
    const head = Math.max(-1, entries.at(-1) ?? -1, checkpoints.at(-1) ?? -1)
    versions[name] = head < 0 ? 0 : head + (changed.has(name) ? 1 : 0)
  }
  return versions
}
