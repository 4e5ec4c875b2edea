import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import {
  ask,
  candleWalk,
  evening,
  filesBelow,
  liveFiles,
  publishTest,
  summaryWalk,
} from '../support/published.js'

const DAY_MS = 86_400_000

async function publishedHome(...days: string[]): Promise<{ home: string; warehouse: Database }> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  for (const day of days) await loadWalks(warehouse, home, [candleWalk('HPG', day, ['09:15:00'])])
  await publishTest(warehouse, home)
  return { home, warehouse }
}

const sessions = (home: string) =>
  ask(home, `SELECT trading_date AS day FROM market.candle WHERE timeframe = '1m' ORDER BY 1`)

/** Parquet files of candles on disk, live or kept. */
function candleFiles(home: string): string[] {
  const folder = join(home, 'lake', 'market', 'candle')
  return filesBelow(folder)
    .filter((file) => file.endsWith('.parquet'))
    .map((file) => join(folder, file))
}

/** Makes files as old as the fake clock believes they are. */
function date(lake: string, at: number): void {
  for (const file of filesBelow(lake)) utimesSync(join(lake, file), at / 1000, at / 1000)
}

describe('a lake that lost a file', () => {
  test('gets a session of the open month and a closed month back with the next publication; everything, if all files are missing, and a whole relation too', async () => {
    const days = ['2025-02-27', '2025-02-28', '2025-03-13', '2025-03-14']
    const { home, warehouse } = await publishedHome(...days)
    const before = await liveFiles(home, 'market.candle')
    expect(Object.keys(before)).toEqual(['2025-02', '2025-03-13', '2025-03-14'])
    const lost = ['2025-02', '2025-03-13'].map((partition) => join(home, 'lake', before[partition] ?? ''))
    for (const file of lost) rmSync(file)
    // Files are named by what they hold: the same rows are the same file, and no version changes.
    expect(await publishTest(warehouse, home)).toMatchObject({ id: 1, partitions: 0 })
    expect(await liveFiles(home, 'market.candle')).toEqual(before)
    expect(lost.filter((file) => !existsSync(file))).toEqual([])
    expect(await sessions(home)).toEqual(days.map((day) => ({ day })))

    rmSync(join(home, 'lake'), { recursive: true })
    rmSync(join(home, 'catalog.duckdb'))
    await publishTest(warehouse, home)
    expect(Object.keys(await liveFiles(home, 'market.candle'))).toEqual(Object.keys(before))
    expect(await sessions(home)).toEqual(days.map((day) => ({ day })))

    rmSync(join(home, 'lake', 'ops', 'request'), { recursive: true })
    await publishTest(warehouse, home)
    expect(await ask(home, 'SELECT count(*) AS n FROM ops.request')).toEqual([{ n: '4' }])
  })
})

test('a file that has its size and cannot be read: the publication that reads it compares all, and writes it again', async () => {
  const { home, warehouse } = await publishedHome('2025-02-28')
  await loadWalks(warehouse, home, [summaryWalk('2025-03-14', 'HPG')])
  await publishTest(warehouse, home)
  const file = join(home, 'lake', Object.values(await liveFiles(home, 'market.daily_summary'))[0] ?? '')
  writeFileSync(file, Buffer.alloc(statSync(file).size, 'x'))
  // The catalog is written anew, and reads the latest session for it.
  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-17', ['09:15:00'])])
  const { repaired } = await publishTest(warehouse, home)
  expect(repaired.files).toBe(1)
  expect(await ask(home, 'SELECT symbol FROM market.daily_summary')).toEqual([{ symbol: 'HPG' }])
})

describe('an interrupted publication', () => {
  test('between ledger and catalog: the next publication writes the catalog, or replaces the old one or what is not a database; before the ledger: readers keep the old state, and the next publication writes everything', async () => {
    const { home, warehouse } = await publishedHome('2025-03-14')
    const catalog = join(home, 'catalog.duckdb')
    rmSync(catalog)
    expect(await publishTest(warehouse, home)).toMatchObject({ id: 1, partitions: 0 })
    expect(await sessions(home)).toEqual([{ day: '2025-03-14' }])

    rmSync(catalog)
    writeFileSync(catalog, 'torn'.repeat(5000))
    await publishTest(warehouse, home)
    expect(await sessions(home)).toEqual([{ day: '2025-03-14' }])

    const old = join(home, 'old')
    copyFileSync(catalog, old)
    await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-17', ['09:15:00'])])
    await publishTest(warehouse, home)
    renameSync(old, catalog)
    expect(await sessions(home)).toEqual([{ day: '2025-03-14' }])

    expect(await publishTest(warehouse, home)).toMatchObject({ id: 2, partitions: 0 })
    expect(await sessions(home)).toEqual([{ day: '2025-03-14' }, { day: '2025-03-17' }])

    await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-18', ['09:15:00'])])
    // A folder where the last file of the publication is written: COPY fails.
    const inTheWay = join(home, 'lake', 'ops', 'publication', `all.${process.pid}.tmp`)
    mkdirSync(inTheWay)
    await expect(publishTest(warehouse, home)).rejects.toThrow(StorageError)
    expect(await sessions(home)).toEqual([{ day: '2025-03-14' }, { day: '2025-03-17' }])
    expect(await warehouse.column('SELECT max(publication_id) FROM ops.publication')).toEqual([2n])

    rmdirSync(inTheWay)
    expect(await publishTest(warehouse, home)).toMatchObject({ id: 3 })
    expect(await sessions(home)).toEqual(['14', '17', '18'].map((day) => ({ day: `2025-03-${day}` })))
    expect(filesBelow(join(home, 'lake')).filter((file) => file.endsWith('.tmp'))).toEqual([])
  })
})

describe('sweeping', () => {
  test('temporary files of killed writers and files in no ledger and no log are removed at once; other files stay, and live ones also if they are old', async () => {
    const { home, warehouse } = await publishedHome('2025-02-27', '2025-03-14')
    const lake = filesBelow(join(home, 'lake'))
    const candle = join(home, 'lake', 'market', 'candle')
    const dead = [
      join(candle, '2025', '2025-03-14-00.parquet'),
      join(candle, '2025-03-14-000009.parquet.4711.tmp'),
    ]
    const others = [join(home, 'notes.tmp'), join(home, 'catalog.duckdb.bak'), join(candle, 'README.md')]
    for (const file of [...dead, ...others]) writeFileSync(file, 'half')
    await publishTest(warehouse, home)
    expect(dead.filter(existsSync)).toEqual([])
    expect(others.filter(existsSync)).toEqual(others)
    expect(filesBelow(join(home, 'lake'))).toEqual([...lake, 'market/candle/README.md'].sort())
    expect(await sessions(home)).toEqual([{ day: '2025-02-27' }, { day: '2025-03-14' }])

    const effects = evening()
    date(join(home, 'lake'), effects.now())
    const before = filesBelow(join(home, 'lake'))
    effects.advance(400 * DAY_MS)
    await publishTest(warehouse, home, effects)
    expect(filesBelow(join(home, 'lake'))).toEqual(before)
  })

  test('a replaced file stays for seven days after its replacement, then it is removed', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const effects = evening()
    await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-13', ['09:15:00'])])
    await publishTest(warehouse, home, effects)
    const lake = join(home, 'lake')
    const [replaced = ''] = candleFiles(home)
    date(lake, effects.now())

    effects.advance(30 * DAY_MS)
    await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-13', ['09:15:00', '09:16:00'])])
    await publishTest(warehouse, home, effects)
    expect(existsSync(replaced)).toBe(true)

    effects.advance(7 * DAY_MS - 1000)
    await publishTest(warehouse, home, effects)
    expect(existsSync(replaced)).toBe(true)

    effects.advance(2000)
    await publishTest(warehouse, home, effects)
    expect(existsSync(replaced)).toBe(false)
    expect(candleFiles(home)).toHaveLength(1)
    expect(
      await warehouse.rows(`SELECT publication_id AS id FROM ops.lake_file WHERE relation = 'market.candle'`),
    ).toEqual([{ id: 2n }])
    expect(await ask(home, `SELECT count(*) AS n FROM market.candle WHERE timeframe = '1m'`)).toEqual([
      { n: '2' },
    ])
  })
})
