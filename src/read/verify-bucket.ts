import { createHash } from 'node:crypto'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { Bucket } from '../bucket/bucket.js'
import { DUCKLAKE } from '../lake/ducklake.js'
import { MANIFEST, type Manifest, parseManifest } from '../lake/manifest.js'
import { CONTENT_DIFFERS, sizeDiffers, type Verification, type VerifySteps, verifyPlace } from './verify.js'
import { compareDuckLake } from './verify-ducklake.js'

/**
 * As `verifyLake`, for a lake in a bucket: reads every object that the manifest names.
 *
 * @param folder an empty folder for the logs
 * @throws StorageError if the bucket cannot be read or has no manifest
 */
export async function verifyBucket(
  bucket: Bucket,
  folder: string,
  steps: VerifySteps,
): Promise<Verification> {
  const manifest = await manifestOf(bucket)
  return await verifyPlace(
    {
      lake: bucket.url,
      manifest,
      logs: folder,
      compare: async (path, sha256, bytes) => compare(await hashOf(bucket, path), sha256, bytes),
      compareLogFile: async (path, sha256) => compare(await hashOf(bucket, path, join(folder, path)), sha256),
      compareDuckLake: async () => ({
        path: DUCKLAKE,
        wrong: await wrongDuckLake(bucket, folder, manifest),
      }),
    },
    steps,
  )
}

async function wrongDuckLake(
  bucket: Bucket,
  folder: string,
  manifest: Manifest,
): Promise<string | undefined> {
  const file = join(folder, DUCKLAKE)
  if (!(await hashOf(bucket, DUCKLAKE, file))) return undefined
  const keys = new Set((await bucket.list()).map(({ key }) => key))
  return await compareDuckLake(file, bucket.url, manifest, (path) => keys.has(path))
}

/** @throws StorageError (6) if there is none, or if it is damaged */
export async function manifestOf(bucket: Bucket): Promise<Manifest> {
  const object = await bucket.read(MANIFEST)
  const manifest = object && parseManifest(Buffer.from(object.bytes).toString('utf8'))
  if (manifest) return manifest
  throw new StorageError(`${bucket.url} has no candlehouse lake: ${MANIFEST} is missing or unreadable`, {
    hint: `CANDLEHOUSE_LAKE_URL=${bucket.url} candlehouse publish`,
  })
}

interface Described {
  readonly sha256: string
  readonly bytes: number
}

/** @param file where a copy of the object is written */
async function hashOf(bucket: Bucket, path: string, file?: string): Promise<Described | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  if (file !== undefined) {
    await mkdir(dirname(file), { recursive: true })
    await rm(file, { force: true })
  }
  const isThere = await bucket.readParts(path, async (part) => {
    hash.update(part)
    bytes += part.length
    if (file !== undefined) await appendFile(file, part)
  })
  return isThere ? { sha256: hash.digest('hex'), bytes } : undefined
}

function compare(there: Described | undefined, sha256: string, bytes = there?.bytes): string | undefined {
  if (!there) return 'missing'
  if (there.bytes !== bytes) return sizeDiffers(there.bytes, bytes)
  return there.sha256 === sha256 ? undefined : CONTENT_DIFFERS
}
