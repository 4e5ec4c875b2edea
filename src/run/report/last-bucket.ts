import { readFile } from 'node:fs/promises'
import type { Effects } from '../../effects.js'
import { logFile, writeLogFile } from '../../log-files.js'

const NAME = 'last-bucket.json'

/** What a publication to a bucket knows of it afterwards. */
type Outcome =
  | { url: string; publication: number; publishedAt: string; failure: null }
  | { url: string; failure: string }

/**
 * Writes `logs/last-bucket.json`: `status` shows it without asking the bucket. A failure keeps the publication that the
 * bucket had before.
 */
export async function writeLastBucket(home: string, outcome: Outcome, effects: Effects): Promise<void> {
  const last = {
    ...(await publishedBefore(logFile(home, NAME), outcome.url)),
    ...outcome,
    at: new Date(effects.now()).toISOString(),
  }
  await writeLogFile(home, NAME, last, effects)
}

/** The publication that the file has for this bucket. */
async function publishedBefore(
  file: string,
  bucket: string,
): Promise<{ publication: number | null; publishedAt: string | null }> {
  const none = { publication: null, publishedAt: null }
  try {
    const { url, publication, publishedAt } = JSON.parse(await readFile(file, 'utf8'))
    return url === bucket ? { publication, publishedAt } : none
  } catch {
    return none
  }
}
