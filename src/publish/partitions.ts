import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import type { WithheldSession } from '../lake/withheld.js'
import { type Dated, monthOf, type Relation, relations } from '../relations.js'

/** One file to write, and the partitions whose files it replaces. */
export interface FilePlan {
  relation: Relation
  /** Session (YYYY-MM-DD), month (YYYY-MM), or `all`. */
  partition: string
  /** The rows of the file, in their order. */
  query: string
  replaces: string[]
  /** False if the file only merges the rows of other files. */
  dataChange: boolean
}

/** A partition of a relation. */
interface Partition {
  relation: string
  partition: string
}

/**
 * The files to write: dirty partitions, partitions whose live file is missing on disk, whole relations that have no live
 * file or a changed schema, and closed months, whose session files are merged into one file.
 *
 * @param changedSchema relations whose columns differ from those of their Delta table
 * @param withheld sessions whose new rows readers must not see
 */
export async function planFiles(
  database: Database,
  lake: string,
  changedSchema: ReadonlySet<string>,
  withheld: readonly WithheldSession[],
): Promise<FilePlan[]> {
  const live = await database.rows<Partition & { file: string }>(
    'SELECT relation, partition, file FROM ops.lake_file WHERE removed_at IS NULL',
  )
  const dirty = await database.rows<Partition>('SELECT DISTINCT relation, partition FROM ops.dirty_partition')
  const lost = live.filter(({ file }) => !existsSync(join(lake, file)))
  const filled = await database.rows<{ name: string }>(
    `SELECT schema_name || '.' || table_name AS name FROM duckdb_tables() WHERE estimated_size > 0`,
  )
  const nonEmpty = new Set(filled.map((row) => row.name))
  const readable = [...live.filter((file) => !lost.includes(file)), ...(await recoveredFiles(database, lake))]
  const plans: FilePlan[] = []
  for (const relation of relations) {
    const ofRelation = (partition: Partition): boolean => partition.relation === relation.name
    const files = live.filter(ofRelation).map(({ partition }) => partition)
    const touched = [...dirty, ...lost].filter(ofRelation).map(({ partition }) => partition)
    if (files.length === 0 && nonEmpty.has(relation.name))
      touched.push(...(await partitionsOf(database, relation)))
    if (changedSchema.has(relation.name)) touched.push(...files)
    if (touched.length === 0) continue
    if (relation.layout === 'session') plans.push(...planSessions(relation, touched, files))
    else {
      const partitions = relation.layout === 'month' ? touched.map(monthPart) : ['all']
      for (const partition of [...new Set(partitions)].sort())
        plans.push(planFile(relation, partition, files, true))
    }
  }
  return plans.map((plan) => keepWithheld(plan, lake, readable, withheld))
}

/** The files that readers have of relations whose ledger was lost: `recoverLake` recorded them as removed at one instant. */
async function recoveredFiles(database: Database, lake: string): Promise<(Partition & { file: string })[]> {
  const files = await database.rows<Partition & { file: string }>(
    `SELECT relation, partition, file FROM ops.lake_file
     WHERE publication_id = 0 AND relation NOT IN (SELECT relation FROM ops.lake_file WHERE removed_at IS NULL)
     QUALIFY removed_at = max(removed_at) OVER (PARTITION BY relation)`,
  )
  return files.filter(({ file }) => existsSync(join(lake, file)))
}

/**
 * Changes a plan so that the rows of withheld sessions come from the file that readers have. A session that was never
 * published has no rows then.
 */
function keepWithheld(
  plan: FilePlan,
  lake: string,
  readable: readonly (Partition & { file: string })[],
  withheld: readonly WithheldSession[],
): FilePlan {
  const { relation, partition, replaces } = plan
  const days = withheld
    .filter((session) => session.relation === relation.name && session.tradingDate.startsWith(partition))
    .map(({ tradingDate }) => literal(tradingDate))
  if (days.length === 0 || !relation.dated) return plan
  const isWithheld = `${identifier(relation.dated.column)} IN (${days.join(', ')})`
  const files = readable
    .filter((file) => file.relation === relation.name)
    .filter((file) => replaces.includes(file.partition) || partition.startsWith(file.partition))
    .map(({ file }) => literal(join(lake, file)))
  const former =
    files.length === 0
      ? ''
      : ` UNION ALL BY NAME SELECT * FROM read_parquet([${files.join(', ')}], hive_partitioning = false) WHERE ${isWithheld}`
  const order = relation.sort.map(identifier).join(', ')
  return {
    ...plan,
    query: `SELECT * FROM (SELECT * FROM (${plan.query}) WHERE NOT ${isWithheld}${former}) ORDER BY ${order}`,
  }
}

/** All partitions of a relation that has no file yet: before its first publication, and after an upgrade. */
async function partitionsOf(database: Database, { name, layout, dated }: Relation): Promise<string[]> {
  const partition =
    !dated || layout === 'whole'
      ? literal('all')
      : layout === 'session'
        ? `CAST(${identifier(dated.column)} AS VARCHAR)`
        : monthOf(dated)
  const rows = await database.rows<{ partition: string }>(
    `SELECT DISTINCT ${partition} AS partition FROM ${name}`,
  )
  return rows.map((row) => row.partition)
}

/**
 * Files of a relation with layout `session`. The open month, which is the latest one with rows, has one file per session:
 * rewriting the whole month every night takes 7 to 15 s, a session file 0.6 s. Closed months have one file. A merged month
 * stays merged, also if later sessions are withdrawn, because otherwise its rows would appear twice.
 */
function planSessions(relation: Relation, touched: readonly string[], files: readonly string[]): FilePlan[] {
  const openMonth = [...files, ...touched].map(monthPart).sort().at(-1) ?? ''
  const fileOf = (partition: string): string => {
    const month = monthPart(partition)
    return files.includes(month) || month < openMonth ? month : partition
  }
  const changed = new Set(touched.map(fileOf))
  const merged = files.filter((file) => fileOf(file) !== file).map(fileOf)
  return [...new Set([...changed, ...merged])]
    .sort()
    .map((partition) => planFile(relation, partition, files, changed.has(partition)))
}

/** A relation written whole, as one file. */
export function wholePlan(relation: Relation): FilePlan {
  return planFile(relation, 'all', [], true)
}

function planFile(
  relation: Relation,
  partition: string,
  files: readonly string[],
  dataChange: boolean,
): FilePlan {
  const { name, dated, sort } = relation
  const where = dated && partition !== 'all' ? inPartition(dated, partition) : 'true'
  return {
    relation,
    partition,
    query: `SELECT * FROM ${name} WHERE ${where} ORDER BY ${sort.map(identifier).join(', ')}`,
    replaces: [...new Set([partition, ...files.filter((file) => file.startsWith(`${partition}-`))])],
    dataChange,
  }
}

/** Month of a partition by session or month. */
export function monthPart(partition: string): string {
  return partition.slice(0, 7)
}

/** Whether a partition is one session (YYYY-MM-DD). */
export function isSession(partition: string): boolean {
  return partition.length === 10
}

/**
 * SQL condition for the rows of a session or month. It has literal bounds on the column itself, so that DuckDB skips row
 * groups of other months: the cost depends on what is written, not on what is stored.
 */
function inPartition({ column, kind }: Dated, partition: string): string {
  const name = identifier(column)
  if (isSession(partition)) return `${name} = DATE ${literal(partition)}`
  const [first, next] = [`${partition}-01`, `${monthAfter(partition)}-01`]
  if (kind === 'id') {
    return `${name} >= ${literal(first.replaceAll('-', ''))} AND ${name} < ${literal(next.replaceAll('-', ''))}`
  }
  const bound = (day: string): string =>
    kind === 'date' ? `DATE ${literal(day)}` : `TIMESTAMPTZ ${literal(`${day} 00:00:00+07`)}`
  return `${name} >= ${bound(first)} AND ${name} < ${bound(next)}`
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}
