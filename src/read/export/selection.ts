import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { asSubquery } from '../../duckdb/streaming.js'
import { refuseUnknownSymbols } from '../../plan/symbol-names.js'
import { didYouMean, relationsLike } from '../published-names.js'
import { query, rowsOf } from '../query.js'
import type { ExportRequest } from './export-request.js'

/** Rows to export, before any profile: a statement that can be a subquery, and its columns. */
export interface Selection {
  sql: string
  columns: ResultColumn[]
}

/** Columns that `--symbols` filters by. */
const SYMBOL_COLUMNS = ['symbol', 'index_code']

/**
 * The rows of a request, with its filters.
 *
 * @throws UsageError for a relation or column that does not exist, and for bad SQL
 */
export async function selectionOf(reader: Reader, request: ExportRequest): Promise<Selection> {
  const { source } = request
  const sql = 'query' in source ? source.query : `SELECT * FROM ${await relationOf(reader, source.relation)}`
  const selection = { sql: asSubquery(sql), columns: await reader.describe(sql) }
  const filtered = withFilters(selection, request)
  if (request.symbols && !request.allowUnknown) await requireKnown(reader, selection, request.symbols)
  return filtered
}

/** A symbol or index is known from a list, or from the rows to export. @throws UsageError naming the nearest */
async function requireKnown(
  reader: Reader,
  { sql, columns }: Selection,
  symbols: readonly string[],
): Promise<void> {
  const listed = await rowsOf(
    reader,
    'SELECT symbol FROM market.security UNION SELECT symbol FROM market.security_history UNION SELECT index_code FROM market.market_index',
  )
  const known = new Set(listed.map(([name]) => String(name)))
  const unlisted = symbols.filter((symbol) => !known.has(symbol))
  const column = SYMBOL_COLUMNS.find((name) => columns.some((each) => each.name === name))
  if (unlisted.length === 0 || !column) return
  const { rows: stored } = await query(
    reader,
    `SELECT DISTINCT ${identifier(column)} FROM (\n${sql}\n) WHERE ${identifier(column)} IN (${unlisted.map(literal).join(', ')})`,
  )
  for (const [name] of stored) known.add(String(name))
  refuseUnknownSymbols(
    unlisted.filter((symbol) => !known.has(symbol)),
    [...known],
  )
}

/** The rows of a file that `Reader.copy` wrote. */
export async function stagedSelection(reader: Reader, file: string): Promise<Selection> {
  const sql = `SELECT * FROM read_parquet(${literal(file)})`
  return { sql, columns: await reader.describe(sql) }
}

async function relationOf(reader: Reader, name: string): Promise<string> {
  const rows = await rowsOf(
    reader,
    `SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL`,
  )
  const names = rows.map(([view]) => String(view))
  if (names.includes(name)) return name
  const similar = relationsLike(name, names)
  throw new UsageError(`there is no relation ${name}${didYouMean(similar)}`, {
    hint: similar[0]
      ? `candlehouse export ${similar[0]} --out FILE`
      : 'candlehouse sql "show tables"    # lists them',
  })
}

function withFilters(selection: Selection, request: ExportRequest): Selection {
  const { from, to, symbols, timeframe } = request
  const conditions: string[] = []
  const column = (option: string, ...names: string[]): string => {
    const columnNames = selection.columns.map(({ name }) => name)
    const match = names.find((name) => columnNames.includes(name))
    if (match) return identifier(match)
    throw new UsageError(`${option} needs a column ${names.join(' or ')}, which does not exist`, {
      hint: `the columns are: ${columnNames.join(', ')}`,
    })
  }
  requireInOrder(request)
  if (from) conditions.push(`${column('--from', 'trading_date')} >= DATE ${literal(from)}`)
  if (to) conditions.push(`${column('--to', 'trading_date')} <= DATE ${literal(to)}`)
  if (symbols)
    conditions.push(`${column('--symbols', ...SYMBOL_COLUMNS)} IN (${symbols.map(literal).join(', ')})`)
  if (timeframe) conditions.push(`${column('--timeframe', 'timeframe')} = ${literal(timeframe)}`)
  return conditions.length === 0 ? selection : filterRows(selection, conditions.join(' AND '))
}

/** @throws UsageError for a range that ends before it begins */
export function requireInOrder({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from && to && from > to)
    throw new UsageError(`--from ${from} is after --to ${to}`, { hint: 'give the earlier day as --from' })
}

/** The rows for which a condition is true. */
export function filterRows({ sql, columns }: Selection, condition: string): Selection {
  return { sql: `SELECT * FROM (\n${sql}\n) WHERE ${condition}`, columns }
}
