import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { systemEffects } from '../../src/effects.js'
import { formOf } from '../../src/lake/lake-files.js'
import type { Publication } from '../../src/publish/index.js'
import { NOTHING_REPAIRED } from '../../src/publish/repairs.js'
import { relationOf } from '../../src/relations.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import {
  ask,
  candleWalk,
  evening,
  filesBelow,
  indexWalk,
  limitWalk,
  publicationsOf,
  publishTest,
  stamps,
} from '../support/published.js'

/** Loads one dull bar per session, one run each, and publishes. */
async function publishSessions(warehouse: Database, home: string, ...days: string[]): Promise<void> {
  for (const day of days) await loadWalks(warehouse, home, [candleWalk('HPG', day, ['09:15:00'])])
  await publishTest(warehouse, home)
}

interface Home {
  readonly home: string
  readonly warehouse: Database
}

/** A home with two indexes and these sessions. */
async function published(...days: string[]): Promise<Home> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [indexWalk('2025-03-13', 'VNINDEX', 'VN30')])
  await publishSessions(warehouse, home, ...days)
  return { home, warehouse }
}

async function withdraw(warehouse: Database, day: string): Promise<void> {
  await warehouse.run('DELETE FROM market.candle WHERE trading_date = ?::DATE', [day])
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('market.candle', ?)`, [day])
}

const oneMinute = "SELECT trading_date FROM market.candle WHERE timeframe = '1m' ORDER BY trading_date"

/** Days of the bars that readers see, one a bar of a day. */
async function sessions(home: string): Promise<string[]> {
  return [...new Set((await ask(home, oneMinute)).map(({ trading_date }) => String(trading_date)))]
}

const SESSIONS = ['2025-02-27', '2025-02-28', '2025-03-12', '2025-03-13']

/** The open month: files of sessions. */
async function expectSessionsOfOpenMonth({ home, warehouse }: Home): Promise<void> {
  expect(await publicationsOf(home, 'market.market_index')).toEqual({ all: 1 })
  expect(await publicationsOf(home, 'market.candle')).toEqual({
    '2025-02': 1,
    '2025-03-12': 1,
    '2025-03-13': 1,
  })
  const rows = await warehouse.rows(
    `SELECT DISTINCT trading_date FROM read_parquet('${home}/lake/market/candle/2025/2025-02-*.parquet') ORDER BY 1`,
  )
  expect(rows).toEqual([{ trading_date: '2025-02-27' }, { trading_date: '2025-02-28' }])

  const before = filesBelow(join(home, 'lake', 'market'))
  await publishSessions(warehouse, home, '2025-03-14')
  expect(filesBelow(join(home, 'lake', 'market')).filter((file) => !before.includes(file))).toEqual([
    expect.stringMatching(/^candle\/2025\/2025-03-14-[0-9a-f]{16}\.parquet$/),
    'candle/_delta_log/00000000000000000001.json',
  ])

  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-13', ['09:15:00', '09:16:00'])])
  await loadWalks(warehouse, home, [indexWalk('2025-03-14', 'VNINDEX', 'VN30', 'VN100')])
  await publishTest(warehouse, home)
  expect(await publicationsOf(home, 'market.candle')).toEqual({
    '2025-02': 1,
    '2025-03-12': 1,
    '2025-03-13': 3,
    '2025-03-14': 2,
  })
  expect(await publicationsOf(home, 'market.market_index')).toEqual({ all: 3 })
  expect(await publicationsOf(home, 'market.security')).toEqual({})
  expect(await ask(home, 'SELECT index_code FROM market.market_index ORDER BY ALL')).toEqual([
    { index_code: 'VN100' },
    { index_code: 'VN30' },
    { index_code: 'VNINDEX' },
  ])
}

/** A month closes; later corrections. */
async function expectClosedMonths({ home, warehouse }: Home): Promise<void> {
  await publishSessions(warehouse, home, '2025-04-01')
  expect(await publicationsOf(home, 'market.candle')).toEqual({
    '2025-02': 1,
    '2025-03': 4,
    '2025-04-01': 4,
  })
  expect(await sessions(home)).toEqual([...SESSIONS, '2025-03-14', '2025-04-01'])

  const restated = ['09:15:00', '27000', '27100', '26950', '27060', '1200', '32460000'] as const
  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-12', [restated])])
  await publishTest(warehouse, home)
  expect(await publicationsOf(home, 'market.candle')).toEqual({
    '2025-02': 1,
    '2025-03': 5,
    '2025-04-01': 4,
  })
  expect(
    await ask(home, "SELECT close FROM market.candle WHERE timeframe = '1m' AND trading_date = '2025-03-12'"),
  ).toEqual([{ close: '27060.000000' }])
  expect(await publicationsOf(home, 'market.revision')).toEqual({ '2025-06': 5 })

  await publishSessions(warehouse, home, '2025-03-11')
  expect(await publicationsOf(home, 'market.candle')).toEqual({
    '2025-02': 1,
    '2025-03': 6,
    '2025-04-01': 4,
  })
  expect(await sessions(home)).toContain('2025-03-11')
}

/** Sessions are withdrawn, in the end all of them. */
async function expectWithdrawn({ home, warehouse }: Home): Promise<void> {
  for (const day of ['2025-02-28', '2025-03-11', '2025-03-12', '2025-03-13', '2025-04-01'])
    await withdraw(warehouse, day)
  await publishTest(warehouse, home)
  expect(await sessions(home)).toEqual(['2025-02-27', '2025-03-14'])
  expect(await publicationsOf(home, 'market.candle')).toEqual({ '2025-02': 7, '2025-03': 7 })

  for (const day of ['2025-02-27', '2025-03-14']) await withdraw(warehouse, day)
  await publishTest(warehouse, home)
  expect(await sessions(home)).toEqual([])
  expect(await warehouse.rows('FROM ops.dirty_partition')).toEqual([])
}

describe('files of the lake', () => {
  test('the open month has one file per session, a closed month one file, a relation with layout whole one file; a new session writes one file of candles, however many are stored; a correction in the open month replaces only the file of its session; the first session of a new month merges the files of the month before; a correction and a late session replace only the file of their month; a closed month stays one file if the session after it is withdrawn; a relation that has become empty is published empty', async () => {
    const stage = await published(...SESSIONS)
    await expectSessionsOfOpenMonth(stage)
    await expectClosedMonths(stage)
    await expectWithdrawn(stage)
  })

  test('a home whose path looks like a file pattern works, and one that was moved is published at its new path', async () => {
    const base = temporaryFolder()
    const [old, moved] = [join(base, `it's [the] "home" of {all}, $& $$ 100%`), join(base, 'new')]
    const before = await openWarehouse(join(old, 'warehouse.duckdb'), systemEffects)
    await installParsers(before)
    await publishSessions(before, old, '2025-03-14')
    before.close()
    expect(await ask(old, oneMinute)).toEqual([{ trading_date: '2025-03-14' }])
    renameSync(old, moved)
    await expect(ask(moved, oneMinute)).rejects.toMatchObject({
      hint: expect.stringContaining('candlehouse publish'),
    })
    const after = await openWarehouse(join(moved, 'warehouse.duckdb'), systemEffects)
    await publishTest(after, moved)
    after.close()
    expect(await ask(moved, oneMinute)).toEqual([{ trading_date: '2025-03-14' }])
  })
})

describe('a publication', () => {
  const home = temporaryFolder()
  const files = `${home}/lake/market`
  let warehouse: Database
  let first: Publication
  beforeAll(async () => {
    warehouse = await openTestWarehouse(home)
    await loadWalks(warehouse, home, [
      indexWalk('2025-03-14', 'VNINDEX'),
      candleWalk('VNM', '2025-03-14', ['14:45:00', '09:15:00']),
      candleWalk('FPT', '2025-03-14', ['13:00:00', '09:16:00', '09:15:00']),
      candleWalk('FPT', '2025-03-14', ['00:00:00'], '1d'),
      candleWalk('FPT', '2025-03-14', ['09:15:00'], '5m'),
    ])
    for (const day of ['2025-03-14', '2025-03-13', '2025-04-01'])
      await loadWalks(warehouse, home, [limitWalk(day, 'VNM', 'FPT')])
    first = await publishTest(warehouse, home)
  })

  test('without changes writes no file, no row and no catalog', async () => {
    expect(first).toMatchObject({ id: 1, catalog: join(home, 'catalog.duckdb') })
    const lake = stamps(join(home, 'lake'))
    const catalog = stamps(home)['catalog.duckdb']
    const later = evening()
    later.advance(60_000)
    expect(await publishTest(warehouse, home, later)).toEqual({
      id: 1,
      partitions: 0,
      rows: 0,
      catalog: join(home, 'catalog.duckdb'),
      repaired: NOTHING_REPAIRED,
      failedTables: [],
    })
    expect(stamps(join(home, 'lake'))).toEqual(lake)
    expect(stamps(home)['catalog.duckdb']).toBe(catalog)
    expect(await warehouse.rows('SELECT count(*) AS n FROM ops.publication')).toEqual([{ n: 1n }])
  })

  test('reports the files and rows that it wrote', async () => {
    const written = filesBelow(join(home, 'lake')).filter((file) => file.endsWith('.parquet'))
    expect(first.partitions).toBe(written.length)
    const [read] = await warehouse.rows<{ n: bigint }>(
      `SELECT sum(num_rows)::BIGINT AS n FROM parquet_file_metadata('${home}/lake/**/*.parquet')`,
    )
    expect(first.rows).toBe(Number(read?.n))
    expect(
      await warehouse.rows(
        `SELECT partition, row_count FROM ops.lake_file WHERE relation = 'market.candle' ORDER BY partition`,
      ),
    ).toEqual([
      { partition: '2025-03-14', row_count: 5n },
      { partition: 'longer-2025-03-14', row_count: 2n },
    ])
    expect(
      await ask(home, `SELECT run_id, published_at::VARCHAR AS at, versions FROM ops.publication`),
    ).toMatchObject([{ run_id: 'test-run', at: '2025-06-30 12:00:00+00' }])
  })

  test('sorts a file by symbol, timeframe and time, in whatever order the responses arrived; bars longer than a minute have one of their own', async () => {
    const barsOf = (name: string) =>
      warehouse.rows(
        `SELECT symbol || ' ' || timeframe || ' ' || strftime(opened_at, '%H:%M') AS bar
         FROM read_parquet('${files}/candle/2025/${name}-*.parquet', file_row_number = true)
         ORDER BY file_row_number`,
      )
    expect(await barsOf('longer-2025-03-14')).toEqual([{ bar: 'FPT 1d 17:00' }, { bar: 'FPT 5m 02:15' }])
    expect(await barsOf('2025-03-14')).toEqual([
      { bar: 'FPT 1m 02:15' },
      { bar: 'FPT 1m 02:16' },
      { bar: 'FPT 1m 06:00' },
      { bar: 'VNM 1m 02:15' },
      { bar: 'VNM 1m 07:45' },
    ])
  })

  test('sorts the file of a closed month by symbol first, not by session', async () => {
    expect(
      await warehouse.rows(
        `SELECT symbol, trading_date
         FROM read_parquet('${files}/price_limit/2025/2025-03-*.parquet', file_row_number = true)
         ORDER BY file_row_number`,
      ),
    ).toEqual([
      { symbol: 'FPT', trading_date: '2025-03-13' },
      { symbol: 'FPT', trading_date: '2025-03-14' },
      { symbol: 'VNM', trading_date: '2025-03-13' },
      { symbol: 'VNM', trading_date: '2025-03-14' },
    ])
  })

  test('writes files of sessions and small months for reading, others for storing, and the types of the warehouse', async () => {
    const partition = String.raw`regexp_extract(file_name, '/((?:longer-)?\d{4}(?:-\d\d)*)-[0-9a-f]{16}\.parquet$', 1)`
    expect(
      await warehouse.rows(
        `SELECT CASE length(replace(partition, 'longer-', '')) WHEN 10 THEN 'session' WHEN 7 THEN 'month' ELSE 'all' END AS kind,
           contains(file_name, '/candle/') AND NOT starts_with(partition, 'longer-') AS bars,
           list_sort(list(DISTINCT compression)) AS codecs
         FROM (SELECT file_name, ${partition} AS partition, compression FROM parquet_metadata('${home}/lake/**/*.parquet'))
         GROUP BY ALL ORDER BY ALL`,
      ),
    ).toEqual([
      { kind: 'all', bars: false, codecs: ['ZSTD'] },
      { kind: 'month', bars: false, codecs: ['SNAPPY'] },
      { kind: 'session', bars: false, codecs: ['SNAPPY'] },
      { kind: 'session', bars: true, codecs: ['SNAPPY'] },
    ])
    const candle = relationOf('market.candle')
    const [bars, others, year] = ['2025-02', 'longer-2025-02', '2024'].map((name) => formOf(candle, name))
    expect(bars, 'months of bars are never merged').toEqual({ rowGroup: 122_880, codec: 'zstd' })
    expect(others).toEqual({ rowGroup: 16_384, codec: 'snappy' })
    expect(year).toEqual({ rowGroup: 16_384, codec: 'zstd' })
    const file = `'${files}/candle/2025/2025-03-14-*.parquet'`
    expect(
      await warehouse.rows(
        `SELECT column_name AS name, column_type AS type FROM (DESCRIBE FROM read_parquet(${file}, hive_partitioning = false))`,
      ),
    ).toEqual(
      await warehouse.rows(
        `SELECT column_name AS name, data_type AS type FROM duckdb_columns()
         WHERE schema_name = 'market' AND table_name = 'candle' ORDER BY column_index`,
      ),
    )
  })
})
