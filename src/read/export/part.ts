import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { UsageError } from '../../errors.js'
import { rowsOf } from '../catalog.js'
import { narrowed, type Source } from './source.js'

/** Folders beyond this are a mistake: a column with a value a row. */
const MOST_FOLDERS = 10_000

/** One file of an export. */
export interface Part {
  /** Folder of it, relative; empty where there is one file. */
  folder: string
  source: Source
}

/**
 * The parts of a source by the values of a column, in their order; hive-style folders, the column left out of the
 * files, as readers of such folders expect.
 *
 * @throws UsageError for a column that is not there, and for one with too many values
 */
export async function partsBy(reader: Reader, source: Source, by: string): Promise<Part[]> {
  const { expression, drop } = partitionOf(source.columns, by)
  const rows = await rowsOf(
    reader,
    `SELECT DISTINCT CAST(${expression} AS VARCHAR) FROM (\n${source.sql}\n) ORDER BY ALL NULLS LAST`,
  )
  const values = rows.map(([value]) => value as string | null)
  if (values.length > MOST_FOLDERS) {
    throw new UsageError(`--partition-by ${by} would make ${values.length} folders`, {
      hint: 'partition by month, trading_date or symbol',
    })
  }
  return values.map((value) => {
    const part = narrowed(source, conditionOf(source.columns, by, value))
    return {
      folder: `${encodeURIComponent(by)}=${value === null ? '__HIVE_DEFAULT_PARTITION__' : encodeURIComponent(value)}`,
      source: drop ? without(part, by) : part,
    }
  })
}

function partitionOf(columns: readonly ResultColumn[], by: string): { expression: string; drop: boolean } {
  if (columns.some(({ name }) => name === by)) return { expression: identifier(by), drop: true }
  if (by === 'month' && columns.some(({ name }) => name === 'trading_date')) {
    return { expression: `strftime(trading_date, '%Y-%m')`, drop: false }
  }
  throw new UsageError(`--partition-by ${by}: there is no such column`, {
    hint: `the columns are: ${columns.map(({ name }) => name).join(', ')}`,
  })
}

/** On the column itself, so that whole files of the lake are skipped. */
function conditionOf(columns: readonly ResultColumn[], by: string, value: string | null): string {
  const column = columns.find(({ name }) => name === by)
  if (column) {
    return value === null
      ? `${identifier(by)} IS NULL`
      : `${identifier(by)} = CAST(${literal(value)} AS ${column.type})`
  }
  if (value === null) return 'trading_date IS NULL'
  const first = `DATE ${literal(`${value}-01`)}`
  return `trading_date BETWEEN ${first} AND last_day(${first})`
}

function without({ sql, columns }: Source, name: string): Source {
  return {
    sql: `SELECT * EXCLUDE (${identifier(name)}) FROM (\n${sql}\n)`,
    columns: columns.filter((column) => column.name !== name),
  }
}
