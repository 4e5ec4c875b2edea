import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { fileKindOf, relationOf } from '../relations.js'
import { candleView } from './candle-view.js'
import type { Manifest, ManifestColumn, ManifestFile, ManifestRelation } from './manifest.js'

export const CANDLE = 'market.candle'

/** Increased whenever `createView` or `listFiles` writes other SQL: older catalogs are then not reused. */
export const VIEW_FORM = 5

/** Files of a relation that its view reads as one. */
interface FileList {
  /** Macro of the catalog that returns their paths. */
  readonly macro: string
  readonly files: readonly ManifestFile[]
}

/**
 * The lists of files that the view of a relation reads: one, or for bars two, those that can have bars of a minute and those that
 * can have longer ones. A lake of an earlier version has both in one file, without bounds in its manifest: it is in both lists.
 */
export function fileLists({ name, files }: ManifestRelation): readonly FileList[] {
  const macro = `ops.${name.replace('.', '_')}`
  if (name !== CANDLE) return [{ macro: `${macro}_files`, files }]
  const candle = relationOf(CANDLE)
  const isLonger = ({ partition }: ManifestFile): boolean => fileKindOf(candle, partition).prefix !== ''
  const hasMinutesAlone = ({ timeframes }: ManifestFile): boolean =>
    timeframes?.every((timeframe) => timeframe === '1m') ?? false
  return [
    { macro: `${macro}_minute_files`, files: files.filter((file) => !isLonger(file)) },
    { macro: `${macro}_longer_files`, files: files.filter((file) => !hasMinutesAlone(file)) },
  ]
}

/**
 * Writes the paths of a relation's files into the macros that its view reads. A view that names its files would have to be created
 * again with every file, with all comments: 5 ms instead of 0.3, and some ten relations have new files in every publication.
 */
export async function listFiles(catalog: Database, relation: ManifestRelation, lake: string): Promise<void> {
  const macros = fileLists(relation)
    .filter(({ files }) => files.length > 0)
    .flatMap(({ macro, files }) => [
      `CREATE OR REPLACE MACRO ${macro}() AS (${pathsOf(files, lake)});`,
      `COMMENT ON MACRO ${macro} IS ${literal(`Files of ${relation.name} that its view reads.`)};`,
    ])
  if (macros.length > 0) await catalog.run(macros.join('\n'))
}

/** Creates the catalog's view of a relation over the files that `listFiles` has listed, with the warehouse's comments. */
export async function createView(
  catalog: Database,
  relation: ManifestRelation,
  manifest: Manifest,
): Promise<void> {
  const { name, comment, columns } = relation
  const isCandle = name === CANDLE
  const [all = '', longer = ''] = fileLists(relation).map(({ macro, files }) =>
    scan(columns, files.length > 0 ? `${macro}()` : undefined),
  )
  const query = isCandle
    ? candleView({ minutes: all, longer, withheld: 'FROM ops.withheld_bar' }, manifest.fetched_timeframes)
    : all
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
 * A query for the rows of files; no rows with the right types if there are none.
 *
 * @param paths SQL for the list of their paths; undefined if there are none
 */
export function scan(columns: readonly ManifestColumn[], paths: string | undefined): string {
  const names = columns.map((column) => identifier(column.name))
  if (paths !== undefined)
    return `SELECT ${names.join(', ')} FROM read_parquet(${paths}, hive_partitioning = false)`
  const nulls = columns.map((column) => `NULL::${column.type} AS ${identifier(column.name)}`)
  return `SELECT ${nulls.join(', ')} WHERE false`
}

/** SQL for the list of the paths of a lake's files. */
export function pathsOf(files: readonly { path: string }[], lake: string): string {
  return `[${files.map(({ path }) => pathIn(lake, path)).join(', ')}]`
}

/** Variable that replaces the address of a bucket in the views of its catalog. */
export const LAKE_VARIABLE = 'candlehouse_lake'

/**
 * SQL for the path of a lake's file. In a bucket the address can be replaced by a variable: a view is bound where it is
 * created, and this process has no extension that reads a bucket.
 */
function pathIn(lake: string, path: string): string {
  if (!lake.startsWith('s3://')) return literal(join(lake, path))
  return `coalesce(getvariable('${LAKE_VARIABLE}'), ${literal(lake)}) || ${literal(`/${path}`)}`
}
