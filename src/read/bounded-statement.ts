import type { ResultColumn } from '../duckdb/reader.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import { asSubquery } from '../duckdb/streaming.js'

/** What a text that was cut ends with. */
export const CUT = '… [cut]'

/** Types whose values are short. */
const SHORT =
  /^(BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|DATE|TIME.*|INTERVAL|UUID)$/
const NESTED = /(\[\d*\]|^(STRUCT|MAP|UNION)\(.*\))$/s

/**
 * A statement whose result is small whatever the given one returns: its first rows, with long texts cut. DuckDB cuts them, because
 * a text that is longer than memory would not reach this process.
 */
export function boundedStatement(
  sql: string,
  columns: readonly ResultColumn[],
  { rows, textCharacters }: { readonly rows: number; readonly textCharacters: number },
): string {
  const values = columns.map(({ name, type }, index) => {
    const value = `c${index}`
    if (SHORT.test(type)) return `${value} AS ${identifier(name)}`
    const text = NESTED.test(type) ? `CAST(to_json(${value}) AS VARCHAR)` : `CAST(${value} AS VARCHAR)`
    const cut = `left(${text}, ${textCharacters}) || ${literal(CUT)}`
    return `CASE WHEN length(${text}) > ${textCharacters} THEN ${cut} ELSE ${text} END AS ${identifier(name)}`
  })
  const names = columns.map((_, index) => `c${index}`).join(', ')
  // One more, so that it shows whether rows were left out.
  return `SELECT ${values.join(', ')} FROM (\n${asSubquery(sql)}\n) AS result(${names}) LIMIT ${rows + 1}`
}
