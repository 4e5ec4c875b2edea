import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile } from '../../duckdb/sqlfile.js'
import type { LakeMart } from '../../relations.js'
import { type LeveledFile, overlap } from '../levels.js'
import type { FilePlan } from '../partitions.js'

/**
 * Rows before the latest two months that stay one file. A full market has as many after half a year; from then on a file per
 * group of symbols lets an event rewrite its own symbols alone (docs/decisions/0062-marts-in-the-lake.md).
 */
export const ONE_FILE_ROWS = 200_000

/** Rows of groups that one statement computes: 1,700 symbols have a million in two and a half years. */
const ROWS_AT_ONCE = 1_000_000

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
 * alone, except once a month. A plan is to be written before the next one is asked for.
 *
 * @param state views over the files of this publication, and `former`
 * @param live its files
 */
export async function* planSymbols(
  state: Database,
  mart: LakeMart,
  changes: SymbolChanges,
  live: readonly LeveledFile[],
  oneFileRows = ONE_FILE_ROWS,
): AsyncGenerator<FilePlan> {
  const recentFrom = (await recentFromOf(state, 'market')) ?? '0001-01-01'
  const isMoved = changes.all || recentFrom !== (await recentFromOf(state, 'former.market'))
  const isPast = (partition: string): boolean => partition < recentFrom.slice(0, partition.length)
  const names = changes.symbols === undefined ? [] : await groupsOf(state, changes.symbols)
  if (isMoved || names.length > 0 || !changes.partitions.every(isPast))
    yield planRows(mart, RECENT, `${mart.name} WHERE trading_date >= DATE ${literal(recentFrom)}`, live)
  const past = `${mart.name} WHERE trading_date < DATE ${literal(recentFrom)}`
  const liveGroups = live.filter(({ partition }) => partition.startsWith(`${PAST}-`)).map(groupOf)
  if (isMoved || changes.partitions.some(isPast)) {
    const stored = await groupsOf(state, `SELECT symbol FROM ${past}`)
    if (sumOf(stored) <= oneFileRows) yield planRows(mart, PAST, past, live)
    else yield* planGroups(state, mart, past, [...stored, ...emptied(liveGroups, stored)], live)
  } else if (names.length > 0 && liveGroups.length === 0) yield planRows(mart, PAST, past, live)
  else {
    const rowsOf = new Map(liveGroups.map(({ name, rows }) => [name, rows]))
    const changed = names.map(({ name }) => ({ name, rows: rowsOf.get(name) ?? 0 }))
    yield* planGroups(state, mart, past, changed, live)
  }
}

/** Symbols whose rows before the latest two months are one file. */
interface SymbolGroup {
  name: string
  rows: number
}

/**
 * A file for each of some groups. Computing the rows of one group reads as much as computing all of them: many groups are
 * computed by one statement.
 */
async function* planGroups(
  state: Database,
  mart: LakeMart,
  past: string,
  groups: readonly SymbolGroup[],
  live: readonly LeveledFile[],
): AsyncGenerator<FilePlan> {
  for (const pass of passesOf([...groups].sort((one, other) => (one.name < other.name ? -1 : 1)))) {
    const names = pass.map(({ name }) => literal(name)).join(', ')
    await state.run(
      `CREATE OR REPLACE TEMP TABLE past_row AS
       SELECT *, ${groupSql()} AS symbol_group FROM ${past} AND symbol_group IN (${names}) ORDER BY symbol`,
    )
    for (const { name } of pass) {
      const rows = `(SELECT * EXCLUDE (symbol_group) FROM past_row WHERE symbol_group = ${literal(name)})`
      yield planRows(mart, `${PAST}-${name}`, rows, live)
    }
  }
  await state.run('DROP TABLE IF EXISTS past_row')
}

/** Groups that are computed at once: at least one, with at most `ROWS_AT_ONCE` rows. */
function passesOf(groups: readonly SymbolGroup[]): SymbolGroup[][] {
  const passes: SymbolGroup[][] = []
  for (const group of groups) {
    const pass = passes.at(-1)
    if (pass && sumOf(pass) + group.rows <= ROWS_AT_ONCE) pass.push(group)
    else passes.push([group])
  }
  return passes
}

/** @param source what follows FROM */
function planRows(mart: LakeMart, partition: string, source: string, live: readonly LeveledFile[]): FilePlan {
  const files = live.map((file) => file.partition).filter((file) => overlap(file, partition))
  return {
    relation: mart,
    partition,
    query: `SELECT * FROM ${source} ORDER BY ${mart.sort.join(', ')}`,
    replaces: [...new Set([partition, ...files])],
    dataChange: true,
  }
}

function groupOf({ partition, row_count }: LeveledFile): SymbolGroup {
  return { name: partition.slice(`${PAST}-`.length), rows: Number(row_count) }
}

/** Groups that have a file and no rows any more. */
function emptied(live: readonly SymbolGroup[], stored: readonly SymbolGroup[]): SymbolGroup[] {
  const names = new Set(stored.map(({ name }) => name))
  return live.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name, rows: 0 }))
}

function sumOf(groups: readonly SymbolGroup[]): number {
  return groups.reduce((sum, { rows }) => sum + rows, 0)
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

/** Groups of symbols, with how often they occur. */
async function groupsOf(state: Database, symbols: string): Promise<SymbolGroup[]> {
  const groups = await state.rows<{ name: string; n: bigint }>(
    `SELECT ${groupSql()} AS name, count(*) AS n FROM (${symbols}) GROUP BY name ORDER BY name`,
  )
  return groups.map(({ name, n }) => ({ name, rows: Number(n) }))
}

function groupSql(): string {
  return sqlFile('publish/marts/symbol_group.sql').replaceAll(/^--.*\n/gm, '')
}
