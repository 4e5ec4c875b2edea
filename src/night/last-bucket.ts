import type { Effects } from '../effects.js'
import { readLogFile, writeLogFile } from '../home/log-files.js'

const NAME = 'last-bucket.json'

/** How the last publication to the bucket went. Instants are ISO 8601, UTC. */
export interface LastBucket {
  readonly url: string
  /** What readers of the bucket see; null before its first publication. */
  readonly publication: number | null
  readonly publishedAt: string | null
  /** When it was last tried. */
  readonly at: string
  /** Why the last attempt failed; null where it did not. */
  readonly failure: string | null
}

/** What a publication to a bucket knows of it afterwards. */
type Outcome =
  | { url: string; publication: number; publishedAt: string; failure: null }
  | { url: string; failure: string }

/**
 * Writes `logs/last-bucket.json`: `status` shows it without asking the bucket. A failure keeps the publication that the
 * bucket had before.
 */
export async function writeLastBucket(home: string, outcome: Outcome, effects: Effects): Promise<void> {
  const before = readLastBucket(home)
  const { publication, publishedAt } =
    before?.url === outcome.url ? before : { publication: null, publishedAt: null }
  const at = new Date(effects.now()).toISOString()
  const last: LastBucket = { publication, publishedAt, ...outcome, at }
  await writeLogFile(home, NAME, last, effects)
}

/** Null where no bucket was ever published to. */
export function readLastBucket(home: string): LastBucket | null {
  return readLogFile(home, NAME)
}
