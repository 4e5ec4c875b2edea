/**
 * Rows as JSON text that a statement binds. Half a surrogate pair, which a service can write in any message, becomes U+FFFD:
 * DuckDB refuses JSON with one.
 */
export function boundRows(rows: readonly unknown[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}
