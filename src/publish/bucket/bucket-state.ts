import { z } from 'zod'
import type { Bucket } from '../../bucket/bucket.js'

/** Object of a bucket that its publisher alone reads; written last. */
export const STATE = 'bucket.json'

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

export type BucketState = z.infer<typeof stateSchema>

export const EMPTY_STATE: BucketState = {
  format: 'candlehouse-bucket',
  manifest_sha256: '',
  catalog_hash: '',
  ducklake_sha256: '',
  unneeded: {},
}

/** The state, empty where it is missing or damaged: then the catalog is written again, and every wait begins again. */
export async function readState(bucket: Bucket): Promise<BucketState> {
  const object = await bucket.read(STATE)
  if (!object) return EMPTY_STATE
  try {
    return stateSchema.parse(JSON.parse(Buffer.from(object.bytes).toString('utf8')))
  } catch {
    return EMPTY_STATE
  }
}

export async function writeState(bucket: Bucket, state: BucketState): Promise<void> {
  await bucket.write(STATE, Buffer.from(`${JSON.stringify(state)}\n`))
}
