import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { readManifest } from '../../src/lake/manifest.js'
import { relations } from '../../src/relations.js'
import { actions, deltaEntry, deltaFiles } from '../support/delta.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { ask, type Bar, candleWalk, evening, limitWalk, publishTest } from '../support/published.js'

const DAY_MS = 86_400_000

interface Home {
  readonly home: string
  readonly warehouse: Database
  readonly candle: string
}

async function openHome(): Promise<Home> {
  const home = temporaryFolder()
  return {
    home,
    warehouse: await openTestWarehouse(home),
    candle: join(home, 'lake', 'market', 'candle'),
  }
}

async function publishSession(
  warehouse: Database,
  home: string,
  day: string,
  bars: readonly (Bar | string)[] = ['09:15:00'],
  effects = evening(),
): Promise<void> {
  await loadWalks(warehouse, home, [candleWalk('HPG', day, bars)])
  await publishTest(warehouse, home, effects)
}

const restated: Bar = ['09:15:00', '27000', '27100', '26950', '27060.25', '1200', '32460000']

describe('the Delta log of a relation', () => {
  test('begins with the entries that reader version 1 and writer version 2 require; exists for every relation, also for one without rows', async () => {
    const { home, warehouse, candle } = await openHome()
    await publishSession(warehouse, home, '2025-03-14')
    const [commitInfo, protocol, metaData, txn, add, ...more] = deltaEntry(candle, 0)
    expect(more).toEqual([])
    expect(protocol).toEqual({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } })
    expect(commitInfo).toEqual({
      commitInfo: {
        timestamp: Date.parse('2025-06-30T12:00:00Z'),
        operation: 'CREATE TABLE AS SELECT',
        operationParameters: { mode: 'Append' },
        isBlindAppend: false,
        engineInfo: expect.stringMatching(/^candlehouse\/\d/),
        runId: 'test-run',
        publication: 1,
      },
    })
    expect(txn).toEqual({
      txn: { appId: 'candlehouse', version: 1, lastUpdated: Date.parse('2025-06-30T12:00:00Z') },
    })
    expect(metaData?.metaData).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: 'market.candle',
      format: { provider: 'parquet', options: {} },
      partitionColumns: [],
      configuration: {},
    })
    const { fields } = JSON.parse(String(metaData?.metaData?.schemaString)) as {
      fields: { name: string; type: string; nullable: boolean; metadata: { comment: string } }[]
    }
    expect(fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'symbol string',
      'timeframe string',
      'opened_at timestamp',
      'trading_date date',
      'open decimal(18,6)',
      'high decimal(18,6)',
      'low decimal(18,6)',
      'close decimal(18,6)',
      'volume long',
      'value decimal(18,2)',
      'is_derived boolean',
      'request_id string',
      'loaded_at timestamp',
    ])
    expect(fields.filter((field) => !field.nullable || !field.metadata.comment)).toEqual([])
    const path = String(add?.add?.path)
    expect(path).toMatch(/^2025\/2025-03-14-[0-9a-f]{16}\.parquet$/)
    expect(add?.add).toMatchObject({
      partitionValues: {},
      size: statSync(join(candle, path)).size,
      modificationTime: Date.parse('2025-06-30T12:00:00Z'),
      dataChange: true,
    })

    for (const { name } of relations) {
      const table = join(home, 'lake', ...name.split('.'))
      expect(actions(table, 0, 'metaData')).toMatchObject([{ name, partitionColumns: [] }])
    }
    expect(deltaFiles(join(home, 'lake', 'market', 'security'))).toEqual([])
    expect(deltaFiles(join(home, 'lake', 'ops', 'publication'))).toHaveLength(1)
  })

  test('has statistics with every digit, instants in milliseconds, and bounds of every column that has a value', async () => {
    const { home, warehouse, candle } = await openHome()
    const long = 'X'.repeat(300)
    await loadWalks(warehouse, home, [
      candleWalk('HPG', '2025-03-14', [
        ['09:15:00', '27000.123456', '27000.123456', '1', '2', '9007199254740993', '9007199254740993.25'],
        '14:45:00',
      ]),
      limitWalk('2025-03-14', 'HPG', long),
      limitWalk('2025-03-17', 'HPG', 'Ộ'.repeat(300)),
    ])
    await publishTest(warehouse, home)
    // As text: JSON.parse would round what the test is about.
    const [line = ''] = readFileSync(join(candle, '_delta_log', `${'0'.repeat(20)}.json`), 'utf8')
      .split('\n')
      .filter((each) => each.startsWith('{"add"'))
    const stats = (JSON.parse(line) as { add: { stats: string } }).add.stats
    expect(stats).toContain('"numRecords":2,')
    expect(stats).toContain('"volume":9007199254740993,')
    expect(stats).toContain('"value":9007199254740993.25')
    expect(stats).toContain('"open":27000.123456,')
    expect(stats).toContain('"opened_at":"2025-03-14T02:15:00.000Z"')
    expect(stats).toContain('"opened_at":"2025-03-14T07:45:00.000Z"')
    expect(stats).toContain('"trading_date":"2025-03-14"')
    expect(JSON.parse(stats)).toMatchObject({
      minValues: { symbol: 'HPG', timeframe: '1m' },
      nullCount: { symbol: 0, is_derived: 0 },
    })
    expect(JSON.parse(stats).minValues.is_derived).toBe(false)
    expect(JSON.parse(stats).maxValues.is_derived).toBe(false)

    const [limits, later] = actions(join(home, 'lake', 'market', 'price_limit'), 0, 'add')
    const bounds = JSON.parse(String(limits?.stats))
    expect(bounds.minValues.symbol).toBe('HPG')
    expect(bounds.maxValues.symbol).toBe(`${'X'.repeat(128)}\u{10ffff}`)
    // DuckDB tells no bounds of this one: the widest ones then.
    const widest = JSON.parse(String(later?.stats))
    expect(widest.minValues.symbol).toBe('')
    expect(widest.maxValues.symbol).toBe('\u{10ffff}')
    expect(bounds.nullCount.symbol).toBe(0)
    expect(bounds.maxValues.exchange).toBe('HOSE')
  })
})

/** Versions 0 to 3. */
async function expectAppendsAndMerges({ home, warehouse, candle }: Home): Promise<void> {
  await publishSession(warehouse, home, '2025-03-13')
  await publishSession(warehouse, home, '2025-03-14')
  expect(actions(candle, 1, 'commitInfo')).toMatchObject([{ operation: 'WRITE', isBlindAppend: true }])
  expect(actions(candle, 1, 'remove')).toEqual([])
  // Unchanged tables get no version.
  const log = join(home, 'lake', 'market', 'price_limit', '_delta_log')
  expect(readdirSync(log)).toEqual([`${'0'.repeat(20)}.json`])

  await publishSession(warehouse, home, '2025-03-13', [restated])
  const [remove, ...others] = actions(candle, 2, 'remove')
  const [add] = actions(candle, 2, 'add')
  expect(others).toEqual([])
  expect(remove).toEqual({
    path: expect.stringMatching(/^2025\/2025-03-13-/),
    deletionTimestamp: Date.parse('2025-06-30T12:00:00Z'),
    dataChange: true,
    extendedFileMetadata: true,
    partitionValues: {},
    size: statSync(join(candle, String(remove?.path))).size,
  })
  expect(add?.path).not.toBe(remove?.path)
  expect(actions(candle, 2, 'commitInfo')).toMatchObject([{ operation: 'WRITE', isBlindAppend: false }])

  const closes = async (version: number) =>
    await warehouse.rows(
      `SELECT trading_date, close FROM read_parquet([${deltaFiles(candle, version)
        .map((file) => `'${join(candle, file)}'`)
        .join()}]) WHERE timeframe = '1m' ORDER BY ALL`,
    )
  expect(await closes(1)).toEqual([
    { trading_date: '2025-03-13', close: '27050.000000' },
    { trading_date: '2025-03-14', close: '27050.000000' },
  ])
  expect(await closes(2)).toEqual([
    { trading_date: '2025-03-13', close: '27060.250000' },
    { trading_date: '2025-03-14', close: '27050.000000' },
  ])

  await publishSession(warehouse, home, '2025-04-01')
  expect(actions(candle, 3, 'remove').map((each) => each.dataChange)).toEqual([false, false])
  expect(
    actions(candle, 3, 'add').map(({ path, dataChange }) => [String(path).slice(0, 12), dataChange]),
  ).toEqual([
    ['2025/2025-03', false],
    ['2025/2025-04', true],
  ])
  expect(deltaFiles(candle)).toHaveLength(2)
}

/** Versions 4 to 11. The tenth has nine live files and three that were replaced. */
async function expectCheckpoint({ home, warehouse, candle }: Home): Promise<void> {
  const effects = evening()
  const days = ['02', '03', '04', '08', '09', '10', '11'].map((day) => `2025-04-${day}`)
  for (const day of days) await publishSession(warehouse, home, day, ['09:15:00'], effects)
  const log = join(candle, '_delta_log')
  expect(readdirSync(log)).toHaveLength(13)
  const pointer = join(log, '_last_checkpoint')
  expect(JSON.parse(readFileSync(pointer, 'utf8'))).toEqual({ version: 10, size: 15 })
  // A kill after the checkpoint, before the pointer to it.
  rmSync(pointer)
  await publishTest(warehouse, home, effects)
  expect(JSON.parse(readFileSync(pointer, 'utf8'))).toEqual({ version: 10, size: 15 })
  const rows = await warehouse.rows<{ path: string | null; kinds: bigint }>(
    `SELECT add.path AS path, (add IS NOT NULL)::INT + (remove IS NOT NULL)::INT + ("metaData" IS NOT NULL)::INT
       + (protocol IS NOT NULL)::INT + (txn IS NOT NULL)::INT AS kinds
     FROM read_parquet('${log}/${'10'.padStart(20, '0')}.checkpoint.parquet')`,
  )
  expect(rows.flatMap(({ path }) => path ?? []).sort()).toEqual(deltaFiles(candle, 10))
  expect(rows.filter((row) => Number(row.kinds) !== 1)).toEqual([])

  effects.advance(8 * DAY_MS)
  await publishSession(warehouse, home, '2025-04-14', ['09:15:00'], effects)
  expect(
    readdirSync(log)
      .map((name) => name.replace(/^0{18}/, ''))
      .sort(),
  ).toEqual(['10.checkpoint.parquet', '10.json', '11.json', '_last_checkpoint'])
  const manifest = await readManifest(join(home, 'lake'))
  expect(
    manifest?.relations
      .find((each) => each.name === 'market.candle')
      ?.log.map((each) => each.path.slice(-29)),
  ).toEqual([expect.stringContaining('10.checkpoint.parquet'), expect.stringContaining('11.json')])
  expect(await publishTest(warehouse, home, effects)).toMatchObject({ partitions: 0 })
}

describe('the commits of a publication', () => {
  test('a new session is a blind append, a restatement one remove and one add, a closed month merged without a data change; former versions keep their rows; every tenth version writes a checkpoint that is enough without the entries before it; those are swept when no reader needs them any longer', async () => {
    const stage = await openHome()
    await expectAppendsAndMerges(stage)
    await expectCheckpoint(stage)
  })
})

describe('a log that differs from the ledger', () => {
  test('is followed by a version that restores the rows after a commit of another program; gone or torn it goes on with the whole state, or is started again where no manifest describes it', async () => {
    const { home, warehouse, candle } = await openHome()
    const log = join(candle, '_delta_log')
    await publishSession(warehouse, home, '2025-03-13')
    await publishSession(warehouse, home, '2025-03-14')
    const live = deltaFiles(candle)
    expect(live).toHaveLength(2)

    const theirs = live.map((path) => ({ remove: { path, deletionTimestamp: 1, dataChange: true } }))
    writeFileSync(
      join(log, `${'2'.padStart(20, '0')}.json`),
      theirs.map((each) => JSON.stringify(each)).join('\n'),
    )
    expect(deltaFiles(candle)).toEqual([])
    await publishTest(warehouse, home)
    expect(deltaFiles(candle)).toEqual(live)
    expect(
      actions(candle, 3, 'add')
        .map(({ path }) => String(path))
        .sort(),
    ).toEqual(live)

    const id = actions(candle, 0, 'metaData')[0]?.id
    rmSync(log, { recursive: true })
    expect((await publishTest(warehouse, home)).repaired.logs).toEqual(['market.candle'])
    expect(deltaFiles(candle)).toEqual(live)
    // Numbers of versions and the id of the table go on; rows that readers had are no new data.
    expect(actions(candle, 4, 'metaData')).toMatchObject([{ id }])
    expect(actions(candle, 4, 'protocol')).toHaveLength(1)
    expect(actions(candle, 4, 'add').map(({ dataChange }) => dataChange)).toEqual([false, false])
    const checkpoint = `${'4'.padStart(20, '0')}.checkpoint.parquet`
    expect(readdirSync(log).sort()).toEqual([checkpoint, `${'4'.padStart(20, '0')}.json`, '_last_checkpoint'])

    // A byte that leaves JSON as it was, in an entry; then one in the checkpoint of the repair.
    await publishSession(warehouse, home, '2025-03-17')
    const later = [...live, ...actions(candle, 5, 'add').map(({ path }) => String(path))].sort()
    const entry = join(log, `${'5'.padStart(20, '0')}.json`)
    writeFileSync(entry, readFileSync(entry, 'utf8').replaceAll('2025-03-17-', '2025-03-18-'))
    const repaired = join(log, `${'6'.padStart(20, '0')}.checkpoint.parquet`)
    for (const [version, damage] of [
      [6, () => {}],
      [7, () => writeFileSync(repaired, readFileSync(repaired).fill(0x33, 100, 120))],
    ] as const) {
      damage()
      expect((await publishTest(warehouse, home)).repaired.logs).toEqual(['market.candle'])
      const paths = actions(candle, version, 'add').map(({ path }) => String(path))
      expect(paths.sort()).toEqual(later)
      expect(existsSync(join(log, `${String(version).padStart(20, '0')}.checkpoint.parquet`))).toBe(true)
    }

    rmSync(log, { recursive: true })
    mkdirSync(log)
    writeFileSync(join(log, `${'0'.repeat(20)}.json`), '{"protocol":{"minRe')
    rmSync(join(home, 'lake', 'manifest.json'))
    await publishTest(warehouse, home)
    expect(deltaFiles(candle)).toEqual(later)
    expect(actions(candle, 0, 'protocol')).toHaveLength(1)
  })

  test('a lost ledger: the rows come back as the same files, version numbers continue, and recent files are not swept', async () => {
    const { home, warehouse, candle } = await openHome()
    const effects = evening()
    await publishSession(warehouse, home, '2025-03-13', ['09:15:00'], effects)
    await publishSession(warehouse, home, '2025-03-13', [restated], effects)
    const [old = '', live = ''] = [deltaFiles(candle, 0), deltaFiles(candle)].flat()
    await warehouse.run(
      `DELETE FROM ops.lake_file; DELETE FROM ops.publication; INSERT INTO ops.dirty_partition VALUES ('market.candle', '2025-03-13')`,
    )
    effects.advance(DAY_MS)
    expect(await publishTest(warehouse, home, effects)).toMatchObject({ id: 3 })
    expect(deltaFiles(candle)).toEqual([live])
    expect(readdirSync(join(candle, '_delta_log'))).toHaveLength(2)
    expect(existsSync(join(candle, old))).toBe(true)
    expect(await ask(home, `SELECT close FROM market.candle WHERE timeframe = '1m'`)).toEqual([
      { close: '27060.250000' },
    ])
    effects.advance(6 * DAY_MS + 1)
    await publishTest(warehouse, home, effects)
    expect(existsSync(join(candle, old))).toBe(false)
  })
})
