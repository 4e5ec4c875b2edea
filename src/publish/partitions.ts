import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import type { WithheldRows } from '../lake/withheld-rows.js'
import {
  daysOf,
  fileKindOf,
  type LakeMart,
  monthOf,
  quarterOf,
  type Relation,
  relations,
} from '../relations.js'
import { isLive, type LakeFile, type Partition } from './lake-tables.js'
import { isYear, overlap, planLevels, rowsIn } from './levels.js'
import type { Start } from './start.js'
import { isWithheldRow } from './withheld.js'

/** One file to write, and the partitions whose files it replaces. */
export interface FilePlan {
  relation: Relation
  /**
   * Session (YYYY-MM-DD), month (YYYY-MM), year (YYYY), or `all`, after the prefix of its kind of files; of layout `symbol`: `recent`,
   * `past`, `past-F3`.
   */
  partition: string
  /** The rows of the file, in their order. */
  query: string
  replaces: string[]
  /** False if the file only merges the rows of other files. */
  dataChange: boolean
}

/**
 * The files to write: dirty partitions, partitions whose live file is missing on disk or as an earlier version wrote it, whole
 * relations that have no live file or a changed schema, and closed months and years of those relations, whose files are merged into one file.
 *
 * @param recorded files of the ledger
 * @param lost live files that are gone
 * @param changedSchema relations whose columns differ from those of their Delta table
 * @param withheld rows whose new values readers must not see
 */
export async function planFiles(
  database: Database,
  lake: string,
  recorded: readonly LakeFile[],
  lost: readonly LakeFile[],
  {
    described,
    dirty,
    formerOrder,
    changedSchema,
  }: Pick<Start, 'described' | 'dirty' | 'formerOrder' | 'changedSchema'>,
  withheld: readonly WithheldRows[],
): Promise<FilePlan[]> {
  const filled = new Set(described.filter(({ isFilled }) => isFilled).map(({ relation }) => relation.name))
  const live = recorded.filter(isLive)
  const names = new Set(lost.map(({ file }) => file))
  const readable = [...live.filter(({ file }) => !names.has(file)), ...recoveredFiles(lake, recorded)]
  const plans: FilePlan[] = []
  for (const relation of relations) {
    const ofRelation = (partition: Partition): boolean => partition.relation === relation.name
    const liveFiles = live.filter(ofRelation)
    const files = liveFiles.map(({ partition }) => partition)
    const touched = [...dirty, ...lost].filter(ofRelation).map(({ partition }) => partition)
    if (files.length === 0 && filled.has(relation.name))
      touched.push(...(await partitionsOf(database, relation)))
    if (changedSchema.has(relation.name)) touched.push(...files)
    const former = [
      ...mixedPartitions(relation, liveFiles),
      ...formerOrder.filter(ofRelation).map(({ partition }) => partition),
    ]
    if (touched.length === 0 && former.length === 0) continue
    if (relation.layout === 'whole') plans.push(planFile(relation, 'all', files, true))
    else {
      const { changed, merged } = await planLevels(database, relation, [...touched, ...former], liveFiles)
      const daysTouched = touched.map((partition) => daysOf(relation, partition))
      const isTouched = (partition: string): boolean =>
        daysTouched.some((days) => overlap(days, daysOf(relation, partition)))
      for (const partition of [...changed, ...merged].sort())
        plans.push(planFile(relation, partition, files, changed.has(partition) && isTouched(partition)))
    }
  }
  return plans.map((plan) => keepWithheld(plan, lake, readable, withheld))
}

/** The files that readers have of relations whose ledger was lost: `recoverLake` recorded them as removed at one instant. */
function recoveredFiles(lake: string, files: readonly LakeFile[]): LakeFile[] {
  const published = new Set(files.filter(isLive).map(({ relation }) => relation))
  const recovered = files.filter((file) => file.publication_id === 0n && !published.has(file.relation))
  const isLater = (one: LakeFile, other: LakeFile): boolean =>
    one.relation === other.relation && Number(one.removed_ms) > Number(other.removed_ms)
  const latest = recovered.filter((file) => !recovered.some((other) => isLater(other, file)))
  return latest.filter(({ file }) => existsSync(join(lake, file)))
}

/**
 * Partitions whose live file has rows of both kinds, by its statistics: candlehouse 0.2 and earlier wrote them. They are written
 * again, as two files.
 */
function mixedPartitions({ split }: Relation, live: readonly LakeFile[]): string[] {
  if (!split) return []
  const isMixed = ({ stats }: LakeFile): boolean => {
    const { minValues, maxValues } = JSON.parse(stats) as Record<string, Record<string, string> | undefined>
    return [minValues, maxValues].some((values) => values?.[split.column] !== split.value)
  }
  const files = live.filter((file) => !file.partition.startsWith(split.others) && isMixed(file))
  return files.map(({ partition }) => partition)
}

/**
 * Changes a plan so that withheld rows come from the file that readers have. A row that was never published is absent
 * then.
 */
function keepWithheld(
  plan: FilePlan,
  lake: string,
  readable: readonly (Partition & { file: string })[],
  withheld: readonly WithheldRows[],
): FilePlan {
  const { relation, partition } = plan
  const planned = daysOf(relation, partition)
  const isWithheld = isWithheldRow(relation, planned, withheld)
  if (isWithheld === undefined) return plan
  const files = readable
    .filter((file) => file.relation === relation.name)
    .filter((file) => overlap(daysOf(relation, file.partition), planned))
    .map(({ file }) => literal(join(lake, file)))
  const former =
    files.length === 0
      ? ''
      : ` UNION ALL BY NAME SELECT * FROM read_parquet([${files.join(', ')}], hive_partitioning = false) WHERE ${isWithheld} AND ${fileKindOf(relation, partition).rows}`
  return {
    ...plan,
    query: `SELECT * FROM (SELECT * FROM (${plan.query}) WHERE NOT ${isWithheld}${former}) ORDER BY ${orderOf(relation, partition)}`,
  }
}

/** All partitions of a relation that has no file yet: before its first publication, and after an upgrade. */
export async function partitionsOf(database: Database, { name, layout, dated }: Relation): Promise<string[]> {
  if (!dated || layout === 'whole')
    return await database.column<string>(`SELECT 'all' AS partition FROM ${name} LIMIT 1`)
  const partition = layout === 'session' ? `CAST(${identifier(dated.column)} AS VARCHAR)` : monthOf(dated)
  return await database.column<string>(`SELECT DISTINCT ${partition} AS partition FROM ${name}`)
}

/** A relation written whole, as one file. */
export function wholePlan(relation: Relation): FilePlan {
  return planFile(relation, 'all', [], true)
}

/** @param rows a query for the rows of the relation, of this partition and of others */
export function planFile(
  relation: Relation & Partial<Pick<LakeMart, 'omitted'>>,
  partition: string,
  files: readonly string[],
  dataChange: boolean,
  rows = allRows(relation),
): FilePlan {
  return {
    relation,
    partition,
    query: `${rows} WHERE ${rowsIn(relation, partition)} ORDER BY ${orderOf(relation, partition)}`,
    replaces: [...new Set([partition, ...files.filter((file) => overlap(file, partition))])],
    dataChange,
  }
}

/** A query for all rows of a relation, as its files have them. */
export function allRows({
  name,
  omitted = [],
}: Pick<Relation, 'name'> & Partial<Pick<LakeMart, 'omitted'>>): string {
  const columns = omitted.length > 0 ? `* EXCLUDE (${omitted.join(', ')})` : '*'
  return `SELECT ${columns} FROM ${name}`
}

/** Order in a file. A year's file has one quarter after the other: a session is then in a quarter of its row groups, a symbol in four. */
function orderOf(relation: Relation, partition: string): string {
  const { dated, sort } = relation
  const columns = sort.map(identifier)
  return (dated && isYear(daysOf(relation, partition)) ? [quarterOf(dated), ...columns] : columns).join(', ')
}
