import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Bucket } from '../../src/bucket/bucket.js'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import type { Effects } from '../../src/effects.js'
import { requireManifest } from '../../src/lake/manifest.js'
import type { OwnSql } from '../../src/lake/own-views.js'
import { computeTable } from '../../src/mine/compute-table.js'
import { type OwnLimits, OwnProcess, TABLE_LIMITS } from '../../src/mine/own-process.js'
import { bringToBucket } from '../../src/publish/bucket/bring.js'
import { publish } from '../../src/publish/index.js'
import type { ComputeOwn, FailedTable } from '../../src/publish/refresh-own-tables.js'
import { Killed, SimulatedDisk } from '../simulate/disk.js'
import { ACCESS, FakeBucket } from '../support/bucket.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { LONG } from '../support/long.js'
import { ask, candleWalk, evening } from '../support/published.js'

const TABLES = {
  'months.sql': `SELECT symbol, count(*) AS bars FROM market.candle WHERE timeframe = '1m' GROUP BY ALL`,
  'best.sql': 'SELECT max(bars) AS most FROM mine.months',
}

/** A home with tables of the user's own and these sessions. */
async function homeWith(files: Record<string, string>, ...days: string[]) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  onEnd(() => warehouse.close())
  write(home, files)
  await load(warehouse, home, ...days)
  return { home, warehouse }
}

function write(home: string, files: Record<string, string>): void {
  mkdirSync(join(home, 'sql', 'tables'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, 'sql', 'tables', name), text)
}

const apart = new OwnProcess()
afterAll(() => apart[Symbol.asyncDispose]())

async function load(warehouse: Database, home: string, ...days: string[]): Promise<void> {
  for (const day of days) await loadWalks(warehouse, home, [candleWalk('HPG', day, ['09:15:00', '09:16:00'])])
}

/** What a table may take; by name, for those that may take less. */
type LimitsOf = Readonly<Record<string, Partial<OwnLimits>>>

/** The tables of a home, bound: the same in all publications of a test that changes none. */
async function bound(home: string): Promise<readonly OwnSql[]> {
  const { own, problems } = await apart.bind(home)
  expect(problems).toEqual([])
  return own
}

/** Publishes as a run does. */
async function publishOwn(
  { home, warehouse, own }: { home: string; warehouse: Database; own?: readonly OwnSql[] },
  effects: Effects = evening(),
  limitsOf: LimitsOf = {},
) {
  const compute: ComputeOwn = (computation) => {
    const limits = { ...TABLE_LIMITS, ...limitsOf[computation.table.name] }
    return computeTable(apart, limits)(computation)
  }
  const ownSql = own ?? (await bound(home))
  return await publish(warehouse, home, { runId: 'test-run', retainDays: 7, ownSql, compute }, effects)
}

/** Publishes a copy of a home with a disk that ends the program at a step. */
async function publishKilledAt(
  prepared: string,
  own: readonly OwnSql[],
  last: number,
): Promise<{ home: string; steps: number }> {
  const home = temporaryFolder()
  cpSync(prepared, home, { recursive: true })
  const warehouse = await openTestWarehouse(home)
  let steps = 0
  const disk = new SimulatedDisk({
    onStep: (step) => {
      if (steps++ === last) throw new Killed(step)
    },
  })
  onEnd(() => disk.close())
  const ended = publishOwn({ home, warehouse, own }, { ...evening(), disk })
  if (Number.isFinite(last)) await expect(ended).rejects.toThrow()
  else await ended
  warehouse.close()
  return { home, steps }
}

/** The files of the user's tables, by table. */
async function filesOf(home: string): Promise<Record<string, readonly string[]>> {
  const { relations } = await requireManifest(join(home, 'lake'))
  const own = relations.filter(({ name }) => name.startsWith('mine.'))
  return Object.fromEntries(own.map(({ name, files }) => [name, files.map(({ path }) => path)]))
}

describe('tables of the user’s own', () => {
  test('follow what they read, through each other, and are in the DuckLake', async () => {
    const { home, warehouse } = await homeWith(TABLES, '2025-03-13')
    await publishOwn({ home, warehouse })
    expect(await ask(home, 'FROM mine.best')).toEqual([{ most: '2' }])
    await load(warehouse, home, '2025-03-14')
    const { id } = await publishOwn({ home, warehouse })
    expect(await ask(home, 'FROM mine.best')).toEqual([{ most: '4' }])
    expect(await publishOwn({ home, warehouse })).toMatchObject({ id, partitions: 0 })
    using lake = await openDatabase(join(home, 'lake.ducklake'), { readOnly: true })
    const tables = await lake.rows(
      `SELECT table_name AS name, count(*)::INT AS files FROM ducklake_table JOIN ducklake_data_file USING (table_id)
       WHERE table_name IN ('best', 'months') GROUP BY ALL ORDER BY ALL`,
    )
    expect(tables).toEqual([
      { name: 'best', files: 2 },
      { name: 'months', files: 2 },
    ])
  })

  test('a program that is killed at any step leaves what the next publication completes', async () => {
    const { home: prepared, warehouse } = await homeWith(TABLES, '2025-03-13')
    const own = await bound(prepared)
    await publishOwn({ home: prepared, warehouse, own })
    await load(warehouse, prepared, '2025-03-14')
    warehouse.close()
    const calm = await publishKilledAt(prepared, own, Number.POSITIVE_INFINITY)
    const wanted = await filesOf(calm.home)
    for (const part of LONG ? [0.3, 0.6, 0.8, 0.95] : [0.6, 0.95]) {
      const step = Math.floor(calm.steps * part)
      const { home } = await publishKilledAt(prepared, own, step)
      const stage = { home, own, warehouse: await openTestWarehouse(home) }
      await publishOwn(stage)
      stage.warehouse.close()
      expect(await filesOf(home), `killed at step ${step}`).toEqual(wanted)
      expect(await ask(home, 'FROM mine.best')).toEqual([{ most: '4' }])
    }
  })

  test('are in the bucket with their logs and in its catalog; dropped ones go after the days to retain', async () => {
    const stage = await homeWith({ ...TABLES, 'none.sql': 'SELECT 1 AS n LIMIT 0' }, '2025-03-13')
    await publishOwn(stage)
    const fake = new FakeBucket(20)
    const bring = async (effects = evening()) => {
      const bucket = new Bucket(ACCESS, new AbortController().signal, fake.through(effects))
      await bringToBucket(bucket, stage.home, 7, effects)
      return [...fake.objects.keys()].filter((key) => key.startsWith('lake/mine/'))
    }
    const first = await bring()
    const wanted = Object.values(await filesOf(stage.home)).flat()
    expect(first).toEqual(expect.arrayContaining(wanted.map((file) => `lake/${file}`)))
    expect(first).toContain('lake/mine/none/_delta_log/00000000000000000000.json')
    const copy = join(stage.home, 'copy.duckdb')
    writeFileSync(copy, fake.objects.get('lake/catalog.duckdb') ?? '')
    using catalog = await openDatabase(copy, { readOnly: true })
    const views = "SELECT view_name FROM duckdb_views() WHERE schema_name = 'mine' ORDER BY ALL"
    expect(await catalog.column(views)).toEqual(['best', 'months', 'none'])
    rmSync(join(stage.home, 'sql'), { recursive: true })
    await publishOwn(stage)
    await bring()
    const later = evening()
    later.advance(8 * 86_400_000)
    await publishOwn(stage, later)
    expect((await bring(later)).filter((key) => key.endsWith('.parquet'))).toEqual([])
  })

  const BAD: Readonly<
    Record<string, { what: string; sql: string; limits: Partial<OwnLimits>; words: RegExp }>
  > = {
    endless: {
      what: 'never ends',
      sql: 'SELECT count(*) AS n FROM range(1000000000) a, range(1000000000) b',
      limits: { ms: 500 },
      words: /longer than 0.5 s/,
    },
    within: {
      what: 'stays within a function',
      sql: 'SELECT length(repeat(repeat(symbol, 1000000), 1000)) AS n FROM market.candle',
      limits: { ms: 500 },
      words: /longer than|memory/i,
    },
    rows: {
      what: 'gives too many rows',
      sql: 'SELECT range AS n FROM range(1000)',
      limits: { rows: 999 },
      words: /more than 999 rows/,
    },
    failing: { what: 'fails in a row', sql: "SELECT error('no') AS n", limits: {}, words: /no/ },
    large: {
      what: 'takes too much memory',
      sql: 'SELECT len(l) AS n FROM (SELECT list(range) AS l FROM range(1000000000))',
      limits: { rssBytes: 400_000_000 },
      words: /memory/i,
    },
  }

  describe('in one publication with another', () => {
    let failed: readonly FailedTable[] = []
    let others: unknown
    beforeAll(async () => {
      const files = Object.entries(BAD).map(([name, { sql }]) => [`${name}.sql`, sql])
      const stage = await homeWith(
        { ...Object.fromEntries(files), 'good.sql': 'SELECT 1 AS n' },
        '2025-03-13',
      )
      const limitsOf = Object.fromEntries(Object.entries(BAD).map(([name, { limits }]) => [name, limits]))
      failed = (await publishOwn(stage, evening(), limitsOf)).failedTables
      others = await ask(stage.home, 'FROM mine.good')
    })

    test.each(Object.entries(BAD).map(([name, bad]) => ({ name, ...bad })))(
      'one that $what fails with its reason and ends nothing else',
      ({ name, words }) => {
        const expected = { name, keepsFormer: false, wrong: expect.stringMatching(words) }
        expect(failed.filter((table) => table.name === name)).toEqual([expected])
      },
    )

    test('the other one is published', () => {
      expect(failed).toHaveLength(Object.keys(BAD).length)
      expect(others).toEqual([{ n: 1 }])
    })
  })
})
