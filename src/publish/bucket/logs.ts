import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OtherPublisherError } from 'candlehouse-foundation/errors'
import type { Bucket } from '../../bucket/bucket.js'
import { sha256 } from '../../home/sha256.js'
import { checkpointFile, entryFile, type Listing, LOG, listLog } from '../../lake/delta/delta-log.js'
import { type Manifest, type ManifestRelation, tablePath } from '../../lake/manifest.js'
import { tablesOf } from '../../lake/table-names.js'
import type { BucketObjects } from './bucket-objects.js'

/** What the log of one table in the bucket lacks. */
export interface LogLag {
  readonly name: string
  /** Versions, ascending. */
  readonly entries: readonly number[]
  /** Versions of checkpoints, ascending. */
  readonly checkpoints: readonly number[]
  /**
   * Whether `_last_checkpoint` may name an older checkpoint: the latest one was made after the bucket's manifest. A run that
   * was killed between the two leaves the checkpoint alone, and a sweep would remove the one that is named.
   */
  readonly isPointerOld: boolean
  /** The entries before the first missing one are no longer on this machine: its checkpoint stands for them. */
  readonly startsWithCheckpoint: boolean
}

/**
 * The relation whose entry is written first. Every publication changes it, so two publishers of the same number meet at
 * its next version: who loses there has changed no other table.
 */
const FIRST = 'ops.publication'

/** @param former the manifest of the bucket, if it has one */
export async function lagOfLogs(
  bucket: Bucket,
  lake: string,
  objects: BucketObjects,
  former: Manifest | undefined,
): Promise<LogLag[]> {
  const lags: LogLag[] = []
  for (const name of [FIRST, ...tablesOf(lake).filter((each) => each !== FIRST)]) {
    const relation = former?.relations.find((each) => each.name === name)
    lags.push(await lagOf(bucket, lake, name, objects, relation))
  }
  return lags
}

async function lagOf(
  bucket: Bucket,
  lake: string,
  name: string,
  objects: BucketObjects,
  former: ManifestRelation | undefined,
): Promise<LogLag> {
  const listing = listLog(join(lake, tablePath(name)))
  const head = headOf(objects, name)
  if (head > (listing.entries.at(-1) ?? -1)) throw otherPublisher(bucket, name, head)
  await requireSameEntry(bucket, lake, { name, head, listing }, former)
  const entries = listing.entries.filter((version) => version > head)
  const [first] = entries
  return {
    name,
    entries,
    checkpoints: listing.checkpoints.filter((version) => !objects.has(keyOf(name, checkpointFile(version)))),
    isPointerOld: (listing.checkpoints.at(-1) ?? -1) > (former?.version ?? -1),
    startsWithCheckpoint: first !== undefined && first > head + 1,
  }
}

/** Version of the last entry in the bucket; -1 if there is none. */
function headOf(objects: BucketObjects, name: string): number {
  const prefix = keyOf(name, `${LOG}/`)
  const versions = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && key.endsWith('.json'))
    .map((key) => Number(key.slice(prefix.length, -'.json'.length)))
  return Math.max(-1, ...versions.filter(Number.isInteger))
}

/** Two logs with the same entry have the same history: an entry names its run, its instant and its files. */
async function requireSameEntry(
  bucket: Bucket,
  lake: string,
  { name, head, listing }: { name: string; head: number; listing: Listing },
  former: ManifestRelation | undefined,
): Promise<void> {
  if (head < 0 || !listing.entries.includes(head)) return
  const key = keyOf(name, entryFile(head))
  const local = await readFile(join(lake, key))
  if (former?.log.find(({ path }) => path === key)?.sha256 === sha256(local)) return
  const there = await bucket.read(key)
  if (there && !local.equals(there.bytes)) throw otherPublisher(bucket, name, head)
}

/** Writes what is missing of a log, in the order in which readers may see it. @throws OtherPublisherError */
export async function bringLog(bucket: Bucket, lake: string, lag: LogLag): Promise<void> {
  const { name, entries, startsWithCheckpoint } = lag
  if (startsWithCheckpoint) await bringCheckpoints(bucket, lake, lag)
  for (const version of entries) {
    const key = keyOf(name, entryFile(version))
    if (!(await bucket.create(key, await readFile(join(lake, key)))))
      throw otherPublisher(bucket, name, version)
  }
  if (!startsWithCheckpoint) await bringCheckpoints(bucket, lake, lag)
}

async function bringCheckpoints(
  bucket: Bucket,
  lake: string,
  { name, checkpoints, isPointerOld }: LogLag,
): Promise<void> {
  for (const version of checkpoints) {
    const key = keyOf(name, checkpointFile(version))
    await bucket.upload(key, join(lake, key))
  }
  if (checkpoints.length === 0 && !isPointerOld) return
  const pointer = keyOf(name, `${LOG}/_last_checkpoint`)
  await bucket.write(pointer, await readFile(join(lake, pointer)))
}

function keyOf(name: string, file: string): string {
  return `${tablePath(name)}/${file}`
}

export function otherPublisher(bucket: Bucket, what: string, version?: number): OtherPublisherError {
  const place = version === undefined ? what : `version ${version} of ${what}`
  return new OtherPublisherError(`another home has published to ${bucket.url}: ${place} there is not ours`, {
    hint: 'nothing was lost on either side; stop the other publisher or set CANDLEHOUSE_LAKE_URL to a new prefix, then: candlehouse publish',
  })
}
