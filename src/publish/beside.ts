import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { writeCatalog } from '../lake/catalog.js'
import { shownHash } from '../lake/catalog-base.js'
import { DUCKLAKE, duckLakeHash, refreshDuckLake } from '../lake/ducklake.js'
import type { Manifest } from '../lake/manifest.js'
import { CATALOG, type Seals } from './seals.js'

/**
 * Writes the DuckLake and the catalog, unless they show the manifest. A publication has written the DuckLake; else it may be
 * damaged or lost, in another folder, or show what has expired.
 *
 * @returns whether the catalog was written
 */
export async function writeBeside(
  warehouse: Database,
  home: string,
  manifest: Manifest,
  seals: Seals,
  isPublished: boolean,
  effects: Effects,
): Promise<boolean> {
  const lake = join(home, 'lake')
  const catalog = join(home, CATALOG)
  const shown = shownHash(manifest, lake)
  const inDuckLake = await duckLakeHash(warehouse, lake, manifest)
  if (!isPublished && !seals.isOf(DUCKLAKE, inDuckLake))
    await refreshDuckLake(warehouse, lake, manifest, effects)
  const isBroken = seals.isBroken(CATALOG)
  const options = { isNew: isPublished || isBroken, base: isBroken ? undefined : catalog, host: warehouse }
  const isNew = !seals.isOf(CATALOG, shown) && (await writeCatalog(manifest, lake, catalog, options, effects))
  await seals.renew({ [CATALOG]: shown, [DUCKLAKE]: inDuckLake })
  return isNew
}
