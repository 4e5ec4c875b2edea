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

export type LiveFile = Pick<LakeFile, 'relation' | 'partition' | 'file' | 'row_count'>

export async function liveFiles(warehouse: Database): Promise<LiveFile[]> {
  return await warehouse.rows<LiveFile>(
    'SELECT relation, partition, file, row_count FROM ops.lake_file WHERE removed_at IS NULL',
  )
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

export type DescribedRelation = Pick<LakeTable, 'relation' | 'comment' | 'columns'>

/** Every published relation as the warehouse describes it; what a field is in words, its table of fields states. */
export async function describedRelations(warehouse: Database): Promise<DescribedRelation[]> {
  const columns = await warehouse.rows<ManifestColumn & { relation: string }>(
    `SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type,
       coalesce(comment, '') AS comment
     FROM duckdb_columns() WHERE NOT internal ORDER BY column_index`,
  )
  const comments = await warehouse.rows<{ relation: string; comment: string | null }>(
    `SELECT schema_name || '.' || table_name AS relation, comment FROM duckdb_tables() WHERE NOT internal`,
  )
  return relations.map((relation) => {
    const words = fieldComments(relation.name)
    return {
      relation,
      comment: comments.find((row) => row.relation === relation.name)?.comment ?? '',
      columns: columns
        .filter((column) => column.relation === relation.name)
        .map(({ name, type, comment }) => ({ name, type, comment: words.get(name) ?? comment })),
    }
  })
}

/** The same relations with their files as the ledger has them now. */
export async function withRecordedFiles(
  warehouse: Database,
  described: readonly DescribedRelation[],
): Promise<LakeTable[]> {
  const files = await warehouse.rows<LakeFile>(
    `SELECT relation, partition, file, row_count, bytes, sha256, stats, data_change, publication_id,
       epoch_ms(added_at) AS added_ms, epoch_ms(removed_at) AS removed_ms
     FROM ops.lake_file WHERE sha256 IS NOT NULL ORDER BY relation, partition, file`,
  )
  return described.map(({ relation, comment, columns }) => {
    const filesOfRelation = files.filter((file) => file.relation === relation.name)
    return {
      relation,
      comment,
      columns,
      live: filesOfRelation.filter((file) => file.removed_ms === null),
      removed: filesOfRelation.filter((file) => file.removed_ms !== null),
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

/** Marks files as removed. */
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
