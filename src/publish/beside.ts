import { join } from 'node:path'
import { writeCatalog } from '../lake/catalog.js'
import { shownHash } from '../lake/catalog-base.js'
import { DUCKLAKE, duckLakeHash, refreshDuckLake } from '../lake/ducklake.js'
import type { LakeWriter } from '../lake/lake-writer.js'
import type { Manifest } from '../lake/manifest.js'
import { CATALOG, type Seals } from './seals.js'

/**
 * Writes the DuckLake and the catalog, unless they show the manifest. A publication has written the DuckLake; else it may be
 * damaged or lost, in another folder, or show what has expired.
 *
 * @returns whether the catalog was written
 */
export async function writeBeside(
  writer: LakeWriter,
  manifest: Manifest,
  seals: Seals,
  isPublished: boolean,
): Promise<boolean> {
  const { warehouse, home, lake, effects } = writer
  const catalog = join(home, CATALOG)
  const shown = shownHash(manifest, lake)
  const inDuckLake = await duckLakeHash(writer, manifest)
  if (!isPublished && !seals.isOf(DUCKLAKE, inDuckLake)) await refreshDuckLake(writer, manifest)
  const isBroken = seals.isBroken(CATALOG)
  const options = { isNew: isPublished || isBroken, base: isBroken ? undefined : catalog, host: warehouse }
  const isNew = !seals.isOf(CATALOG, shown) && (await writeCatalog(manifest, lake, catalog, options, effects))
  await seals.renew({ [CATALOG]: shown, [DUCKLAKE]: inDuckLake })
  return isNew
}
