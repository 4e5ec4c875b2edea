/**
 * SQL for a column's value as text. Text stays as it is: the strict parse macros decide its value. A TIMESTAMP without
 * a zone is exchange time, as text without one is; a DECIMAL or an integer is exact.
 *
 * @param type as DuckDB names it
 */
export function columnText(column: string, type: string): string {
  switch (type) {
    case 'VARCHAR':
      return column
    case 'FLOAT':
    case 'DOUBLE':
      return `plain_number(CAST(${column} AS VARCHAR))`
    case 'TIMESTAMP WITH TIME ZONE':
      return `exchange_text(${column})`
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_NS':
      return `CAST(CAST(${column} AS TIMESTAMP) AS VARCHAR)`
    default:
      return `CAST(${column} AS VARCHAR)`
  }
}
