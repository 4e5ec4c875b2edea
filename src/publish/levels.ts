import type { Database } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import {
  type Dated,
  daysOf,
  type FileKind,
  fileKindOf,
  fileKindsOf,
  monthOf,
  type Relation,
} from '../relations.js'

/**
 * Rows of a closed year that become one file: what costs a reader then are files and footers. 1,700 symbols have 425,000 rows
 * of a daily relation in a year. Months of more rows gain nothing from a larger file, and a late correction would rewrite more
 * (docs/decisions/0059-small-years-are-one-file.md).
 */
export const YEAR_ROWS = 2_000_000

/** A file of a relation: its partition, and its rows where they are known. */
export interface LeveledFile {
  partition: string
  row_count: bigint
}

/** Which files a dated relation has, and which are to be written. */
export interface Levels {
  /** Partitions to write whose rows may differ from those of the files that they replace. */
  changed: Set<string>
  /** Partitions to write that only merge files. */
  merged: Set<string>
}

/**
 * Levels of a dated relation, for each kind of its files: sessions become a month (layout `session`), months become a year. The
 * open month is the latest one with rows: rewriting it every night takes 7 to 15 s, a session's file 0.6 s. Earlier months
 * have one file. A year has one file once a month of the next year is closed, since nights of January still fetch sessions
 * of December, and if it has at most `yearRows` rows. What is merged stays merged, also if later sessions are withdrawn,
 * because otherwise its rows would appear twice. A year that grew beyond the limit becomes months again.
 *
 * @param touched partitions with changes: sessions, months, or years whose file is lost
 */
export async function planLevels(
  database: Database,
  relation: Relation,
  touched: readonly string[],
  files: readonly LeveledFile[],
  yearRows = YEAR_ROWS,
): Promise<Levels> {
  const levels: Levels = { changed: new Set(), merged: new Set() }
  for (const kind of fileKindsOf(relation)) {
    // A mark without prefix is of days: rows of every kind may have changed.
    const days = touched
      .filter((partition) => ['', kind.prefix].includes(fileKindOf(relation, partition).prefix))
      .map((partition) => daysOf(relation, partition))
    const ofKind = files
      .filter(({ partition }) => fileKindOf(relation, partition).prefix === kind.prefix)
      .map((file) => ({ ...file, partition: daysOf(relation, file.partition) }))
    if (kind.prefix !== '' && ofKind.length === 0 && !(await hasRows(database, relation, kind))) continue
    const { changed, merged } = await planKind(database, { ...relation, kind }, days, ofKind, yearRows)
    for (const partition of changed) levels.changed.add(kind.prefix + partition)
    for (const partition of merged) levels.merged.add(kind.prefix + partition)
  }
  return levels
}

/** Most homes have no bars longer than a minute: no file is to be written of them, of no session. */
async function hasRows(database: Database, { name }: Relation, { rows }: FileKind): Promise<boolean> {
  const [row] = await database.rows(`SELECT 1 FROM ${name} WHERE ${rows} LIMIT 1`)
  return row !== undefined
}

/** A relation, of which the files of one kind are planned: partitions are without its prefix. */
type KindOfRelation = Relation & { readonly kind: FileKind }

async function planKind(
  database: Database,
  relation: KindOfRelation,
  touched: readonly string[],
  files: readonly LeveledFile[],
  yearRows: number,
): Promise<Levels> {
  const live = new Set(files.map(({ partition }) => partition))
  const openMonth = [...live, ...touched].map(monthPart).sort().at(-1) ?? ''
  const years = await mergedYears(database, relation, touched, files, yearRows)
  const splitYears = [...new Set([...live, ...touched])].filter(
    (partition) => isYear(partition) && !years.has(partition),
  )
  const fileOf = (partition: string): string => {
    const [year, month] = [yearPart(partition), monthPart(partition)]
    if (years.has(year)) return year
    const isMonth = relation.layout === 'month' || live.has(month) || month < openMonth
    return isMonth || splitYears.includes(year) ? month : partition
  }
  const months: string[] = []
  for (const year of splitYears) months.push(...(await monthsOf(database, relation, year)))
  const changed = new Set(
    [...touched, ...months].filter((partition) => !splitYears.includes(partition)).map(fileOf),
  )
  const merged = [...live].filter((partition) => fileOf(partition) !== partition).map(fileOf)
  return { changed, merged: new Set(merged.filter((partition) => !changed.has(partition))) }
}

/** Years that have, or get, one file. */
async function mergedYears(
  database: Database,
  relation: KindOfRelation,
  touched: readonly string[],
  files: readonly LeveledFile[],
  yearRows: number,
): Promise<Set<string>> {
  const partitions = [...touched, ...files.map(({ partition }) => partition)]
  const openMonth = partitions.map(monthPart).sort().at(-1) ?? ''
  const merged = new Set(files.map(({ partition }) => partition).filter(isYear))
  const touchedYears = new Set(touched.map(yearPart))
  const years = new Set<string>()
  for (const year of new Set(partitions.map(yearPart))) {
    if (!merged.has(year) && openMonth < `${Number(year) + 1}-02`) continue
    const rows = touchedYears.has(year)
      ? await countRows(database, relation, year)
      : files
          .filter(({ partition }) => yearPart(partition) === year)
          .reduce((sum, { row_count }) => sum + Number(row_count), 0)
    if (rows <= yearRows) years.add(year)
  }
  return years
}

async function countRows(database: Database, relation: KindOfRelation, year: string): Promise<number> {
  return await database.count(
    `SELECT count(*) FROM ${relation.name} WHERE ${rowsIn(relation, relation.kind.prefix + year)}`,
  )
}

async function monthsOf(database: Database, relation: KindOfRelation, year: string): Promise<string[]> {
  if (!relation.dated) return []
  return await database.column<string>(
    `SELECT DISTINCT ${monthOf(relation.dated)} AS month FROM ${relation.name} WHERE ${rowsIn(relation, relation.kind.prefix + year)}`,
  )
}

/**
 * SQL condition for the rows of a session, month or year of one kind; `all`: every row. It has literal bounds on the column itself,
 * so that DuckDB skips row groups of other months: the cost depends on what is written, not on what is stored.
 */
export function rowsIn(relation: Relation, partition: string): string {
  const { dated, split } = relation
  if (!dated || partition === 'all') return 'true'
  const days = rowsOfDays(dated, daysOf(relation, partition))
  return split ? `${days} AND ${fileKindOf(relation, partition).rows}` : days
}

function rowsOfDays(dated: Dated, partition: string): string {
  const name = identifier(dated.column)
  if (isSession(partition)) return `${name} = DATE ${literal(partition)}`
  const [first, next] = isYear(partition)
    ? [`${partition}-01-01`, `${Number(partition) + 1}-01-01`]
    : [`${partition}-01`, `${monthAfter(partition)}-01`]
  return `${name} >= ${boundOf(dated, first)} AND ${name} < ${boundOf(dated, next)}`
}

function boundOf({ kind }: Dated, day: string): string {
  if (kind === 'id') return literal(day.replaceAll('-', ''))
  return kind === 'date' ? `DATE ${literal(day)}` : `TIMESTAMPTZ ${literal(`${day} 00:00:00+07`)}`
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Whether two partitions may have rows in common: one is a part of the other. */
export function overlap(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

/** Month of a partition by session or month; a year for a year. */
export function monthPart(partition: string): string {
  return partition.slice(0, 7)
}

export function yearPart(partition: string): string {
  return partition.slice(0, 4)
}

/** Whether a partition is one session (YYYY-MM-DD). */
export function isSession(partition: string): boolean {
  return partition.length === 10
}

/** Whether a partition is one year (YYYY). */
export function isYear(partition: string): boolean {
  return partition.length === 4
}
