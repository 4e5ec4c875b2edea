import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { type Relation, relations } from '../relations.js'

/** A live file of the lake, as the ledger knows it. */
export interface LakeFile {
  relation: string
  /** Session (YYYY-MM-DD), closed month (YYYY-MM), or `all`. */
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
  // A month that has its file keeps it, also when later sessions are withdrawn: else rows would show twice.
  const isClosed = (month: string): boolean =>
    files.includes(month) || (openMonth !== null && month < openMonth)
  const sessions = touched.filter((partition) => partition.length === 10)
  const closedSessionFiles = files.filter(
    (partition) => partition.length === 10 && isClosed(partition.slice(0, 7)),
  )
  const months = new Set(
    [...sessions, ...closedSessionFiles, ...touched.filter((partition) => partition.length === 7)]
      .map((partition) => partition.slice(0, 7))
      .filter(isClosed),
  )
  const plans: FilePlan[] = [...months].sort().map((month) => ({
    relation,
    partition: month,
    query: sorted(
      relation,
      `trading_date BETWEEN ${literal(`${month}-01`)} AND last_day(${literal(`${month}-01`)}::DATE)`,
    ),
    replaces: [month, ...files.filter((partition) => partition.startsWith(`${month}-`))],
  }))
  for (const session of [...new Set(sessions)].filter((each) => !isClosed(each.slice(0, 7))).sort()) {
    plans.push({
      relation,
      partition: session,
      query: sorted(relation, `trading_date = ${literal(session)}`),
      replaces: [session],
    })
  }
  return plans
}

function sorted(relation: Relation, where: string): string {
  const order = relation.sort.map((name) => `"${name}"`).join(', ')
  return `SELECT * FROM ${relation.name} WHERE ${where} ORDER BY ${order}`
}
