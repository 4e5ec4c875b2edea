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
