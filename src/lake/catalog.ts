import { chmod, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Database, openDatabase } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { StorageError } from '../errors.js'
import { installMart, martHash } from '../mart/install.js'
import { candleView } from './candle.js'
import { syncPath } from './files.js'
import type { Manifest, ManifestRelation } from './manifest.js'

/**
 * Writes what analysts open: a view per relation over exactly the files of the manifest, by absolute path, with the
 * warehouse's comments. Built beside, made read-only (0444), then renamed over: a reader holds the one it opened,
 * the next reader opens the new one.
 *
 * @param lake absolute path under which readers see the lake
 */
export async function writeCatalog(manifest: Manifest, lake: string, catalog: string): Promise<void> {
  const temp = `${catalog}.${process.pid}.tmp`
  try {
    await rm(temp, { force: true })
    await rm(`${temp}.wal`, { force: true })
    const database = await openDatabase(temp)
    try {
      await database.transaction(() => describe(manifest, database, lake))
      await database.run('CHECKPOINT')
    } finally {
      database.close()
    }
    await chmod(temp, 0o444)
    await syncPath(temp)
    await rename(temp, catalog)
    await syncPath(dirname(catalog))
  } catch (cause) {
    await rm(temp, { force: true })
    await rm(`${temp}.wal`, { force: true })
    throw new StorageError(`cannot write ${catalog}: ${(cause as Error).message.split('\n')[0]}`, {
      hint: 'the former catalog is still served; free some space, then run the same command again',
      cause,
    })
  }
}

/**
 * Whether the catalog reads exactly the files of the manifest, where they are, by the views of this candlehouse: a kill
 * may have come before the rename, and the home may have been moved.
 */
export async function readsManifest(catalog: string, manifest: Manifest, lake: string): Promise<boolean> {
  const reader = await openDatabase(catalog, { readOnly: true }).catch(() => undefined)
  if (!reader) return false
  try {
    const read = await reader.rows<{ file: string }>('SELECT file FROM ops.lake_file ORDER BY ALL')
    const live = manifest.relations.flatMap(({ files }) => files.map((file) => file.path)).sort()
    const [elsewhere] = await reader.rows(
      `SELECT 1 FROM duckdb_views() WHERE NOT internal AND contains(sql, 'read_parquet') AND NOT contains(sql, ?)`,
      [`'${lake.replaceAll("'", "''")}/`],
    )
    const [made] = await reader.rows<{ made_of: string }>('SELECT mart.made_of() AS made_of')
    return (
      JSON.stringify(read.map((row) => row.file)) === JSON.stringify(live) &&
      elsewhere === undefined &&
      made?.made_of === martHash()
    )
  } catch {
    return false
  } finally {
    reader.close()
  }
}

async function describe(manifest: Manifest, catalog: Database, lake: string): Promise<void> {
  const schemas = new Set(['mart', ...manifest.relations.map(({ name }) => name.split('.')[0] ?? '')])
  for (const schema of schemas) await catalog.run(`CREATE SCHEMA ${identifier(schema)}`)
  for (const relation of manifest.relations) {
    const { name, comment, columns } = relation
    const stored = scan(relation, lake)
    const query = name === 'market.candle' ? candleView(stored, manifest.fetched_timeframes) : stored
    const described = columns.map(
      (column) => `COMMENT ON COLUMN ${name}.${identifier(column.name)} IS ${literal(column.comment)};`,
    )
    await catalog.run(
      [
        `CREATE VIEW ${name} AS ${query};`,
        `COMMENT ON VIEW ${name} IS ${literal(comment)};`,
        ...described,
      ].join('\n'),
    )
  }
  await catalog.run(sqlFile('catalog/candle_comment.sql'))
  await catalog.run(sqlFile('catalog/lake_file.sql'))
  await installMart(catalog)
  const files = manifest.relations.flatMap((relation) =>
    relation.files.map(({ partition, path }) => [relation.name, partition, path].map(literal).join(', ')),
  )
  if (files.length > 0) await catalog.run(`INSERT INTO ops.lake_file VALUES (${files.join('), (')})`)
}

/** The rows of a relation's live files; none, with the right types, while nothing is published. */
function scan({ columns, files }: ManifestRelation, lake: string): string {
  const names = columns.map((column) => identifier(column.name))
  if (files.length > 0) {
    const paths = files.map(({ path }) => literal(join(lake, path)))
    return `SELECT ${names.join(', ')} FROM read_parquet([${paths.join(', ')}], hive_partitioning = false)`
  }
  const nulls = columns.map((column) => `NULL::${column.type} AS ${identifier(column.name)}`)
  return `SELECT ${nulls.join(', ')} WHERE false`
}
