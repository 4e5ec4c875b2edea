import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Bucket } from '../bucket/bucket.js'
import { openDatabase } from '../duckdb/open.js'
import { readerMemory } from '../duckdb/reader-limits.js'
import { StorageError } from '../errors.js'
import { readDeltaTable } from '../lake/delta/deltatable.js'
import { MANIFEST, type Manifest, parseManifest, tablePath } from '../lake/manifest.js'
import { compareLog, type Verification, type VerifySteps } from './verify.js'

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
  const findings: Verification['findings'] = []
  const database = await openDatabase(':memory:', { memoryLimit: readerMemory() })
  try {
    for (const relation of manifest.relations) {
      for (const { path, sha256, bytes } of relation.files) {
        const wrong = compare(await hashOf(bucket, path), sha256, bytes)
        if (wrong) findings.push({ path, wrong })
      }
      const findingsOfFiles = findings.length
      for (const { path, sha256 } of relation.log) {
        const object = await bucket.read(path)
        const wrong = compare(object && described(object.bytes), sha256)
        if (wrong) findings.push({ path, wrong })
        else if (object) await keep(join(folder, path), object.bytes)
      }
      const table = tablePath(relation.name)
      if (findings.length === findingsOfFiles) {
        const wrong = await compareLog(relation, (version) =>
          readDeltaTable(database, join(folder, table), version),
        )
        if (wrong) findings.push({ path: `${table}/_delta_log`, wrong })
      }
      steps.onTable(relation.name)
    }
  } finally {
    database.close()
  }
  return {
    lake: bucket.url,
    publication: manifest.publication,
    publishedAt: manifest.published_at,
    tables: manifest.relations.length,
    files: manifest.relations.reduce((sum, { files }) => sum + files.length, 0),
    bytes: manifest.relations.reduce((sum, { bytes }) => sum + bytes, 0),
    findings,
  }
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

async function hashOf(bucket: Bucket, path: string): Promise<Described | undefined> {
  const object = await bucket.read(path)
  return object && described(object.bytes)
}

function described(bytes: Uint8Array): Described {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
}

function compare(there: Described | undefined, sha256: string, bytes = there?.bytes): string | undefined {
  if (!there) return 'missing'
  if (there.bytes !== bytes) return `size is ${there.bytes} bytes, the manifest says ${bytes}`
  return there.sha256 === sha256 ? undefined : 'SHA-256 differs from the manifest'
}

async function keep(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, bytes)
}
