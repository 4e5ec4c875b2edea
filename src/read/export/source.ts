import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { bare } from '../../duckdb/streaming.js'
import { UsageError } from '../../errors.js'
import { rowsOf } from '../catalog.js'
import type { ExportRequest } from './request.js'

/** Rows to export, before any profile: a statement that stands between brackets, and its columns. */
export interface Source {
  sql: string
  columns: ResultColumn[]
}

/** Names of what `--symbols` filters. */
const SYMBOLS = ['symbol', 'index_code']

/**
 * The statement of a request, filters put in.
 *
 * @throws UsageError for a relation or column that is not there, and for bad SQL
 */
export async function sourceOf(reader: Reader, request: ExportRequest): Promise<Source> {
  const { source } = request
  const sql = 'query' in source ? source.query : `SELECT * FROM ${await relationOf(reader, source.relation)}`
  return filtered({ sql: bare(sql), columns: await reader.describe(sql) }, request)
}

/** The rows of a file that `copy` wrote, as a source. */
export async function stagedSource(reader: Reader, file: string): Promise<Source> {
  const sql = `SELECT * FROM read_parquet(${literal(file)})`
  return { sql, columns: await reader.describe(sql) }
}

async function relationOf(reader: Reader, name: string): Promise<string> {
  const rows = await rowsOf(
    reader,
    `SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL`,
  )
  const names = rows.map(([each]) => String(each))
  if (names.includes(name)) return name
  const alike = names.filter((each) => each.split('.')[0] === name.split('.')[0] || each.endsWith(`.${name}`))
  throw new UsageError(`there is no relation ${name}`, {
    hint: `name one of: ${(alike.length > 0 ? alike : names).join(', ')}`,
  })
}

function filtered(source: Source, request: ExportRequest): Source {
  const { from, to, symbols, timeframe } = request
  const conditions: string[] = []
  const column = (option: string, ...names: string[]): string => {
    const found = names.find((name) => source.columns.some((each) => each.name === name))
    if (found) return identifier(found)
    throw new UsageError(`${option} needs a column ${names.join(' or ')}, and there is none`, {
      hint: `the columns are: ${source.columns.map((each) => each.name).join(', ')}`,
    })
  }
  if (from && to && from > to) {
    throw new UsageError(`--from ${from} is after --to ${to}`, { hint: 'give the earlier day as --from' })
  }
  if (from) conditions.push(`${column('--from', 'trading_date')} >= DATE ${literal(from)}`)
  if (to) conditions.push(`${column('--to', 'trading_date')} <= DATE ${literal(to)}`)
  if (symbols) conditions.push(`${column('--symbols', ...SYMBOLS)} IN (${symbols.map(literal).join(', ')})`)
  if (timeframe) conditions.push(`${column('--timeframe', 'timeframe')} = ${literal(timeframe)}`)
  return conditions.length === 0 ? source : narrowed(source, conditions.join(' AND '))
}

/** The rows of a source for which a condition holds. */
export function narrowed({ sql, columns }: Source, condition: string): Source {
  return { sql: `SELECT * FROM (\n${sql}\n) WHERE ${condition}`, columns }
}
