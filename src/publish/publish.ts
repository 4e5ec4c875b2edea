import { join, relative } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { writeCatalog } from '../lake/catalog.js'
import { listLog } from '../lake/delta/log.js'
import { openFolder, ROW_GROUP, SESSION_ROW_GROUP } from '../lake/files.js'
import { type Manifest, readManifest, tablePath } from '../lake/manifest.js'
import type { WithheldSession } from '../lake/withheld.js'
import { refreshMaterialized } from '../mart/materialized.js'
import { relationOf, relations } from '../relations.js'
import { adoptLake } from './adopt.js'
import type { Published } from './commit.js'
import { type LakeTable, lakeTables, recordFile } from './ledger.js'
import { writeParquet } from './parquet.js'
import { type FilePlan, isSession, monthPart, planFiles, wholePlan } from './partitions.js'
import { settleLake } from './settle.js'
import { sweep } from './sweep.js'
import { clearDirty, withheldWithDerived } from './withheld.js'

/** What a publication wrote. */
export interface Publication {
  /** Number of the publication; that of the latest one when nothing had changed. */
  id: number
  /** Files written. */
  partitions: number
  rows: number
  /** Absolute path of the catalog. */
  catalog: string
}

export interface PublishOptions {
  runId: string
  /** Days that removed files stay for time travel and for readers of an older catalog. */
  retainDays: number
}

/**
 * Publishes what has changed: Parquet files under names of their own, then the ledger in one transaction, then the
 * Delta logs, the manifest, and the catalog by rename. Readers of the catalog see the former state whole until
 * that last rename; a kill before the transaction leaves only orphans, a kill after it leaves steps that the next
 * publication takes. The cost follows what changed, not what is held.
 */
export async function publish(
  warehouse: Database,
  home: string,
  options: PublishOptions,
  effects: Effects,
): Promise<Publication> {
  const lake = join(home, 'lake')
  const catalog = join(home, 'catalog.duckdb')
  await openFolder(lake)
  await refreshMaterialized(warehouse)
  const held = await readManifest(lake)
  const tables = await lakeTables(warehouse)
  const timeframes = await fetchedTimeframes(warehouse)
  const changedSchema = changedSchemas(tables, held)
  const latest = await latestPublication(warehouse)
  let manifest: Manifest | undefined
  if (!latest) await adoptLake(warehouse, lake, effects)
  // One that was cut short is completed first, so that versions count on from it.
  else if (held && changedSchema.size === 0)
    manifest = await settleLake(warehouse, lake, { tables, timeframes, held }, latest, effects)
  const withheld = await withheldWithDerived(warehouse)
  const plans = await planFiles(warehouse, lake, changedSchema, withheld)
  const id = Math.max(latest?.publication ?? 0, held?.publication ?? 0) + 1
  const next = { publication: id, runId: options.runId, publishedAt: new Date(effects.now()).toISOString() }
  const first = latest === undefined
  const written = await recordPublication(
    warehouse,
    lake,
    { plans, tables, first, changedSchema, withheld },
    next,
  )
  const standing = written.published || !latest ? next : latest
  if (written.files > 0 || !manifest) {
    const wanted = { tables: await lakeTables(warehouse), timeframes, held: manifest ?? held }
    manifest = await settleLake(warehouse, lake, wanted, standing, effects)
  }
  await writeCatalog(manifest, lake, catalog)
  await sweep(warehouse, home, options.retainDays, effects)
  return { id: standing.publication, partitions: written.files, rows: written.rows, catalog }
}

async function fetchedTimeframes(warehouse: Database): Promise<string[]> {
  const rows = await warehouse.rows<{ timeframe: string }>(
    `SELECT DISTINCT timeframe FROM ops.coverage WHERE dataset = 'ohlc' ORDER BY timeframe`,
  )
  return rows.map((row) => row.timeframe)
}

async function latestPublication(warehouse: Database): Promise<Published | undefined> {
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

/** Relations whose columns are no longer those of their table: every file of theirs is written anew. */
function changedSchemas(tables: readonly LakeTable[], held: Manifest | undefined): Set<string> {
  const shape = (columns: readonly { name: string; type: string }[]): string =>
    columns.map(({ name, type }) => `${name} ${type}`).join()
  return new Set(
    tables.flatMap(({ relation, columns }) => {
      const before = held?.relations.find((each) => each.name === relation.name)
      return before && shape(before.columns) !== shape(columns) ? relation.name : []
    }),
  )
}

/** What a publication is to write. */
interface Work {
  plans: readonly FilePlan[]
  tables: readonly LakeTable[]
  /** Nothing was ever published: there is a publication even if there is nothing to write. */
  first: boolean
  changedSchema: ReadonlySet<string>
  withheld: readonly WithheldSession[]
}

/**
 * Writes files and tells the ledger, in one transaction: a rollback leaves orphans, which are swept. The row of the
 * publication itself comes last, in the file of `ops.publication`: it knows every version that it makes.
 */
async function recordPublication(
  warehouse: Database,
  lake: string,
  { plans, tables, first, changedSchema, withheld }: Work,
  published: Published,
): Promise<{ files: number; rows: number; published: boolean }> {
  const written = { files: 0, rows: 0, published: false }
  if (plans.length === 0 && !first) return written
  const columns = new Map(tables.map((table) => [table.relation.name, table.columns] as const))
  const changed = new Set<string>(changedSchema)
  const write = async (plan: FilePlan): Promise<void> => {
    const rows = await writePlan(warehouse, lake, plan, columns.get(plan.relation.name) ?? [], published)
    if (rows === undefined) return
    changed.add(plan.relation.name)
    written.files += rows > 0 ? 1 : 0
    written.rows += rows
  }
  const told = relationOf('ops.publication')
  await warehouse.transaction(async () => {
    for (const plan of plans) if (plan.relation !== told) await write(plan)
    if (changed.size > 0 || first) {
      changed.add(told.name)
      written.published = true
      await warehouse.run('INSERT INTO ops.publication VALUES (?, ?, ?::TIMESTAMPTZ, ?)', [
        published.publication,
        published.runId,
        published.publishedAt,
        JSON.stringify(await nextVersions(lake, changed)),
      ])
      await write(wholePlan(told))
    } else if (plans.some((plan) => plan.relation === told)) await write(wholePlan(told))
    await clearDirty(warehouse, withheld)
  })
  return written
}

/** Rows written; 0 when the partition has none any more, undefined when the file that is there says the same. */
async function writePlan(
  warehouse: Database,
  lake: string,
  plan: FilePlan,
  columns: readonly { name: string; type: string }[],
  { publication, publishedAt }: Published,
): Promise<number | undefined> {
  const { relation, partition, replaces } = plan
  const folder = join(
    lake,
    tablePath(relation.name),
    ...(relation.dated ? [`month=${monthPart(partition)}`] : []),
  )
  const rowGroup = isSession(partition) ? SESSION_ROW_GROUP : ROW_GROUP
  const written = await writeParquet(warehouse, plan.query, join(folder, partition), columns, rowGroup)
  const file = written && relative(lake, written.file)
  const live = await warehouse.rows<{ file: string }>(
    `SELECT file FROM ops.lake_file WHERE relation = ? AND removed_at IS NULL
       AND partition IN (${replaces.map(literal).join(', ')})`,
    [relation.name],
  )
  const gone = live.filter((each) => each.file !== file)
  if (gone.length === 0 && live.length === (file ? 1 : 0)) return undefined
  for (const each of gone)
    await warehouse.run('UPDATE ops.lake_file SET removed_at = ?::TIMESTAMPTZ WHERE file = ?', [
      publishedAt,
      each.file,
    ])
  if (!written || !file) return 0
  const added = BigInt(Date.parse(publishedAt))
  await recordFile(warehouse, {
    relation: relation.name,
    partition,
    file,
    row_count: BigInt(written.rows),
    bytes: BigInt(written.bytes),
    sha256: written.sha256,
    stats: written.stats,
    data_change: plan.dataChange,
    publication_id: BigInt(publication),
    added_ms: added,
    removed_ms: null,
  })
  return written.rows
}

/** Version of every table once this publication stands. */
async function nextVersions(lake: string, changed: ReadonlySet<string>): Promise<Record<string, number>> {
  const versions: Record<string, number> = {}
  for (const { name } of relations) {
    const { entries, checkpoints } = await listLog(join(lake, tablePath(name)))
    const head = Math.max(-1, entries.at(-1) ?? -1, checkpoints.at(-1) ?? -1)
    versions[name] = head < 0 ? 0 : head + (changed.has(name) ? 1 : 0)
  }
  return versions
}
