import { DAY_MS } from 'candlehouse-foundation/market/day'
import type { Bucket } from '../../bucket/bucket.js'
import type { Effects } from '../../effects.js'
import { LOG } from '../../lake/delta/delta-log.js'
import type { Manifest } from '../../lake/manifest.js'
import { isDataFile, isOfTable } from './bucket-objects.js'

export interface SweptBucket {
  readonly removed: number
  /** Objects that are not needed and still kept: since when, ISO 8601. */
  readonly unneeded: Record<string, string>
}

/**
 * Removes objects that have not been needed for `retainDays`. The wait begins when the bucket's own manifest stopped naming
 * them, not the one on this machine: a bucket that was behind has readers of what it had. Data files of the manifest and
 * log files that this machine still has are never removed.
 *
 * @param keys of all objects
 * @param since when each object was first seen to be unneeded, by earlier publications
 */
export async function sweepBucket(
  bucket: Bucket,
  keys: ReadonlySet<string>,
  {
    manifest,
    local,
    since,
  }: { manifest: Manifest; local: readonly string[]; since: Readonly<Record<string, string>> },
  retainDays: number,
  effects: Effects,
): Promise<SweptBucket> {
  const needed = new Set([
    ...manifest.relations.flatMap(({ files, log }) => [...files, ...log].map(({ path }) => path)),
    ...local.filter((path) => path.includes(`/${LOG}/`)),
  ])
  const now = effects.now()
  const unneeded: Record<string, string> = {}
  let removed = 0
  const candidates = [...keys].filter((key) => isOfTable(key) && !needed.has(key))
  // Log entries first: a version is gone before its files are.
  for (const key of [...candidates].sort((a, b) => Number(isDataFile(a)) - Number(isDataFile(b)))) {
    const first = since[key] ?? new Date(now).toISOString()
    if (now - Date.parse(first) >= retainDays * DAY_MS) {
      await bucket.remove(key)
      removed += 1
    } else unneeded[key] = first
  }
  return { removed, unneeded }
}
