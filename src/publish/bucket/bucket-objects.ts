import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Bucket } from '../../bucket/bucket.js'
import { LOG } from '../../lake/delta/delta-log.js'
import { tablePath } from '../../lake/manifest.js'
import { tableNames } from '../../relations.js'

/** Objects of the bucket below its prefix: bytes by key. */
export type BucketObjects = Map<string, number>

export async function bucketObjects(bucket: Bucket): Promise<BucketObjects> {
  return new Map((await bucket.list()).map(({ key, bytes }) => [key, bytes]))
}

/** Whether a key is that of a file or a log of a lake's table: nothing else in a bucket is ever removed. */
export function isOfTable(key: string): boolean {
  const isPackaged = tableNames.some((name) => key.startsWith(`${tablePath(name)}/`))
  return (isPackaged || /^mine\/[a-z]\w*\//.test(key)) && /\.(parquet|json)$/.test(key)
}

/** Whether a key is that of a data file. */
export function isDataFile(key: string): boolean {
  return key.endsWith('.parquet') && !key.includes(`/${LOG}/`)
}

/** Files of the lake on this machine, relative to it, with `/`. */
export async function filesOf(lake: string): Promise<string[]> {
  const entries = await readdir(lake, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tmp'))
    .map((entry) => relative(lake, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}
