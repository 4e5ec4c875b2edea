import { BucketError, OtherPublisherError } from 'candlehouse-foundation/errors'
import { writeLastBucket } from '../../night/last-bucket.js'
import type { BucketPublication } from '../../publish/bucket/bring.js'
import type { Settings } from '../../settings/index.js'
import type { RunIo } from './run-io.js'
import type { RunReport } from './run-report.js'

/**
 * Publishes the lake to the bucket of the settings, if there is one. The lake on this machine is published by then: a bucket
 * that is down or refuses ends the run with 4, one that another home publishes to with 75, and the next run brings what is
 * missing. `logs/last-bucket.json` has how it went.
 */
export async function publishToBucket(settings: Settings, report: RunReport, io: RunIo): Promise<void> {
  const { home, bucket } = settings
  if (bucket.url === undefined) return
  const { url } = bucket
  try {
    const { publication, publishedAt, written, removed, requests, bytesSent } = await bring(settings, url, io)
    await writeLastBucket(home, { url, publication, publishedAt, failure: null }, io.effects)
    report.notes.push(
      written + removed === 0
        ? `${url} has publication ${publication}`
        : `${url}: publication ${publication}, ${written} files written, ${removed} removed, ${requests} requests, ${(bytesSent / 1e6).toFixed(1)} MB sent`,
    )
  } catch (error) {
    if (!(error instanceof BucketError || error instanceof OtherPublisherError)) throw error
    await writeLastBucket(home, { url, failure: error.message }, io.effects)
    const hint = error.hint === undefined || error.hint.startsWith('candlehouse ') ? '' : `: ${error.hint}`
    report.addProblems([`${error.message}${hint}`], { kind: 'bucket' })
    report.exitCode =
      error instanceof OtherPublisherError ? error.exitCode : Math.max(report.exitCode ?? 0, 4)
  }
}

/** Loaded only here: a run without a bucket starts without what speaks to one. */
async function bring(settings: Settings, url: string, io: RunIo): Promise<BucketPublication> {
  const { home, bucket, retainDays } = settings
  if (bucket.urlRedirection !== undefined)
    throw new BucketError(bucket.urlRedirection, {
      hint: 'nothing was sent; set CANDLEHOUSE_LAKE_URL in the environment, or keep it in .env together with the keys and the home',
    })
  const { bucketAccess } = await import('../../bucket/bucket-access.js')
  const { Bucket } = await import('../../bucket/bucket.js')
  const { bringToBucket } = await import('../../publish/bucket/bring.js')
  const opened = new Bucket(bucketAccess(url, bucket), io.signal, io.effects)
  return await bringToBucket(opened, home, retainDays, io.effects)
}
