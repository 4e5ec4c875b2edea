import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenFile, openFile } from '../duckdb/attached-file.js'
import { type Database, openDatabase } from '../duckdb/open.js'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { copyToWrite, removeDatabase } from '../home/files.js'
import { sha256 } from '../home/sha256.js'
import { installedHash, martHash } from '../mart/install.js'
import { packageRoot } from '../package.js'
import { withheldBars } from './candle-view.js'
import type { Manifest, ManifestRelation } from './manifest.js'
import { isOwnTable } from './own-views.js'
import { CANDLE, fileLists, VIEW_FORM } from './relation-view.js'

/** The catalog of an empty lake, written by the build (`build/template.ts`): a home's first catalog is a copy of it. */
export const EMPTY_CATALOG = join(packageRoot, 'dist', 'catalog.duckdb')

/**
 * The folder of an empty lake, which no view of its catalog reads. It is not that of the package: the catalog would fit only where
 * the build was, and a package that was installed elsewhere would make its catalogs anew, which takes 1.3 CPU-s.
 */
export const EMPTY_LAKE = '/'

/** A copy of a catalog that differs from the catalog to write only in its files, open for writing. */
export interface CatalogBase extends OpenFile {
  /** Of the catalog that it is a copy of. */
  readonly hash: string
  /** Relations whose lists of files are those of the manifest. */
  readonly keptLists: ReadonlySet<string>
  /** Relations whose views are those of the manifest. */
  readonly keptViews: ReadonlySet<string>
}

/** Whether a catalog shows exactly this manifest. */
export async function showsManifest(catalog: string, manifest: Manifest, lake: string): Promise<boolean> {
  if (!existsSync(catalog)) return false
  using reader = await openDatabase(catalog, { readOnly: true }).catch(() => undefined)
  if (!reader) return false
  const files = await listedFiles(reader, catalogHash(manifest, lake))
  return files !== undefined && manifest.relations.every((relation) => areFilesOf(relation, files))
}

/**
 * Copies the former catalog to `temp`, or else the one of the build. Undefined if neither has the views, macros and
 * comments that the manifest requires: then there is no file at `temp`.
 */
export async function copyBase(
  catalog: string | undefined,
  temp: string,
  manifest: Manifest,
  lake: string,
  host: Database | undefined,
  effects: Pick<Effects, 'disk'>,
): Promise<CatalogBase | undefined> {
  const hash = catalogHash(manifest, lake)
  const former = catalog === undefined ? undefined : await openCopy(catalog, temp, hash, host, effects)
  if (former) {
    const keptViews = new Set(manifest.relations.map(({ name }) => name))
    return { ...former.file, hash, keptLists: unchangedRelations(manifest, former.files), keptViews }
  }
  const emptyHash = catalogHash(ofNoFiles(manifest), EMPTY_LAKE)
  const empty = await openCopy(EMPTY_CATALOG, temp, emptyHash, host, effects)
  if (!empty) return undefined
  const keptLists = unchangedRelations(ofPackage(manifest), empty.files)
  const keptViews = new Set(keptLists)
  // It depends on the fetched timeframes too.
  keptViews.delete(CANDLE)
  return { ...empty.file, hash: emptyHash, keptLists, keptViews }
}

/** A manifest without the tables of the user's own. */
function ofPackage(manifest: Manifest): Manifest {
  return { ...manifest, relations: manifest.relations.filter(({ name }) => !isOwnTable(name)) }
}

function ofNoFiles(manifest: Manifest): Manifest {
  const relations = ofPackage(manifest).relations.map((relation) => ({ ...relation, files: [] }))
  return {
    ...manifest,
    relations,
    fetched_timeframes: [],
    calendar_days: [],
    market_rules: [],
    own_views: [],
  }
}

function unchangedRelations({ relations }: Manifest, files: Files): Set<string> {
  return new Set(relations.filter((relation) => areFilesOf(relation, files)).map((relation) => relation.name))
}

/** Undefined if the file is missing or unreadable, or if its hash is another one. */
async function openCopy(
  catalog: string,
  temp: string,
  hash: string,
  host: Database | undefined,
  { disk }: Pick<Effects, 'disk'>,
): Promise<{ file: OpenFile; files: Files } | undefined> {
  if (!existsSync(catalog)) return undefined
  copyToWrite(catalog, temp, disk)
  const file = await openFile(temp, host).catch(() => undefined)
  const files = file && (await listedFiles(file.database, hash))
  if (file && files) return { file, files }
  await file?.close()
  removeDatabase(temp, disk)
  return undefined
}

/** Live files by relation, sorted. */
type Files = ReadonlyMap<string, readonly string[]>

/** The files that a catalog's views read; undefined if it is unreadable, or if its hash is another one. */
async function listedFiles(catalog: Database, hash: string): Promise<Files | undefined> {
  if ((await installedHash(catalog)) !== hash) return undefined
  const rows = await catalog
    .rows<{ relation: string; file: string }>('SELECT relation, file FROM ops.lake_file ORDER BY file')
    .catch(() => undefined)
  if (!rows) return undefined
  const files = new Map<string, string[]>()
  for (const { relation, file } of rows) files.set(relation, [...(files.get(relation) ?? []), file])
  return files
}

function areFilesOf({ name, files }: ManifestRelation, listed: Files): boolean {
  const live = files.map(({ path }) => path).sort()
  return JSON.stringify(live) === JSON.stringify(listed.get(name) ?? [])
}

/**
 * SHA-256 of a catalog except its files: schema `mart`, relations, columns, comments, the SQL of views, which of them read files
 * at all, the folder of the lake, the fetched timeframes, the user's own calendar, rules and views.
 */
export function catalogHash(
  { relations, fetched_timeframes, calendar_days = [], market_rules = [], own_views = [] }: Manifest,
  lake: string,
): string {
  const shapes = relations.map((relation) => {
    const { name, comment, columns } = relation
    return { name, comment, columns, hasFiles: fileLists(relation).map(({ files }) => files.length > 0) }
  })
  const texts = ['catalog', 'market'].flatMap((folder) =>
    sqlFiles(folder).map((name) => sqlFile(`${folder}/${name}`)),
  )
  return sha256(
    JSON.stringify([
      VIEW_FORM,
      martHash(),
      texts,
      withheldBars(),
      shapes,
      lake,
      fetched_timeframes,
      calendar_days,
      market_rules,
      own_views,
    ]),
  )
}

/** SHA-256 of all that a catalog shows: its files too. */
export function shownHash(manifest: Manifest, lake: string): string {
  const files = manifest.relations.map((relation) => relation.files.map(({ path }) => path))
  return sha256(JSON.stringify([catalogHash(manifest, lake), files]))
}
