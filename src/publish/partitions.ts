import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { type Relation, relations } from '../relations.js'

/** Planning a query grows with the files it names: 3 ms at 11, 6 at 500, 13 at 1,250; counting 36, 97, 171. */
const MOST_FILES = 150

/** A live file of the lake, as the ledger knows it. */
export interface LakeFile {
  relation: string
  /** Session (YYYY-MM-DD), closed month (YYYY-MM), year long past (YYYY), or `all`. */
  partition: string
  file: string
}

/** One file to write, and the partitions whose files it replaces. */
export interface FilePlan {
  relation: Relation
  partition: string
  /** Rows of it, in the order of the file. */
  query: string
  replaces: string[]
}

/**
 * What must be written: dirty partitions, partitions whose live file is gone from disk, and session files of
 * a month that has closed, which become one file. The open month, that of the latest session, keeps one file
 * a session: rewriting it every night costs 7–15 s, a session file 0.6 s.
 */
export async function planFiles(database: Database, lake: string): Promise<FilePlan[]> {
  const live = await database.rows<LakeFile>(
    'SELECT relation, partition, file FROM ops.lake_file WHERE removed_at IS NULL',
  )
  const dirty = await database.rows<{ relation: string; partition: string }>(
    'SELECT DISTINCT relation, partition FROM ops.dirty_partition',
  )
  const lost = live.filter((each) => !existsSync(join(lake, each.file)))
  const plans: FilePlan[] = []
  for (const relation of relations) {
    const mine = (each: { relation: string }): boolean => each.relation === relation.name
    const touched = [...dirty, ...lost].filter(mine).map((each) => each.partition)
    const files = live.filter(mine).map((each) => each.partition)
    if (relation.layout === 'session') plans.push(...(await planSessions(database, relation, touched, files)))
    else if (touched.length > 0 || files.length === 0) plans.push(planWhole(relation))
  }
  // The ledger tells of the publication itself: it is written whenever anything is.
  if (plans.length === 0) return []
  const planned = new Set(plans.map((plan) => plan.relation))
  const ledger = relations.filter((each) => each.name.startsWith('ops.') && !planned.has(each))
  return [...plans, ...ledger.map(planWhole)]
}

function planWhole(relation: Relation): FilePlan {
  return { relation, partition: 'all', query: sorted(relation, 'true'), replaces: ['all'] }
}

/**
 * Files of a relation kept by session. The open month, that of the latest session, has a file a session; a
 * closed month one; and where there would be more than `MOST_FILES`, the oldest years become one file each. What
 * has been merged stays so, also when later sessions are withdrawn: else rows would show twice.
 */
async function planSessions(
  database: Database,
  relation: Relation,
  touched: readonly string[],
  files: readonly string[],
): Promise<FilePlan[]> {
  const [latest] = await database.rows<{ month: string | null }>(
    `SELECT strftime(max(trading_date), '%Y-%m') AS month FROM ${relation.name}`,
  )
  const openMonth = latest?.month ?? null
  const years = new Set(files.filter(isYear))
  const homeOf = (partition: string): string => {
    const [year, month] = [partition.slice(0, 4), partition.slice(0, 7)]
    if (years.has(year)) return year
    return files.includes(month) || (openMonth !== null && month < openMonth) ? month : partition
  }
  const write = new Set([...touched, ...files.filter((file) => homeOf(file) !== file)].map(homeOf))
  const standing = new Set([...files.map(homeOf), ...write])
  const oldest = [...standing]
    .filter((partition) => !isYear(partition))
    .map((partition) => partition.slice(0, 4))
  for (const year of [...new Set(oldest)].sort()) {
    if (standing.size <= MOST_FILES || (openMonth !== null && year >= openMonth.slice(0, 4))) break
    for (const partition of [...standing].filter((each) => each.startsWith(year))) {
      standing.delete(partition)
      write.delete(partition)
    }
    standing.add(year)
    write.add(year)
  }
  return [...write].sort().map((partition) => ({
    relation,
    partition,
    query: sorted(relation, daysOf(partition)),
    replaces: [partition, ...files.filter((file) => file.startsWith(`${partition}-`))],
  }))
}

function isYear(partition: string): boolean {
  return partition.length === 4
}

/** Which rows a partition holds: a session, a month or a year. */
function daysOf(partition: string): string {
  if (partition.length === 10) return `trading_date = ${literal(partition)}`
  const first = isYear(partition) ? `${partition}-01-01` : `${partition}-01`
  const last = isYear(partition) ? literal(`${partition}-12-31`) : `last_day(${literal(first)}::DATE)`
  return `trading_date BETWEEN ${literal(first)} AND ${last}`
}

function sorted(relation: Relation, where: string): string {
  const order = relation.sort.map((name) => `"${name}"`).join(', ')
  return `SELECT * FROM ${relation.name} WHERE ${where} ORDER BY ${order}`
}
