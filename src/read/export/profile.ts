import { decimalOf } from '../../duckdb/decimal.js'
import type { ResultColumn } from '../../duckdb/reader.js'
import { identifier } from '../../duckdb/sqlfile.js'
import type { Profile } from './export-request.js'
import { FORMATS, type Format } from './formats.js'
import type { Selection } from './selection.js'

/** Text that spreadsheets read as the start of a formula (OWASP, CSV injection). */
const FORMULA = String.raw`^[=+\-@\t\r\n]`

const FORMULA_START = new RegExp(FORMULA)

export function readsAsFormula(text: string): boolean {
  return FORMULA_START.test(text)
}

/** Text as a field of CSV with formulas neutralised: an apostrophe stands before the start of one. */
export function withoutFormulas(text: string): string {
  return readsAsFormula(text) ? `'${text}` : text
}

/** A statement for the rows with the value types of a format and profile. */
export function profiled({ sql, columns }: Selection, format: Format, profile: Profile): string {
  const isSheetText = FORMATS[format].values === 'text'
  const list = columns.map(({ name, type }) => {
    const value = valueSql(identifier(name), type, format, profile)
    return `${value} AS ${identifier(isSheetText ? withoutFormulas(name) : name)}`
  })
  return `SELECT ${list.join(', ')} FROM (\n${sql}\n)`
}

/** Whole numbers that a DOUBLE, and so a number of JSON, does not hold. */
const LONG_NUMBERS = ['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT']

function valueSql(name: string, type: string, format: Format, profile: Profile): string {
  const { values } = FORMATS[format]
  if (values === 'json' && (type === 'DOUBLE' || type === 'FLOAT')) return jsonNumber(name)
  const isExactNumber = type.startsWith('DECIMAL') || type.endsWith('HUGEINT')
  if (profile === 'pandas') {
    if (isExactNumber) return `CAST(${name} AS DOUBLE)`
    if (type === 'DATE' || type === 'TIMESTAMP WITH TIME ZONE') return `CAST(${name} AS TIMESTAMP)`
    return values === 'text' && isText(type) ? withoutFormula(name) : name
  }
  if (format === 'parquet') {
    // DuckDB writes HUGEINT as DOUBLE to Parquet, and every sum of a BIGINT is a HUGEINT.
    return type.endsWith('HUGEINT') ? `CAST(${name} AS DECIMAL(38,0))` : name
  }
  if (values === 'typed') return name
  if (type === 'TIMESTAMP WITH TIME ZONE') {
    return `regexp_replace(strftime(${name}, '%Y-%m-%dT%H:%M:%S.%fZ'), '\\.?0+Z$', 'Z')`
  }
  if (type.startsWith('DECIMAL')) return decimalText(name, type)
  if (values === 'json') return LONG_NUMBERS.includes(type) ? `CAST(${name} AS VARCHAR)` : name
  return isText(type) ? withoutFormula(name) : name
}

/** JSON has no number for these: text, as `sql --json` has it. DuckDB would write a bare NaN, which no parser takes. */
function jsonNumber(name: string): string {
  return `CASE WHEN isfinite(${name}) THEN to_json(${name}) WHEN isnan(${name}) THEN to_json('NaN')
    WHEN ${name} > 0 THEN to_json('Infinity') WHEN ${name} < 0 THEN to_json('-Infinity') END`
}

/** Beyond 18 digits DuckDB divides for each digit it writes: nine times the time. Few values need that. */
function decimalText(name: string, type: string): string {
  const { precision = 0, scale = 0 } = decimalOf(type) ?? {}
  const text = `CAST(${name} AS VARCHAR)`
  if (precision <= 18 || scale > 18) return text
  return `coalesce(CAST(TRY_CAST(${name} AS DECIMAL(18,${scale})) AS VARCHAR), ${text})`
}

export function isText(type: string): boolean {
  return type === 'VARCHAR' || type === 'JSON' || type.startsWith('ENUM')
}

/** Puts an apostrophe before text that a spreadsheet would run as a formula. */
function withoutFormula(name: string): string {
  return `CASE WHEN regexp_matches(${name}, '${FORMULA}') THEN '''' || ${name} ELSE ${name} END`
}

/**
 * Text columns with few different values: in Arrow files for pandas they are dictionary-coded. `request_id` is the same for
 * a thousand rows, and as text it took a third of a file.
 */
const CODED = ['symbol', 'index_code', 'timeframe', 'request_id']

export function codedColumns(columns: readonly ResultColumn[], format: Format, profile: Profile): string[] {
  if (format !== 'arrow' || profile !== 'pandas') return []
  return columns
    .filter(({ name, type }) => CODED.includes(name) && type === 'VARCHAR')
    .map(({ name }) => name)
}
