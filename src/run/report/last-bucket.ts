import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders, writeWholeFile } from '../../disk-files.js'
import type { Effects } from '../../effects.js'
import { reasonOf } from '../../system-fault.js'

/** What a publication to a bucket knows of it afterwards. */
type Outcome =
  | { url: string; publication: number; publishedAt: string; failure: null }
  | { url: string; failure: string }

/**
 * Writes `logs/last-bucket.json`: `status` shows it without asking the bucket. A failure keeps the publication that the
 * bucket had before. An error is only a warning, as with `last-run.json`.
 */
export async function writeLastBucket(home: string, outcome: Outcome, effects: Effects): Promise<void> {
  const file = join(home, 'logs', 'last-bucket.json')
  const last = {
    ...(await publishedBefore(file, outcome.url)),
    ...outcome,
    at: new Date(effects.now()).toISOString(),
  }
  try {
    await makeFolders(join(home, 'logs'), 0o700, effects.disk)
    const text = `${JSON.stringify(last, null, 2)}\n`
    await writeWholeFile(file, text, { mode: 0o600, hint: 'free some space' }, effects.disk)
  } catch (error) {
    effects.log.warn(`${file} was not written: ${reasonOf(error)}`)
  }
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
