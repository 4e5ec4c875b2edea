import { UsageError } from 'candlehouse-foundation/errors'
import { systemFault, withoutSystemFault } from 'candlehouse-foundation/system-fault'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import type { FileColumn } from './columns.js'
import type { HistoryFile } from './file.js'

/**
 * SQL for the rows of a file. Its first line was read before, so nothing is left for DuckDB's sniffer to guess.
 *
 * @param link path of the file under a name of our own
 */
export function tableOf({ format }: HistoryFile, link: string): string {
  if (format.kind === 'parquet')
    return `read_parquet(${literal(link)}, binary_as_string = true, hive_partitioning = false)`
  const columns = format.names.map((_, at) => `${literal(nameAt(at))}: 'VARCHAR'`).join(', ')
  return `read_csv(${literal(link)}, auto_detect = false, header = true, delim = ${literal(format.delimiter)}, quote = '"',
    escape = '"', nullstr = '', compression = ${format.gzip ? `'gzip'` : `'none'`}, hive_partitioning = false, columns = {${columns}})`
}

/** Columns by position: a file may name them as it likes. */
export function nameAt(position: number): string {
  return `c${position}`
}

export async function fileColumns(
  database: Database,
  file: HistoryFile,
  link: string,
  table: string,
): Promise<FileColumn[]> {
  if (file.format.kind === 'csv') return file.format.names.map((name) => ({ name, type: 'VARCHAR' }))
  const rows = await explained(file, link, () =>
    database.rows<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${table}`),
  )
  return rows.map((row) => ({ name: row.column_name, type: row.column_type }))
}

/**
 * What DuckDB says of the user's file is the user's to mend; a full disk is not.
 *
 * @param link the name by which DuckDB knows the file
 */
export async function explained<T>(file: HistoryFile, link: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const source = cause instanceof Error && cause.cause instanceof Error ? cause.cause : (cause as Error)
    if (systemFault(source)) throw withoutSystemFault(cause)
    const { message } = source
    const lines = message.split('\n').filter((line) => line.trim() !== '')
    const words = lines.slice(0, 3).join('; ').replaceAll(`"${link}"`, file.name).replaceAll(link, file.name)
    throw new UsageError(
      `${file.path} cannot be read as ${file.format.kind === 'csv' ? 'CSV' : 'Parquet'}: ${words}`,
      {
        hint: 'correct the file, or save it again as Parquet or as CSV in UTF-8',
        cause,
      },
    )
  }
}
