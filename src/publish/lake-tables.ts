import { fieldComments } from 'candlehouse-foundation/fields/relations'
import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { ManifestColumn } from '../lake/manifest.js'
import { type Relation, relations } from '../relations.js'

/** A Parquet file of the lake: a row of `ops.lake_file`. */
export interface LakeFile {
  relation: string
  /** Session (YYYY-MM-DD), month (YYYY-MM), year (YYYY), or `all`. */
  partition: string
  /** Relative to the lake. */
  file: string
  row_count: bigint
  bytes: bigint
  sha256: string
  stats: string
  data_change: boolean
  publication_id: bigint
  /** Epoch milliseconds. */
  added_ms: bigint
  /** Epoch milliseconds; null while it is live. */
  removed_ms: bigint | null
}

export type Partition = Pick<LakeFile, 'relation' | 'partition'>

/** All files of the ledger. A statement for each question about them would cost as much as this one. */
export async function recordedFiles(warehouse: Database): Promise<LakeFile[]> {
  return await warehouse.rows<LakeFile>(
    `SELECT * EXCLUDE (added_at, removed_at), epoch_ms(added_at) AS added_ms, epoch_ms(removed_at) AS removed_ms
     FROM ops.lake_file ORDER BY relation, partition, file`,
  )
}

export function isLive({ removed_ms }: LakeFile): boolean {
  return removed_ms === null
}

/** The files of a relation according to the ledger. */
export interface LakeTable {
  relation: Relation
  comment: string
  columns: ManifestColumn[]
  live: LakeFile[]
  /** Replaced files that stay for time travel until they are swept. */
  removed: LakeFile[]
}

export interface DescribedRelation extends Pick<LakeTable, 'relation' | 'comment' | 'columns'> {
  /** Whether it is a table that may have rows. */
  readonly isFilled?: boolean
}

/** Every published relation as the warehouse describes it; what a field is in words, its table of fields states. */
export async function describedRelations(warehouse: Database): Promise<DescribedRelation[]> {
  const tables = await describe(warehouse, 'table', relations)
  for (const { relation, columns } of tables) {
    const words = fieldComments(relation.name)
    for (const column of columns) column.comment = words.get(column.name) ?? column.comment
  }
  return tables
}

/** Tables or views as the database describes them. */
export async function describe<Named extends Relation>(
  database: Database,
  kind: 'table' | 'view',
  objects: readonly Named[],
): Promise<(DescribedRelation & { relation: Named })[]> {
  const columns = await database.rows<ManifestColumn & { relation: string }>(
    `SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type,
       coalesce(comment, '') AS comment
     FROM duckdb_columns() WHERE NOT internal ORDER BY column_index`,
  )
  const described = await database.rows<{ name: string; comment: string | null; isFilled: boolean }>(
    `SELECT schema_name || '.' || ${kind}_name AS name, comment,
       ${kind === 'table' ? 'estimated_size > 0' : 'false'} AS "isFilled"
     FROM duckdb_${kind}s() WHERE NOT internal`,
  )
  return objects.map((relation) => {
    const { comment, isFilled } = described.find(({ name }) => name === relation.name) ?? {}
    const named = columns.filter((column) => column.relation === relation.name)
    return {
      relation,
      comment: comment ?? '',
      isFilled: isFilled ?? false,
      columns: named.map(({ name, type, comment: words }) => ({ name, type, comment: words })),
    }
  })
}

/** The same relations with their files. @param files of the ledger; those of its first form have no hash and stand in no log */
export function withFiles(described: readonly DescribedRelation[], files: readonly LakeFile[]): LakeTable[] {
  return described.map(({ relation, comment, columns }) => {
    const filesOfRelation = files.filter((file) => file.relation === relation.name && file.sha256 !== null)
    return {
      relation,
      comment,
      columns,
      live: filesOfRelation.filter(isLive),
      removed: filesOfRelation.filter((file) => !isLive(file)),
    }
  })
}

/** Writes the rows of files, in one statement. A removed file of the same name becomes live again. */
export async function recordFiles(warehouse: Database, files: readonly LakeFile[]): Promise<void> {
  if (files.length === 0) return
  const rows = files.map(({ row_count, bytes, publication_id, removed_ms, added_ms, ...texts }) => ({
    ...texts,
    row_count: Number(row_count),
    bytes: Number(bytes),
    publication_id: Number(publication_id),
    removed_at: isoTime(removed_ms),
    added_at: isoTime(added_ms),
  }))
  await warehouse.run('DELETE FROM ops.lake_file WHERE list_contains(from_json(?, \'["VARCHAR"]\'), file)', [
    JSON.stringify(files.map(({ file }) => file)),
  ])
  await warehouse.run(sqlFile('publish/record_files.sql'), [JSON.stringify(rows)])
}

export async function removeFiles(
  warehouse: Database,
  files: readonly string[],
  removedAt: string,
): Promise<void> {
  if (files.length === 0) return
  await warehouse.run(
    `UPDATE ops.lake_file SET removed_at = ?::TIMESTAMPTZ WHERE list_contains(from_json(?, '["VARCHAR"]'), file)`,
    [removedAt, JSON.stringify(files)],
  )
}

function isoTime(ms: bigint | null): string | null {
  return ms === null ? null : new Date(Number(ms)).toISOString()
}
