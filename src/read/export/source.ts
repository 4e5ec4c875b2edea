import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { UsageError } from '../../errors.js'
import type { ExportRequest } from './request.js'

/** Rows to export, before any profile: a statement and its columns. */
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
  return await filtered(reader, { sql, columns: await reader.describe(sql) }, request)
}

/** The rows of a file that `copy` wrote, as a source. */
export async function stagedSource(reader: Reader, file: string): Promise<Source> {
  const sql = `SELECT * FROM read_parquet(${literal(file)})`
  return { sql, columns: await reader.describe(sql) }
}

async function relationOf(reader: Reader, name: string): Promise<string> {
  const names: string[] = []
  await reader.stream(
    `SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL`,
    () => undefined,
    (rows) => {
      names.push(...rows.map((row) => String(row[0])))
    },
  )
  if (names.includes(name)) return name
  const alike = names.filter((each) => each.split('.')[0] === name.split('.')[0] || each.endsWith(`.${name}`))
  throw new UsageError(`there is no relation ${name}`, {
    hint: `name one of: ${(alike.length > 0 ? alike : names).join(', ')}`,
  })
}

async function filtered(reader: Reader, source: Source, request: ExportRequest): Promise<Source> {
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
  return conditions.length === 0 ? source : await narrowed(reader, source, conditions.join(' AND '))
}

/** The rows of a source for which a condition holds. */
export async function narrowed(reader: Reader, { sql }: Source, condition: string): Promise<Source> {
  const text = `SELECT * FROM (\n${sql.replace(/[\s;]+$/, '')}\n) WHERE ${condition}`
  return { sql: text, columns: await reader.describe(text) }
}
