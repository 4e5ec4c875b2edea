import type { DuckDBConnection } from '@duckdb/node-api'
import { UsageError } from 'candlehouse-foundation/errors'
import { literal, sqlTemplate } from './sqlfile.js'

/** What DuckDB says of a schema, and of a column behind an alias, that does not exist: it suggests no name there. */
const UNKNOWN_SCHEMA = /Table with name "?([\w.]+)"? does not exist because schema/
const UNKNOWN_COLUMN = /(?:Values list|Table) "\w+" does not have a column named "(\w+)"/

/** As the error, with the nearest names where DuckDB itself suggests none. */
export async function withNearestName(
  connection: DuckDBConnection,
  error: unknown,
  sql: string,
): Promise<unknown> {
  if (!(error instanceof UsageError)) return error
  const [, relation] = UNKNOWN_SCHEMA.exec(error.message) ?? []
  const [, column] = UNKNOWN_COLUMN.exec(error.message) ?? []
  const query =
    relation !== undefined
      ? sqlTemplate('read/nearest_relation.sql', { name: literal(relation) })
      : column !== undefined
        ? sqlTemplate('read/nearest_column.sql', { name: literal(column), statement: literal(sql) })
        : undefined
  if (query === undefined) return error
  const rows = (await connection.runAndReadAll(query)).getRows()
  if (rows.length === 0) return error
  const [line = '', ...rest] = error.message.split('\n')
  const names = rows.map(([name]) => `"${name}"`).join(' or ')
  return new UsageError([line, `Did you mean ${names}?`, ...rest].join('\n'), { cause: error })
}
