import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import type { Bucket, StoredObject } from '../../bucket/bucket.js'
import type { Effects } from '../../effects.js'
import { openTempFolder } from '../../home/home.js'
import { sha256 } from '../../home/sha256.js'
import { writeCatalog } from '../../lake/catalog.js'
import { catalogHash } from '../../lake/catalog-base.js'
import { copyDuckLake, DUCKLAKE } from '../../lake/ducklake.js'
import { hashFile } from '../../lake/lake-files.js'
import { MANIFEST, type Manifest, parseManifest, requireManifest } from '../../lake/manifest.js'
import { type BucketObjects, bucketObjects, filesOf, isDataFile } from './bucket-objects.js'
import { bringLog, lagOfLogs, otherPublisher } from './logs.js'
import { sweepBucket } from './sweep-bucket.js'

/** Files sent at once. */
const UPLOADS = 4

const CATALOG = 'catalog.duckdb'

export interface BucketPublication {
  readonly url: string
  /** The publication that readers of the bucket now see. */
  readonly publication: number
  readonly publishedAt: string
  /** Data files, log entries and checkpoints that were written. */
  readonly written: number
  /** Objects removed by the sweep. */
  readonly removed: number
  readonly requests: number
  readonly bytesSent: number
}

/**
 * Brings a bucket to the state of the lake on this machine: data files, log entries in their order, each only if nobody
 * has written that version, then the DuckLake, the manifest, the catalog. Everything that is missing is found by comparing, so
 * after a kill or an outage the next call does the rest. Readers see one publication or the one before.
 *
 * @throws BucketError if it does not answer or refuses · OtherPublisherError if another home has published there
 */
export async function bringToBucket(
  bucket: Bucket,
  home: string,
  retainDays: number,
  effects: Effects,
): Promise<BucketPublication> {
  const lake = join(home, 'lake')
  const manifest = await requireManifest(lake)
  const objects = await bucketObjects(bucket)
  const former = objects.has(MANIFEST) ? await bucket.read(MANIFEST) : undefined
  const formerManifest = former && parseManifest(Buffer.from(former.bytes).toString('utf8'))
  requireOwn(bucket, formerManifest, manifest)
  const lags = await lagOfLogs(bucket, lake, objects, formerManifest)
  const local = await filesOf(lake)
  const files = await bringFiles(bucket, lake, local, objects)
  for (const lag of lags) await bringLog(bucket, lake, lag)
  const bytes = await readFile(join(lake, MANIFEST))
  const state = await readState(bucket)
  const ducklake_sha256 = await bringDuckLake(
    bucket,
    home,
    objects.has(DUCKLAKE) ? state.ducklake_sha256 : '',
    effects,
  )
  await bringManifest(bucket, bytes, former)
  const next = {
    ...state,
    ducklake_sha256,
    manifest_sha256: sha256(bytes),
    catalog_hash: catalogHash(manifest, bucket.url),
  }
  const isSameCatalog =
    state.manifest_sha256 === next.manifest_sha256 && state.catalog_hash === next.catalog_hash
  if (!objects.has(CATALOG) || !isSameCatalog) await bringCatalog(bucket, home, manifest, effects)
  const swept = await sweepBucket(
    bucket,
    new Set([...objects.keys(), ...local]),
    { manifest, local, since: state.unneeded },
    retainDays,
    effects,
  )
  const final = { ...next, unneeded: swept.unneeded }
  if (JSON.stringify(final) !== JSON.stringify(state)) await writeState(bucket, final)
  const logFiles = lags.reduce((sum, lag) => sum + lag.entries.length + lag.checkpoints.length, 0)
  return {
    url: bucket.url,
    publication: manifest.publication,
    publishedAt: manifest.published_at,
    written: files + logFiles,
    removed: swept.removed,
    requests: bucket.traffic.requests,
    bytesSent: bucket.traffic.sent,
  }
}

/** @throws OtherPublisherError if the bucket has tables of another home, or a later publication than this home */
function requireOwn(bucket: Bucket, former: Manifest | undefined, manifest: Manifest): void {
  if (!former) return
  const ids = new Map(manifest.relations.map(({ name, table_id }) => [name, table_id]))
  const isOwn = former.relations.every(({ name, table_id }) => (ids.get(name) ?? table_id) === table_id)
  if (!isOwn || former.publication > manifest.publication) throw otherPublisher(bucket, MANIFEST)
}

/** Data files first: no log ever names a file that is not there. Files are named by what they hold. */
async function bringFiles(
  bucket: Bucket,
  lake: string,
  local: readonly string[],
  objects: BucketObjects,
): Promise<number> {
  const limit = pLimit(UPLOADS)
  const missing: string[] = []
  for (const path of local.filter(isDataFile)) {
    const { size } = await stat(join(lake, path))
    if (objects.get(path) !== size) missing.push(path)
  }
  let failure: unknown
  const send = async (path: string): Promise<void> => {
    // After one failure the bucket is down: the rest of the queue is left to the next run.
    if (failure !== undefined) return
    await bucket.upload(path, join(lake, path)).catch((error: unknown) => {
      failure ??= error
    })
  }
  await Promise.all(missing.map((path) => limit(send, path)))
  if (failure !== undefined) throw failure
  return missing.length
}

async function bringManifest(bucket: Bucket, bytes: Buffer, former: StoredObject | undefined): Promise<void> {
  if (former && bytes.equals(former.bytes)) return
  if (!(await bucket.replace(MANIFEST, bytes, former))) throw otherPublisher(bucket, MANIFEST)
}

/**
 * The DuckLake for readers of the bucket: that of this machine, with the bucket's address.
 *
 * @param former SHA-256 of the one of which the bucket has a copy
 * @returns SHA-256 of the one of which it has a copy now; empty if this home has none, which the next publication writes
 */
async function bringDuckLake(
  bucket: Bucket,
  home: string,
  former: string,
  effects: Effects,
): Promise<string> {
  const file = join(home, DUCKLAKE)
  if (!existsSync(file)) return ''
  const sha256 = await hashFile(file)
  if (sha256 === former) return sha256
  using folder = openTempFolder(home)
  const copy = join(folder.path, DUCKLAKE)
  await copyDuckLake(file, copy, `${bucket.url}/`, effects)
  await bucket.upload(DUCKLAKE, copy)
  return sha256
}

/** The catalog for readers of the bucket: its views read the bucket's address. */
async function bringCatalog(
  bucket: Bucket,
  home: string,
  manifest: Manifest,
  effects: Effects,
): Promise<void> {
  using folder = openTempFolder(home)
  const catalog = join(folder.path, CATALOG)
  const options = { isNew: true, boundTo: join(home, 'lake') }
  await writeCatalog(manifest, bucket.url, catalog, options, effects)
  await bucket.upload(CATALOG, catalog)
}

/** Object of a bucket that its publisher alone reads; written last. */
const STATE = 'bucket.json'

const stateSchema = z.object({
  format: z.literal('candlehouse-bucket'),
  /** SHA-256 of the manifest that the catalog shows. */
  manifest_sha256: z.string(),
  /** What the catalog was made of, beside its files. */
  catalog_hash: z.string(),
  /** SHA-256 of the DuckLake on the machine, of which the bucket has a copy with its own address. */
  ducklake_sha256: z.string().default(''),
  /** Files that the manifest no longer needs: since when, ISO 8601. */
  unneeded: z.record(z.string(), z.string()),
})

type BucketState = z.infer<typeof stateSchema>

const EMPTY_STATE: BucketState = {
  format: 'candlehouse-bucket',
  manifest_sha256: '',
  catalog_hash: '',
  ducklake_sha256: '',
  unneeded: {},
}

/** The state, empty where it is missing or damaged: then the catalog is written again, and every wait begins again. */
async function readState(bucket: Bucket): Promise<BucketState> {
  const object = await bucket.read(STATE)
  if (!object) return EMPTY_STATE
  try {
    return stateSchema.parse(JSON.parse(Buffer.from(object.bytes).toString('utf8')))
  } catch {
    return EMPTY_STATE
  }
}

async function writeState(bucket: Bucket, state: BucketState): Promise<void> {
  await bucket.write(STATE, Buffer.from(`${JSON.stringify(state)}\n`))
}
