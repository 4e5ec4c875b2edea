import type { ResultColumn } from '../../duckdb/reader.js'
import { identifier } from '../../duckdb/sqlfile.js'
import type { Format, Profile } from './request.js'
import type { Source } from './source.js'

/** What spreadsheets take for the beginning of a formula (OWASP, CSV injection). */
const FORMULA = String.raw`^[=+\-@\t\r\n]`

/** The rows of a source as a format and profile want their values. */
export function profiled({ sql, columns }: Source, format: Format, profile: Profile): string {
  const list = columns.map(({ name, type }) => {
    const value = writtenAs(identifier(name), type, format, profile)
    return `${value} AS ${identifier(format === 'csv' ? safeHeader(name) : name)}`
  })
  return `SELECT ${list.join(', ')} FROM (\n${sql}\n)`
}

function writtenAs(name: string, type: string, format: Format, profile: Profile): string {
  const number = type.startsWith('DECIMAL') || type === 'HUGEINT'
  if (profile === 'pandas') {
    if (number) return `CAST(${name} AS DOUBLE)`
    if (type === 'DATE' || type === 'TIMESTAMP WITH TIME ZONE') return `CAST(${name} AS TIMESTAMP)`
    return format === 'csv' && isText(type) ? guarded(name) : name
  }
  if (format === 'parquet') {
    // DuckDB writes HUGEINT, which every sum of a BIGINT is, as DOUBLE.
    return type === 'HUGEINT' ? `CAST(${name} AS DECIMAL(38,0))` : name
  }
  if (format === 'arrow') return name
  if (type === 'TIMESTAMP WITH TIME ZONE') {
    return `regexp_replace(strftime(${name}, '%Y-%m-%dT%H:%M:%S.%fZ'), '\\.?0+Z$', 'Z')`
  }
  if (format === 'ndjson') return number || type === 'BIGINT' ? `CAST(${name} AS VARCHAR)` : name
  return isText(type) ? guarded(name) : name
}

function isText(type: string): boolean {
  return type === 'VARCHAR' || type === 'JSON' || type.startsWith('ENUM')
}

/** Text that a spreadsheet would run gets an apostrophe before it. */
function guarded(name: string): string {
  return `CASE WHEN regexp_matches(${name}, '${FORMULA}') THEN '''' || ${name} ELSE ${name} END`
}

function safeHeader(name: string): string {
  return new RegExp(FORMULA).test(name) ? `'${name}` : name
}

/**
 * Text columns of few values: codes instead of text, in Arrow files for pandas. The page that brought a row is the same
 * for a thousand rows, and was a third of a file.
 */
const CODED = ['symbol', 'index_code', 'timeframe', 'request_id']

export function codedColumns(columns: readonly ResultColumn[], format: Format, profile: Profile): string[] {
  if (format !== 'arrow' || profile !== 'pandas') return []
  return columns
    .filter(({ name, type }) => CODED.includes(name) && type === 'VARCHAR')
    .map(({ name }) => name)
}
