import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BucketError, OtherPublisherError } from 'candlehouse-foundation/errors'
import { beforeAll, describe, expect, test } from 'vitest'
import { Bucket } from '../../src/bucket/bucket.js'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import type { Action } from '../../src/lake/delta/actions.js'
import { DUCKLAKE } from '../../src/lake/ducklake.js'
import { MANIFEST, parseManifest } from '../../src/lake/manifest.js'
import { type BucketPublication, bringToBucket } from '../../src/publish/bucket/bring.js'
import { verifyBucket } from '../../src/read/verify-bucket.js'
import { ACCESS, FakeBucket, type Fault } from '../support/bucket.js'
import { onEnd } from '../support/cleanup.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { LONG } from '../support/long.js'
import { candleWalk, evening, filesBelow, publishTest } from '../support/published.js'

const DAY_MS = 86_400_000
const signal = new AbortController().signal

/** A home after two publications, and a copy of it after the first one. */
let before: string
let home: string
let warehouse: Database

beforeAll(async () => {
  home = temporaryFolder()
  warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-13', ['09:15:00'])])
  await publishTest(warehouse, home)
  before = temporaryFolder()
  cpSync(join(home, 'lake'), join(before, 'lake'), { recursive: true })
  cpSync(join(home, DUCKLAKE), join(before, DUCKLAKE))
  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-14', ['09:15:00'])])
  await publishTest(warehouse, home)
})

async function bring(
  fake: FakeBucket,
  folder = home,
  { retainDays = 7, effects = evening() } = {},
): Promise<BucketPublication> {
  return await bringToBucket(new Bucket(ACCESS, signal, fake.through(effects)), folder, retainDays, effects)
}

/** Buckets to which a folder was brought, by folder: brought once, and only read. */
const brought = new Map<string, FakeBucket>()

/** A bucket to which a folder was brought. */
async function filled(folder: string): Promise<FakeBucket> {
  const first = brought.get(folder) ?? new FakeBucket(20)
  if (!brought.has(folder)) await bring(first, folder)
  brought.set(folder, first)
  return copyOf(first)
}

function copyOf({ objects }: FakeBucket): FakeBucket {
  const copy = new FakeBucket(20)
  for (const [key, content] of objects) copy.objects.set(key, content)
  return copy
}

/** What a reader of the bucket meets: the publication, and whatever a manifest or a log names and the bucket lacks. */
function seen(fake: FakeBucket): { publication: number | undefined; missing: string[] } {
  const manifest = parseManifest(String(fake.objects.get(`lake/${MANIFEST}`) ?? ''))
  const named = (manifest?.relations ?? []).flatMap(({ files, log }) =>
    [...files, ...log].map(({ path }) => path),
  )
  for (const [key, content] of fake.objects) {
    const [, table] = /^lake\/(.*)\/_delta_log\/\d+\.json$/.exec(key) ?? []
    if (table === undefined) continue
    const actions = String(content)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Action)
    named.push(...actions.flatMap(({ add }) => (add ? `${table}/${add.path}` : [])))
  }
  return {
    publication: manifest?.publication,
    missing: named.filter((path) => !fake.objects.has(`lake/${path}`)),
  }
}

async function findings(fake: FakeBucket): Promise<unknown[]> {
  const bucket = new Bucket(ACCESS, signal, fake.through(fakeEffects()))
  return (await verifyBucket(bucket, temporaryFolder(), { onTable() {}, signal })).findings
}

async function readOnly(file: string): Promise<Database> {
  const database = await openDatabase(file, { readOnly: true })
  onEnd(() => database.close())
  return database
}

/** Objects of the bucket that are tables' own; a publisher's other objects are catalog and state. */
function tableObjects(fake: FakeBucket): string[] {
  return [...fake.objects.keys()]
    .map((key) => key.slice('lake/'.length))
    .filter((key) => key.includes('/'))
    .sort()
}

const lakeFiles = (folder: string): string[] =>
  filesBelow(join(folder, 'lake')).filter((file) => file.includes('/'))

/** Keys that were written, in order; the hashes in names of files left out. */
const written = (fake: FakeBucket): string[] => fake.writes().map(({ key }) => key.slice('lake/'.length))

describe('a publication to a bucket', () => {
  test('brings data files, then log entries from ops.publication on, then DuckLake, manifest, catalog and state', async () => {
    const fake = await filled(before)
    expect(await bring(fake)).toMatchObject({ publication: 2, removed: 0, url: 's3://desk/lake' })
    const keys = written(fake)
    const kind = (key: string): string =>
      key.includes('_delta_log') ? 'entry' : key.endsWith('.parquet') ? 'file' : key
    expect([...new Set(keys.map(kind))]).toEqual([
      'file',
      'entry',
      DUCKLAKE,
      MANIFEST,
      'catalog.duckdb',
      'bucket.json',
    ])
    expect(keys.map(kind).join()).toMatch(/^(file,)+(entry,)+lake.ducklake,manifest/)
    expect(keys.find((key) => kind(key) === 'entry')).toMatch(/^ops\/publication\//)
    const conditions = fake.writes().filter(({ key }) => key.includes('_delta_log'))
    expect(conditions.every(({ headers }) => headers.get('if-none-match') === '*')).toBe(true)
    expect(tableObjects(fake)).toEqual(lakeFiles(home))
    expect(await findings(fake)).toEqual([])
  })

  test('asks three times and writes nothing where nothing has changed', async () => {
    const fake = await filled(home)
    await bring(fake)
    expect(fake.writes()).toEqual([])
    // The list is cut into pages of 20 here.
    expect(fake.requests.filter(({ key }) => key !== '')).toHaveLength(2)
  })

  test('restores what the bucket lost or has in another size, a catalog and a DuckLake that reads the bucket', async () => {
    const fake = await filled(home)
    const files = [...fake.objects.keys()].filter((key) => /candle\/.*\/2025.*parquet$/.test(key))
    expect(files).toHaveLength(2)
    fake.objects.delete(files[0] ?? '')
    fake.objects.set(files[1] ?? '', Buffer.from('cut'))
    fake.objects.delete('lake/catalog.duckdb')
    fake.objects.delete(`lake/${DUCKLAKE}`)
    expect((await findings(fake)).length).toBe(2)
    await bring(fake)
    expect(await findings(fake)).toEqual([])
    expect(fake.objects.has('lake/catalog.duckdb')).toBe(true)
    const copy = join(temporaryFolder(), DUCKLAKE)
    writeFileSync(copy, fake.objects.get(`lake/${DUCKLAKE}`) ?? '')
    const [path] = await (await readOnly(copy)).rows(
      "SELECT value FROM ducklake_metadata WHERE key = 'data_path'",
    )
    expect(path).toEqual({ value: 's3://desk/lake/' })
  })
})

/** Kills after so many writes: the last one arrived or not, nothing comes after it. */
function killAt(fake: FakeBucket, write: number, how: Fault): void {
  let isDead = false
  fake.fault = () => {
    if (isDead) return 403
    if (fake.writes().length < write) return undefined
    isDead = true
    return how === 'lost before' ? 403 : undefined
  }
}

describe('a publication that is killed', () => {
  test('before or after a write leaves the state before or after; the next one brings the rest', async () => {
    const whole = await filled(before)
    await bring(whole)
    const keys = written(whole)
    const firstEntry = keys.findIndex((key) => key.includes('_delta_log'))
    const manifest = keys.indexOf(MANIFEST)
    const points = LONG
      ? keys.flatMap((_, index) => [[index, 'lost before'] as const, [index, 'lost after'] as const])
      : ([
          [firstEntry, 'lost before'],
          [firstEntry, 'lost after'],
          [manifest, 'lost before'],
          [manifest, 'lost after'],
        ] as const)
    const base = await filled(before)
    for (const [point, how] of points) {
      const fake = copyOf(base)
      killAt(fake, point + 1, how)
      await bring(fake).catch((error: unknown) => expect(error).toBeInstanceOf(BucketError))
      const isAfter = point > manifest || (point === manifest && how === 'lost after')
      expect(seen(fake), `${how} ${keys[point]}`).toEqual({ publication: isAfter ? 2 : 1, missing: [] })
      fake.fault = () => undefined
      await bring(fake)
      expect(seen(fake)).toEqual({ publication: 2, missing: [] })
      expect(tableObjects(fake)).toEqual(lakeFiles(home))
      expect(fake.objects.get('lake/manifest.json')).toEqual(whole.objects.get('lake/manifest.json'))
    }
  })
})

describe('two publishers', () => {
  test('one wins, the other says so and has changed no table; the winner goes on', async () => {
    const fake = await filled(before)
    const other = temporaryFolder()
    cpSync(home, other, { recursive: true })
    const rival = await openTestWarehouse(other)
    await loadWalks(rival, other, [candleWalk('VNM', '2025-03-17', ['09:15:00'])])
    // Not at the same millisecond: their entries differ.
    await publishTest(rival, other, fakeEffects(evening().now() + 1))
    await loadWalks(warehouse, home, [candleWalk('FPT', '2025-03-17', ['09:15:00'])])
    await publishTest(warehouse, home)

    const ends = await Promise.allSettled([bring(fake), bring(fake, other)])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [winner, loser] = ends[0]?.status === 'fulfilled' ? [home, other] : [other, home]
    const lost = ends.find((end): end is PromiseRejectedResult => end.status === 'rejected')
    expect(lost?.reason).toBeInstanceOf(OtherPublisherError)
    expect(String(lost?.reason)).toMatch(
      /another home has published to s3:\/\/desk\/lake: version 2 of ops.publication there is not ours$/,
    )
    expect(seen(fake)).toEqual({ publication: 3, missing: [] })
    expect(await findings(fake)).toEqual([])
    await expect(bring(fake, loser)).rejects.toThrow(OtherPublisherError)
    await bring(fake, winner)
    expect(await findings(fake)).toEqual([])
    expect(existsSync(join(loser, 'lake', MANIFEST))).toBe(true)
  })

  test('a home that was copied and stayed behind does not take the bucket back', async () => {
    const fake = await filled(home)
    await expect(bring(fake, before)).rejects.toThrow(OtherPublisherError)
    expect(fake.writes()).toEqual([])
  })

  test('a home of its own does not publish over another one', async () => {
    const fake = await filled(before)
    const other = temporaryFolder()
    const rival = await openTestWarehouse(other)
    await publishTest(rival, other)
    await expect(bring(fake, other)).rejects.toThrow(OtherPublisherError)
    expect(fake.writes()).toEqual([])
  })
})

describe('the sweep of a bucket', () => {
  test('keeps what was replaced for the days to retain, counted from when the bucket was changed', async () => {
    const folder = temporaryFolder()
    const own = await openTestWarehouse(folder)
    const effects = evening()
    const later = async (days: number): Promise<BucketPublication> => {
      effects.advance(days * DAY_MS)
      await publishTest(own, folder, effects)
      return await bring(fake, folder, { effects })
    }
    const fake = new FakeBucket()
    await loadWalks(own, folder, [candleWalk('HPG', '2025-03-13', ['09:15:00'])])
    await later(0)
    const replaced = tableObjects(fake).filter((key) => /^market\/candle\/[^_].*parquet$/.test(key))
    expect(replaced).toHaveLength(1)
    await loadWalks(own, folder, [candleWalk('HPG', '2025-03-13', ['09:15:00', '09:16:00'])])
    effects.advance(DAY_MS)
    // Published on this machine while the bucket is down.
    await publishTest(own, folder, effects)
    const kept = () => tableObjects(fake).filter((key) => replaced.includes(key))
    expect(await later(5)).toMatchObject({ removed: 0 })
    expect(await later(6)).toMatchObject({ removed: 0 })
    expect(kept()).toEqual(replaced)
    expect((await later(1)).removed).toBeGreaterThan(0)
    expect(kept()).toEqual([])
    expect(tableObjects(fake)).toEqual(lakeFiles(folder))
    expect(await findings(fake)).toEqual([])
    expect((await later(1)).removed).toBe(0)
  })

  test('never removes what is not of a table', async () => {
    const fake = await filled(home)
    fake.objects.set('lake/notes.parquet', Buffer.from('x'))
    fake.objects.set('lake/market/candle/README.txt', Buffer.from('x'))
    fake.objects.set('lake/market/candle/orphan.parquet', Buffer.from('x'))
    await bring(fake, home, { retainDays: 0 })
    expect(tableObjects(fake).filter((key) => /README|orphan/.test(key))).toEqual([
      'market/candle/README.txt',
    ])
    expect(fake.objects.has('lake/notes.parquet')).toBe(true)
  })
})

// Eleven publications: two seconds that only `make soak` takes.
test.runIf(LONG)(
  'a kill between a checkpoint and the pointer to it leaves the pointer to the next run',
  async () => {
    const folder = temporaryFolder()
    const own = await openTestWarehouse(folder)
    const fake = new FakeBucket()
    const pointer = 'lake/market/candle/_delta_log/_last_checkpoint'
    for (let minute = 0; minute < 11; minute += 1) {
      const times = Array.from({ length: minute + 1 }, (_, each) => `09:${15 + each}:00`)
      await loadWalks(own, folder, [candleWalk('HPG', '2025-03-13', times)])
      await publishTest(own, folder)
      if (minute === 9) await bring(fake, folder)
    }
    fake.fault = ({ key }) => (key === pointer ? 403 : undefined)
    await expect(bring(fake, folder)).rejects.toThrow(BucketError)
    expect([...fake.objects.keys()].filter((key) => /candle.*checkpoint/.test(key))).toHaveLength(1)
    fake.fault = () => undefined
    await bring(fake, folder)
    expect(String(fake.objects.get(pointer))).toMatch(/"version":10/)
    expect(tableObjects(fake)).toEqual(lakeFiles(folder))
    fake.requests.length = 0
    await bring(fake, folder)
    expect(fake.writes()).toEqual([])
  },
)

// Twelve publications: two seconds that only `make soak` takes.
test.runIf(LONG)(
  'a bucket that was away while the log on this machine was swept goes on from a checkpoint',
  async () => {
    const folder = temporaryFolder()
    const own = await openTestWarehouse(folder)
    const effects = evening()
    const fake = new FakeBucket()
    const times = Array.from({ length: 12 }, (_, minute) => `09:${15 + minute}:00`)
    for (const [index] of times.entries()) {
      await loadWalks(own, folder, [candleWalk('HPG', '2025-03-13', times.slice(0, index + 1))])
      effects.advance(8 * DAY_MS)
      await publishTest(own, folder, effects)
      if (index === 0) await bring(fake, folder, { effects })
    }
    const entries = lakeFiles(folder).filter((file) => /^ops\/publication\/_delta_log\/\d+\.json$/.test(file))
    expect(entries[0]).toMatch(/0010\.json$/)
    await bring(fake, folder, { effects })
    expect(await findings(fake)).toEqual([])
    expect(seen(fake).publication).toBe(12)
    expect(String(fake.objects.get('lake/ops/publication/_delta_log/_last_checkpoint'))).toMatch(
      /"version":10/,
    )
  },
)
