import type { Database } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import type { Relation } from '../relations.js'

/** Files that hold rows of one kind alone. A relation that is not split has one kind of files. */
export interface FileKind {
  /** What its partitions begin with. */
  readonly prefix: string
  /** SQL condition. */
  readonly rows: string
}

export function fileKindsOf({ split }: Pick<Relation, 'split'>): FileKind[] {
  if (!split) return [{ prefix: '', rows: 'true' }]
  const [column, value] = [identifier(split.column), literal(split.value)]
  return [
    { prefix: '', rows: `${column} = ${value}` },
    { prefix: split.others, rows: `${column} <> ${value}` },
  ]
}

/** The kind of a partition's file. */
export function fileKindOf(relation: Pick<Relation, 'split'>, partition: string): FileKind {
  const [main, others] = fileKindsOf(relation) as [FileKind, FileKind?]
  return others && partition.startsWith(others.prefix) ? others : main
}

/** A partition without the prefix of its kind: session, month, year, or `all`. */
export function daysOf(relation: Pick<Relation, 'split'>, partition: string): string {
  return partition.slice(fileKindOf(relation, partition).prefix.length)
}

/**
 * Partitions whose live file has rows of both kinds, by its statistics: candlehouse 0.2 and earlier wrote them. They are written
 * again, as two files.
 */
export async function mixedPartitions(database: Database, { name, split }: Relation): Promise<string[]> {
  if (!split) return []
  const isOther = (side: string): string =>
    `json_extract_string(stats, '$.${side}.${split.column}') IS DISTINCT FROM ${literal(split.value)}`
  const rows = await database.rows<{ partition: string }>(
    `SELECT partition FROM ops.lake_file WHERE removed_at IS NULL AND relation = ${literal(name)}
       AND NOT starts_with(partition, ${literal(split.others)}) AND (${isOther('minValues')} OR ${isOther('maxValues')})`,
  )
  return rows.map(({ partition }) => partition)
}
