import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { candleView } from './candleview.js'
import type { Manifest, ManifestColumn, ManifestRelation } from './manifest.js'

export const CANDLE = 'market.candle'

/** Increased whenever `createView` writes other SQL: older catalogs are then not reused. */
export const VIEW_FORM = 2

/** Creates the catalog's view of a relation over its live files, with the warehouse's comments. */
export async function createView(
  catalog: Database,
  relation: ManifestRelation,
  manifest: Manifest,
  lake: string,
): Promise<void> {
  const { name, comment, columns } = relation
  const stored = scan(relation, lake)
  const isCandle = name === CANDLE
  const query = isCandle ? candleView(stored, manifest.fetched_timeframes) : stored
  const described = columns.map(
    (column) => `COMMENT ON COLUMN ${name}.${identifier(column.name)} IS ${literal(column.comment)};`,
  )
  await catalog.run(
    [
      `CREATE OR REPLACE VIEW ${name} AS ${query};`,
      `COMMENT ON VIEW ${name} IS ${literal(comment)};`,
      ...described,
      ...(isCandle ? [sqlFile('catalog/candle_comment.sql')] : []),
    ].join('\n'),
  )
}

/** A query for the rows of a relation's live files; no rows with the right types if there are none. */
export function scan(
  { columns, files }: { columns: readonly ManifestColumn[]; files: readonly { path: string }[] },
  lake: string,
): string {
  const names = columns.map((column) => identifier(column.name))
  if (files.length > 0) {
    const paths = files.map(({ path }) => pathIn(lake, path))
    return `SELECT ${names.join(', ')} FROM read_parquet([${paths.join(', ')}], hive_partitioning = false)`
  }
  const nulls = columns.map((column) => `NULL::${column.type} AS ${identifier(column.name)}`)
  return `SELECT ${nulls.join(', ')} WHERE false`
}

/** Variable that replaces the address of a bucket in the views of its catalog. */
export const LAKE_VARIABLE = 'candlehouse_lake'

/**
 * SQL for the path of a lake's file. In a bucket the address can be replaced by a variable: a view is bound where it is
 * created, and this process has no extension that reads a bucket.
 */
function pathIn(lake: string, path: string): string {
  if (!isInBucket(lake)) return literal(join(lake, path))
  return `coalesce(getvariable('${LAKE_VARIABLE}'), ${literal(lake)}) || ${literal(`/${path}`)}`
}

function isInBucket(lake: string): boolean {
  return lake.startsWith('s3://')
}
