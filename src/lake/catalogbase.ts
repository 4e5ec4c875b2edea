import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../duckdb/open.js'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { installedHash, martHash } from '../mart/install.js'
import { packageRoot } from '../package.js'
import type { Manifest, ManifestRelation } from './manifest.js'
import { CANDLE, VIEW_FORM } from './relationview.js'

/** The catalog of an empty lake, written by the build (`src/template.ts`): a home's first catalog is a copy of it. */
export const EMPTY_CATALOG = join(packageRoot, 'dist', 'catalog.duckdb')

/** An existing catalog that differs from the catalog to write only in its files, so the new one can start as its copy. */
export interface CatalogBase {
  readonly file: string
  /** Live files by relation, sorted; undefined if its views read another folder. */
  readonly files: ReadonlyMap<string, readonly string[]> | undefined
}

/** The first of these catalogs that has the same views, macros and comments as the manifest requires. */
export async function findBase(
  catalogs: readonly string[],
  manifest: Manifest,
  lake: string,
): Promise<CatalogBase | undefined> {
  const hash = catalogHash(manifest)
  for (const file of catalogs) {
    const base = await readBase(file, hash, lake)
    if (base) return base
  }
  return undefined
}

/** Undefined if the catalog is missing or unreadable, or if its hash is another one. */
async function readBase(catalog: string, hash: string, lake: string): Promise<CatalogBase | undefined> {
  if (!existsSync(catalog)) return undefined
  const reader = await openDatabase(catalog, { readOnly: true }).catch(() => undefined)
  if (!reader) return undefined
  try {
    if ((await installedHash(reader)) !== hash) return undefined
    const [elsewhere] = await reader.rows(
      `SELECT 1 FROM duckdb_views() WHERE NOT internal AND contains(sql, 'read_parquet') AND NOT contains(sql, ?)`,
      [`'${lake.replaceAll("'", "''")}/`],
    )
    if (elsewhere) return { file: catalog, files: undefined }
    const rows = await reader.rows<{ relation: string; file: string }>(
      'SELECT relation, file FROM ops.lake_file ORDER BY file',
    )
    const files = new Map<string, string[]>()
    for (const { relation, file } of rows) files.set(relation, [...(files.get(relation) ?? []), file])
    return { file: catalog, files }
  } catch {
    return undefined
  } finally {
    reader.close()
  }
}

/** Whether a catalog's view of a relation reads exactly its live files. */
export function readsFiles({ files: filesOfBase }: CatalogBase, { name, files }: ManifestRelation): boolean {
  const live = files.map(({ path }) => path).sort()
  return filesOfBase !== undefined && JSON.stringify(live) === JSON.stringify(filesOfBase.get(name) ?? [])
}

/** Whether the view of a relation can stay unchanged. The view of candles cannot: it also depends on the fetched timeframes. */
export function canKeepView(base: CatalogBase, relation: ManifestRelation): boolean {
  return relation.name !== CANDLE && readsFiles(base, relation)
}

/** SHA-256 of a catalog except its files: schema `mart`, relations, columns, comments, the SQL of views. */
export function catalogHash({ relations }: Manifest): string {
  const shapes = relations.map(({ name, comment, columns }) => ({ name, comment, columns }))
  const texts = ['catalog', 'market'].flatMap((folder) =>
    sqlFiles(folder).map((name) => sqlFile(`${folder}/${name}`)),
  )
  return createHash('sha256')
    .update(JSON.stringify([VIEW_FORM, martHash(), texts, shapes]))
    .digest('hex')
}
