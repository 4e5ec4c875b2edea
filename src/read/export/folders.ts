import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { query } from '../query.js'
import { filterRows, type Selection } from './selection.js'

/** More folders are a mistake: the column has a different value in every row. */
const MAX_FOLDERS = 10_000

/** One folder of an export, which gets one file. */
export interface ExportFolder {
  /** Relative to the export; empty if the export is a single file. */
  path: string
  selection: Selection
}

/**
 * One folder per value of a column, sorted by value, in Hive style: the files do not contain the column, as readers of
 * such folders expect.
 *
 * @throws UsageError for a column that does not exist, and for one with too many values
 */
export async function foldersBy(reader: Reader, selection: Selection, by: string): Promise<ExportFolder[]> {
  const { expression, drop } = partitionOf(selection.columns, by)
  const { rows } = await query(
    reader,
    `SELECT DISTINCT CAST(${expression} AS VARCHAR) FROM (\n${selection.sql}\n) ORDER BY ALL NULLS LAST`,
  )
  const values = rows.map(([value]) => value as string | null)
  if (values.length > MAX_FOLDERS) {
    throw new UsageError(
      `--partition-by ${by} would write ${values.length} folders, the limit is ${MAX_FOLDERS}`,
      { hint: 'partition by month, trading_date or symbol' },
    )
  }
  return values.map((value) => {
    const rows = filterRows(selection, conditionOf(selection.columns, by, value))
    return {
      path: `${encodeURIComponent(by)}=${value === null ? '__HIVE_DEFAULT_PARTITION__' : encodeURIComponent(value)}`,
      selection: drop ? withoutColumn(rows, by) : rows,
    }
  })
}

function partitionOf(columns: readonly ResultColumn[], by: string): { expression: string; drop: boolean } {
  if (columns.some(({ name }) => name === by)) {
    if (columns.length > 1) return { expression: identifier(by), drop: true }
    throw new UsageError(`--partition-by ${by}: it is the only column, and none is left for the files`, {
      hint: 'export further columns, or leave --partition-by out',
    })
  }
  if (by === 'month' && columns.some(({ name }) => name === 'trading_date')) {
    return { expression: `strftime(trading_date, '%Y-%m')`, drop: false }
  }
  throw new UsageError(`--partition-by ${by}: column ${by} does not exist`, {
    hint: `the columns are: ${columns.map(({ name }) => name).join(', ')}`,
  })
}

/** A condition on the column itself, so that DuckDB skips whole files of the lake. */
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

function withoutColumn({ sql, columns }: Selection, name: string): Selection {
  return {
    sql: `SELECT * EXCLUDE (${identifier(name)}) FROM (\n${sql}\n)`,
    columns: columns.filter((column) => column.name !== name),
  }
}
