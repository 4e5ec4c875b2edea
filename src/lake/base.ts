import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../duckdb/open.js'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { installedHash, martHash } from '../mart/install.js'
import { packageRoot } from '../package.js'
import type { Manifest, ManifestRelation } from './manifest.js'
import { CANDLE, VIEW_FORM } from './view.js'

/** A catalog of an empty lake, made by the build (`src/template.ts`): what a home's first one begins as. */
export const EMPTY_CATALOG = join(packageRoot, 'dist', 'catalog.duckdb')

/** A catalog that shows what the manifest is to show, but for its files. */
export interface Base {
  readonly file: string
  /** Live files by relation, sorted; undefined where its views read another folder. */
  readonly files: ReadonlyMap<string, readonly string[]> | undefined
}

/** The first of these catalogs that is made of the same. */
export async function baseOf(
  catalogs: readonly string[],
  manifest: Manifest,
  lake: string,
): Promise<Base | undefined> {
  const wanted = madeOfManifest(manifest)
  for (const file of catalogs) {
    const base = await readBase(file, wanted, lake)
    if (base) return base
  }
  return undefined
}

/** Undefined where there is no catalog, none that can be read, or one of another making. */
async function readBase(catalog: string, wanted: string, lake: string): Promise<Base | undefined> {
  if (!existsSync(catalog)) return undefined
  const reader = await openDatabase(catalog, { readOnly: true }).catch(() => undefined)
  if (!reader) return undefined
  try {
    if ((await installedHash(reader)) !== wanted) return undefined
    const [elsewhere] = await reader.rows(
      `SELECT 1 FROM duckdb_views() WHERE NOT internal AND contains(sql, 'read_parquet') AND NOT contains(sql, ?)`,
      [`'${lake.replaceAll("'", "''")}/`],
    )
    if (elsewhere) return { file: catalog, files: undefined }
    const read = await reader.rows<{ relation: string; file: string }>(
      'SELECT relation, file FROM ops.lake_file ORDER BY file',
    )
    const files = new Map<string, string[]>()
    for (const { relation, file } of read) files.set(relation, [...(files.get(relation) ?? []), file])
    return { file: catalog, files }
  } catch {
    return undefined
  } finally {
    reader.close()
  }
}

/** Whether a catalog's view of a relation reads exactly its live files. */
export function readsFiles({ files: known }: Base, { name, files }: ManifestRelation): boolean {
  const live = files.map(({ path }) => path).sort()
  return known !== undefined && JSON.stringify(live) === JSON.stringify(known.get(name) ?? [])
}

/** Whether it can stay as it is: that of candles follows from the timeframes that were fetched, too. */
export function staysAsIs(base: Base, relation: ManifestRelation): boolean {
  return relation.name !== CANDLE && readsFiles(base, relation)
}

/** SHA-256 of what a catalog shows, but for its files: schema `mart`, relations, columns, comments, how views are written. */
export function madeOfManifest({ relations }: Manifest): string {
  const shapes = relations.map(({ name, comment, columns }) => ({ name, comment, columns }))
  const texts = ['catalog', 'market'].flatMap((folder) =>
    sqlFiles(folder).map((name) => sqlFile(`${folder}/${name}`)),
  )
  return createHash('sha256')
    .update(JSON.stringify([VIEW_FORM, martHash(), texts, shapes]))
    .digest('hex')
}
