import type { Bind, Database } from '../duckdb/open.js'
import type { ManifestColumn } from '../lake/manifest.js'
import { type Relation, relations } from '../relations.js'

/** A Parquet file of the lake: a row of `ops.lake_file`. */
export interface LakeFile {
  relation: string
  /** Session (YYYY-MM-DD), month (YYYY-MM), or `all`. */
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

/** The files of a relation according to the ledger. */
export interface LakeTable {
  relation: Relation
  comment: string
  columns: ManifestColumn[]
  live: LakeFile[]
  /** Replaced files that stay for time travel until they are swept. */
  removed: LakeFile[]
}

/** Every published relation with its files, sorted by partition. */
export async function lakeTables(warehouse: Database): Promise<LakeTable[]> {
  const columns = await warehouse.rows<ManifestColumn & { relation: string }>(
    `SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type,
       coalesce(comment, '') AS comment
     FROM duckdb_columns() WHERE NOT internal ORDER BY column_index`,
  )
  const comments = await warehouse.rows<{ relation: string; comment: string | null }>(
    `SELECT schema_name || '.' || table_name AS relation, comment FROM duckdb_tables() WHERE NOT internal`,
  )
  const files = await warehouse.rows<LakeFile>(
    `SELECT relation, partition, file, row_count, bytes, sha256, stats, data_change, publication_id,
       epoch_ms(added_at) AS added_ms, epoch_ms(removed_at) AS removed_ms
     FROM ops.lake_file WHERE sha256 IS NOT NULL ORDER BY relation, partition, file`,
  )
  return relations.map((relation) => {
    const filesOfRelation = files.filter((file) => file.relation === relation.name)
    return {
      relation,
      comment: comments.find((row) => row.relation === relation.name)?.comment ?? '',
      columns: columns
        .filter((column) => column.relation === relation.name)
        .map(({ name, type, comment }) => ({ name, type, comment })),
      live: filesOfRelation.filter((file) => file.removed_ms === null),
      removed: filesOfRelation.filter((file) => file.removed_ms !== null),
    }
  })
}

/** Writes the row of a file. A removed file of the same name becomes live again. */
export async function recordFile(warehouse: Database, file: LakeFile): Promise<void> {
  await warehouse.run('DELETE FROM ops.lake_file WHERE file = ?', [file.file])
  const values: Bind[] = [
    file.relation,
    file.partition,
    file.file,
    file.row_count,
    file.bytes,
    isoTime(file.removed_ms),
    file.sha256,
    file.stats,
    file.data_change,
    file.publication_id,
    isoTime(file.added_ms),
  ]
  await warehouse.run(
    `INSERT INTO ops.lake_file (relation, partition, file, row_count, bytes, removed_at, sha256, stats, data_change,
       publication_id, added_at)
     VALUES (?, ?, ?, ?, ?, ?::TIMESTAMPTZ, ?, ?, ?, ?, ?::TIMESTAMPTZ)`,
    values,
  )
}

function isoTime(ms: bigint | null): string | null {
  return ms === null ? null : new Date(Number(ms)).toISOString()
}
