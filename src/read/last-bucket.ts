import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `logs/last-bucket.json`: how the last publication to the bucket went. Instants are ISO 8601, UTC. */
export interface LastBucket {
  url: string
  /** What readers of the bucket see; null before its first publication. */
  publication: number | null
  publishedAt: string | null
  /** When it was last tried. */
  at: string
  /** Why the last attempt failed; null where it did not. */
  failure: string | null
}

/** Null where no bucket was ever published to, or where the file is damaged. */
export function readLastBucket(home: string): LastBucket | null {
  const file = join(home, 'logs', 'last-bucket.json')
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LastBucket
  } catch {
    return null
  }
}
