import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { relationOf } from '../relations.js'
import { candleView } from './candleview.js'
import { fileKindOf } from './filekinds.js'
import type { Manifest, ManifestColumn, ManifestFile, ManifestRelation } from './manifest.js'

export const CANDLE = 'market.candle'

/** Increased whenever `createView` writes other SQL: older catalogs are then not reused. */
export const VIEW_FORM = 3

/** Creates the catalog's view of a relation over its live files, with the warehouse's comments. */
export async function createView(
  catalog: Database,
  relation: ManifestRelation,
  manifest: Manifest,
  lake: string,
): Promise<void> {
  const { name, comment, columns } = relation
  const isCandle = name === CANDLE
  const query = isCandle ? barsView(relation, manifest, lake) : scan(relation, lake)
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

/**
 * The view of bars: bars of a minute and longer ones from the files that can have them. A lake of an earlier version has both in
 * one file, without bounds in its manifest: it is read for both.
 */
function barsView({ columns, files }: ManifestRelation, manifest: Manifest, lake: string): string {
  const candle = relationOf(CANDLE)
  const isLonger = ({ partition }: ManifestFile): boolean => fileKindOf(candle, partition).prefix !== ''
  const hasMinutesAlone = ({ timeframes }: ManifestFile): boolean =>
    timeframes?.every((timeframe) => timeframe === '1m') ?? false
  const scans = {
    minutes: scan({ columns, files: files.filter((file) => !isLonger(file)) }, lake),
    longer: scan({ columns, files: files.filter((file) => !hasMinutesAlone(file)) }, lake),
  }
  return candleView(scans, manifest.fetched_timeframes)
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
