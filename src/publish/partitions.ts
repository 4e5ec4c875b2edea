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
  /** Rows of it, in the order of the file. */
  query: string
  replaces: string[]
  /** False where it only merges what other files hold. */
  dataChange: boolean
}

/** A partition of a relation. */
interface Partition {
  relation: string
  partition: string
}

/**
 * What must be written: dirty partitions, partitions whose live file is gone from disk, all of a relation that has
 * no live file or another schema than its table, and session files of a month that has closed, which become one.
 *
 * @param withheld sessions that an error keeps from readers
 * @param changedSchema relations whose columns differ from those of their Delta table: all their files are rewritten
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
  const lost = live.filter((each) => !existsSync(join(lake, each.file)))
  const filled = await database.rows<{ name: string }>(
    `SELECT schema_name || '.' || table_name AS name FROM duckdb_tables() WHERE estimated_size > 0`,
  )
  const holding = new Set(filled.map((row) => row.name))
  const standing = [...live.filter((each) => !lost.includes(each)), ...(await lastSeen(database, lake))]
  const plans: FilePlan[] = []
  for (const relation of relations) {
    const mine = (each: Partition): boolean => each.relation === relation.name
    const files = live.filter(mine).map((each) => each.partition)
    const touched = [...dirty, ...lost].filter(mine).map((each) => each.partition)
    if (files.length === 0 && holding.has(relation.name))
      touched.push(...(await partitionsOf(database, relation)))
    if (changedSchema.has(relation.name)) touched.push(...files)
    if (touched.length === 0) continue
    if (relation.layout === 'session') plans.push(...planSessions(relation, touched, files))
    else {
      const partitions = relation.layout === 'month' ? touched.map(monthPart) : ['all']
      for (const partition of [...new Set(partitions)].sort())
        plans.push(planned(relation, partition, files, true))
    }
  }
  return plans.map((plan) => keepWithheld(plan, lake, standing, withheld))
}

/** Files that readers have of relations whose ledger was lost: taken over as removed, all at one instant. */
async function lastSeen(database: Database, lake: string): Promise<(Partition & { file: string })[]> {
  const files = await database.rows<Partition & { file: string }>(
    `SELECT relation, partition, file FROM ops.lake_file
     WHERE publication_id = 0 AND relation NOT IN (SELECT relation FROM ops.lake_file WHERE removed_at IS NULL)
     QUALIFY removed_at = max(removed_at) OVER (PARTITION BY relation)`,
  )
  return files.filter((each) => existsSync(join(lake, each.file)))
}

/**
 * A session that is withheld is written as it stands: its rows come from the file that readers have, none where it was
 * never published.
 */
function keepWithheld(
  plan: FilePlan,
  lake: string,
  standing: readonly (Partition & { file: string })[],
  withheld: readonly WithheldSession[],
): FilePlan {
  const { relation, partition, replaces } = plan
  const days = withheld
    .filter((each) => each.relation === relation.name && each.tradingDate.startsWith(partition))
    .map(({ tradingDate }) => literal(tradingDate))
  if (days.length === 0 || !relation.dated) return plan
  const within = `${identifier(relation.dated.column)} IN (${days.join(', ')})`
  const files = standing
    .filter((each) => each.relation === relation.name)
    .filter((each) => replaces.includes(each.partition) || partition.startsWith(each.partition))
    .map(({ file }) => literal(join(lake, file)))
  const former =
    files.length === 0
      ? ''
      : ` UNION ALL BY NAME SELECT * FROM read_parquet([${files.join(', ')}], hive_partitioning = false) WHERE ${within}`
  const order = relation.sort.map(identifier).join(', ')
  return {
    ...plan,
    query: `SELECT * FROM (SELECT * FROM (${plan.query}) WHERE NOT ${within}${former}) ORDER BY ${order}`,
  }
}

/** What a relation would be published as, had it no file: asked once in its life, and after an upgrade. */
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
 * Files of a relation kept by session. The open month, the latest one that has any, has a file a session: rewriting
 * it every night costs 7–15 s, a session file 0.6 s. Closed months have one file. What has been merged stays so,
 * also when later sessions are withdrawn: else rows would show twice.
 */
function planSessions(relation: Relation, touched: readonly string[], files: readonly string[]): FilePlan[] {
  const openMonth = [...files, ...touched].map(monthPart).sort().at(-1) ?? ''
  const homeOf = (partition: string): string => {
    const month = monthPart(partition)
    return files.includes(month) || month < openMonth ? month : partition
  }
  const changed = new Set(touched.map(homeOf))
  const merged = files.filter((file) => homeOf(file) !== file).map(homeOf)
  return [...new Set([...changed, ...merged])]
    .sort()
    .map((partition) => planned(relation, partition, files, changed.has(partition)))
}

/** A relation written whole, as one file. */
export function wholePlan(relation: Relation): FilePlan {
  return planned(relation, 'all', [], true)
}

function planned(
  relation: Relation,
  partition: string,
  files: readonly string[],
  dataChange: boolean,
): FilePlan {
  const { name, dated, sort } = relation
  const where = dated && partition !== 'all' ? within(dated, partition) : 'true'
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
 * Rows of a session or month. Literal bounds on the column itself, so that DuckDB skips row groups of other months:
 * the cost follows what is written, not what is held.
 */
function within({ column, kind }: Dated, partition: string): string {
  const name = identifier(column)
  if (isSession(partition)) return `${name} = DATE ${literal(partition)}`
  const [first, next] = [`${partition}-01`, `${following(partition)}-01`]
  if (kind === 'id') {
    return `${name} >= ${literal(first.replaceAll('-', ''))} AND ${name} < ${literal(next.replaceAll('-', ''))}`
  }
  const bound = (day: string): string =>
    kind === 'date' ? `DATE ${literal(day)}` : `TIMESTAMPTZ ${literal(`${day} 00:00:00+07`)}`
  return `${name} >= ${bound(first)} AND ${name} < ${bound(next)}`
}

function following(month: string): string {
  const [year = 0, of = 0] = month.split('-').map(Number)
  return of === 12 ? `${year + 1}-01` : `${year}-${String(of + 1).padStart(2, '0')}`
}
