import { decimalOf } from '../../duckdb/decimal.js'
import type { ManifestColumn } from '../manifest.js'

/** DuckDB type → Delta primitive type. Instants are microseconds in UTC in both. */
const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'string',
  BIGINT: 'long',
  INTEGER: 'integer',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  'TIMESTAMP WITH TIME ZONE': 'timestamp',
}

/**
 * The `schemaString` of a table: its columns with their comments.
 *
 * @throws TypeError for a type that Delta reader version 1 does not have
 */
export function schemaString(columns: readonly ManifestColumn[]): string {
  const fields = columns.map(({ name, type, comment }) => {
    return { name, type: deltaType(type), nullable: true, metadata: comment ? { comment } : {} }
  })
  return JSON.stringify({ type: 'struct', fields })
}

export function deltaType(type: string): string {
  const decimal = decimalOf(type)
  const delta = decimal ? `decimal(${decimal.precision},${decimal.scale})` : TYPES[type]
  if (!delta) throw new TypeError(`Delta's reader version 1 has no type for ${type}`)
  return delta
}
