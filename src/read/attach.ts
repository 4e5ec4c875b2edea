import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { openDatabase } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { requireUsablePath } from '../home/home.js'
import { writeCatalog } from '../lake/catalog.js'
import { requireManifest } from '../lake/manifest.js'

export interface Attached {
  catalog: string
  lake: string
  publication: number
  relations: number
  files: number
}

/**
 * Writes a catalog for a lake under another path: a network mount or a copy on a laptop. The catalog shows the publication
 * of the lake's manifest, and keeps showing it until the lake is attached again.
 *
 * @throws StorageError if the lake has no manifest, or if files are missing
 * @throws UsageError if `out` exists and is not a catalog
 */
export async function attachLake(folder: string, out: string, effects: Effects): Promise<Attached> {
  const lake = resolve(folder)
  const catalog = resolve(out)
  for (const path of [lake, catalog]) requireUsablePath(path)
  const manifest = await requireManifest(lake)
  const files = manifest.relations.flatMap((relation) => relation.files)
  const missing = files.filter(({ path }) => !existsSync(join(lake, path)))
  const [first] = missing
  if (first) {
    throw new StorageError(
      `${missing.length} of ${files.length} files of ${lake} are missing: ${first.path} …`,
      { hint: `candlehouse lake verify ${folder}` },
    )
  }
  if (!existsSync(dirname(catalog))) {
    throw new StorageError(`folder ${dirname(catalog)} does not exist`, {
      hint: 'create it, or choose another --out',
    })
  }
  if (existsSync(catalog) && !(await isCatalog(catalog))) {
    throw new UsageError(`${catalog} exists and is not a candlehouse catalog; refusing to replace it`, {
      hint: 'choose another name with --out',
    })
  }
  await writeCatalog(manifest, lake, catalog, {}, effects)
  return {
    catalog,
    lake,
    publication: manifest.publication,
    relations: manifest.relations.length,
    files: files.length,
  }
}

async function isCatalog(file: string): Promise<boolean> {
  if (!statSync(file).isFile()) return false
  using database = await openDatabase(file, { readOnly: true }).catch(() => undefined)
  try {
    // The writer's own file has a list of files too, and tables where a catalog has views.
    const [found] =
      (await database?.rows<{ isCatalog: boolean }>(
        `SELECT EXISTS (FROM ops.lake_file) AND EXISTS (FROM duckdb_views() WHERE schema_name = 'market') AS "isCatalog"`,
      )) ?? []
    return found?.isCatalog === true
  } catch {
    return false
  }
}
