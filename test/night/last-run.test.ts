import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { logFile } from '../../src/home/log-files.js'
import { readLastBucket, writeLastBucket } from '../../src/night/last-bucket.js'
import { readLastRun, readLastRuns, writeLastRun } from '../../src/night/last-run.js'
import type { RunSummary } from '../../src/night/summary.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'

const nightly = { job: 'nightly', runId: 'first' } as RunSummary
const repair = { job: 'repair', runId: 'second' } as RunSummary

test('a run after the night does not hide how the night ended', async () => {
  const home = temporaryFolder()
  expect(readLastRun(home)).toBeNull()
  expect(readLastRuns(home)).toEqual({ nightly: null, later: null })
  await writeLastRun(home, nightly, fakeEffects())
  expect(readLastRuns(home)).toEqual({ nightly, later: null })
  await writeLastRun(home, repair, fakeEffects())
  expect(readLastRun(home)).toEqual(repair)
  expect(readLastRuns(home)).toEqual({ nightly, later: repair })
})

test('a home of an earlier version has the last run only, and a power failure may leave that empty', () => {
  const home = temporaryFolder()
  const file = logFile(home, 'last-run.json')
  mkdirSync(dirname(file))
  writeFileSync(file, JSON.stringify(nightly))
  expect(readLastRuns(home)).toEqual({ nightly, later: null })
  writeFileSync(file, '')
  expect(readLastRuns(home)).toEqual({ nightly: null, later: null })
})

test('a bucket that refuses keeps what was published to it; another bucket has nothing yet', async () => {
  const home = temporaryFolder()
  const effects = fakeEffects(Date.parse('2025-03-14T11:30:00Z'))
  const [url, publishedAt, at] = ['s3://lake', '2025-03-14T11:29:00Z', '2025-03-14T11:30:00.000Z']
  await writeLastBucket(home, { url, publication: 7, publishedAt, failure: null }, effects)
  await writeLastBucket(home, { url, failure: 'it refuses' }, effects)
  const last = { publication: 7, publishedAt, url, failure: 'it refuses', at }
  expect(readLastBucket(home)).toEqual(last)
  expect(readFileSync(logFile(home, 'last-bucket.json'), 'utf8')).toBe(`${JSON.stringify(last, null, 2)}\n`)
  await writeLastBucket(home, { url: 's3://other', failure: 'it refuses' }, effects)
  expect(readLastBucket(home)).toMatchObject({ publication: null, publishedAt: null, url: 's3://other' })
})
