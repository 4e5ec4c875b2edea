import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile } from '../../duckdb/sqlfile.js'
import type { LakeMart } from '../../relations.js'
import { overlap } from '../levels.js'
import type { FilePlan } from '../partitions.js'

/**
 * Rows before the latest two months that stay one file. A full market has as many after half a year; from then on a file per
 * group of symbols lets an event rewrite its own symbols alone (docs/decisions/0062-marts-in-the-lake.md).
 */
export const ONE_FILE_ROWS = 200_000

/** The latest two months: rewritten every night, 1,700 symbols have 40 to 75 thousand rows of them. */
const RECENT = 'recent'
/** All rows before them; its groups are `past-F3`. */
const PAST = 'past'

/** What changed of a table of layout `symbol`. */
export interface SymbolChanges {
  /** Every row may have changed. */
  readonly all: boolean
  /** Sessions or months with changes. */
  readonly partitions: readonly string[]
  /** Query for symbols whose rows of all sessions may have changed; undefined: none. */
  readonly symbols: string | undefined
}

/**
 * The files to write of a table whose rows change per symbol for all sessions before an event. The latest two months are one
 * file: every night adds to them, and nights of a new month still restate the month before. What is older changes by symbol
 * alone, except once a month.
 *
 * @param state views over the files of this publication, and `former`
 * @param live partitions that have a file
 */
export async function planSymbols(
  state: Database,
  mart: LakeMart,
  changes: SymbolChanges,
  live: readonly string[],
  oneFileRows = ONE_FILE_ROWS,
): Promise<FilePlan[]> {
  const recentFrom = (await recentFromOf(state, 'market')) ?? '0001-01-01'
  const isMoved = changes.all || recentFrom !== (await recentFromOf(state, 'former.market'))
  const isPast = (partition: string): boolean => partition < recentFrom.slice(0, partition.length)
  const groups = changes.symbols === undefined ? [] : await groupsOf(state, changes.symbols)
  const plans: FilePlan[] = []
  const plan = (partition: string, rows: string): void => {
    plans.push({
      relation: mart,
      partition,
      query: `SELECT * FROM ${mart.name} WHERE ${rows} ORDER BY ${mart.sort.join(', ')}`,
      replaces: [...new Set([partition, ...live.filter((file) => overlap(file, partition))])],
      dataChange: true,
    })
  }
  const past = `trading_date < DATE ${literal(recentFrom)}`
  const planPast = (names: readonly string[]): void => {
    for (const name of names) plan(`${PAST}-${name}`, `${past} AND ${groupSql()} = ${literal(name)}`)
  }
  if (isMoved || groups.length > 0 || !changes.partitions.every(isPast))
    plan(RECENT, `trading_date >= DATE ${literal(recentFrom)}`)
  const liveGroups = live.filter((file) => file.startsWith(`${PAST}-`)).map((file) => file.slice(5))
  if (isMoved || changes.partitions.some(isPast)) {
    if ((await countRows(state, mart, past)) <= oneFileRows) plan(PAST, past)
    else planPast([...new Set([...(await allGroups(state, mart, past)), ...liveGroups])].sort())
  } else if (groups.length > 0) {
    if (liveGroups.length > 0) planPast(groups)
    else plan(PAST, past)
  }
  return plans
}

/** The first day of the month before the latest one with a summary; undefined where there is none. */
async function recentFromOf(
  state: Database,
  schema: 'market' | 'former.market',
): Promise<string | undefined> {
  const [row] = await state.rows<{ day: string | null }>(
    `SELECT CAST(CAST(date_trunc('month', max(trading_date)) - INTERVAL 1 MONTH AS DATE) AS VARCHAR) AS day FROM ${schema}.daily_summary`,
  )
  return row?.day ?? undefined
}

async function countRows(state: Database, { name }: LakeMart, rows: string): Promise<number> {
  const [row] = await state.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${name} WHERE ${rows}`)
  return Number(row?.n)
}

async function allGroups(state: Database, { name }: LakeMart, rows: string): Promise<string[]> {
  return await groupsOf(state, `SELECT DISTINCT symbol FROM ${name} WHERE ${rows}`)
}

async function groupsOf(state: Database, symbols: string): Promise<string[]> {
  const rows = await state.rows<{ name: string }>(
    `SELECT DISTINCT ${groupSql()} AS name FROM (${symbols}) ORDER BY name`,
  )
  return rows.map(({ name }) => name)
}

function groupSql(): string {
  return sqlFile('publish/marts/symbol_group.sql').replaceAll(/^--.*\n/gm, '')
}
