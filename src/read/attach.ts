import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { openDatabase } from '../duckdb/open.js'
import { StorageError, UsageError } from '../errors.js'
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
 * Writes a catalog for a lake seen under another path: a network mount, a laptop's copy. It reads the publication that
 * the lake's manifest tells of, and stays at that until it is attached again.
 *
 * @throws StorageError when the lake has no manifest, or not all of its files
 * @throws UsageError when something else than a catalog stands at `out`
 */
export async function attachLake(folder: string, out: string): Promise<Attached> {
  const lake = resolve(folder)
  const catalog = resolve(out)
  const manifest = await requireManifest(lake)
  const files = manifest.relations.flatMap((relation) => relation.files)
  const missing = files.filter(({ path }) => !existsSync(join(lake, path)))
  const [first] = missing
  if (first) {
    throw new StorageError(
      `${missing.length} of ${files.length} files of ${lake} are missing: ${first.path} …`,
      {
        hint: `candlehouse lake verify ${folder}`,
      },
    )
  }
  if (!existsSync(dirname(catalog))) {
    throw new StorageError(`there is no folder ${dirname(catalog)}`, {
      hint: 'make it, or choose another --out',
    })
  }
  if (existsSync(catalog) && !(await isCatalog(catalog))) {
    throw new UsageError(`${catalog} is no catalog of candlehouse: it stays as it is`, {
      hint: 'choose another name with --out',
    })
  }
  await writeCatalog(manifest, lake, catalog)
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
  const database = await openDatabase(file, { readOnly: true }).catch(() => undefined)
  try {
    return (await database?.rows('SELECT 1 FROM ops.lake_file LIMIT 1')) !== undefined
  } catch {
    return false
  } finally {
    database?.close()
  }
}
