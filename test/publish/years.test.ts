import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { readManifest } from '../../src/lake/manifest.js'
import { planLevels } from '../../src/publish/levels.js'
import { verifyLake } from '../../src/read/index.js'
import { type Relation, relationOf, relations } from '../../src/relations.js'
import { migrate } from '../../src/warehouse/migrate.js'
import { actions, deltaFiles } from '../support/delta.js'
import { temporaryFolder } from '../support/folder.js'
import { asPartitionedByMonth } from '../support/former-lake.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { ask, evening, limitWalk, liveFiles, publicationsOf, publishTest } from '../support/published.js'

const LIMIT = 'market.price_limit'
const unstopped = { onTable: () => undefined, signal: new AbortController().signal }

async function publishLimits(warehouse: Database, home: string, ...days: string[]): Promise<void> {
  for (const day of days) await loadWalks(warehouse, home, [limitWalk(day, 'VNM', 'FPT')])
  await publishTest(warehouse, home)
}

/** The migration that finds the files of former versions. */
const FORMER_ORDER = 36

/** Publishes with another order of the rows in files. */
async function asFormerVersion(publishing: () => Promise<void>): Promise<void> {
  const limit = relationOf(LIMIT) as { sort: Relation['sort'] }
  const { sort } = limit
  limit.sort = ['trading_date', 'symbol']
  try {
    await publishing()
  } finally {
    limit.sort = sort
  }
}

const seen = async (home: string): Promise<string[]> =>
  (
    await ask(home, `SELECT symbol || ' ' || trading_date || ' ' || floor AS row FROM ${LIMIT} ORDER BY 1`)
  ).map(({ row }) => String(row))

/** Rows of the file of 2024, in its order. */
async function rowsInOrder(warehouse: Database, home: string): Promise<string[]> {
  const file = (await liveFiles(home, LIMIT))['2024'] ?? ''
  return await warehouse.column<string>(
    `SELECT strftime(trading_date, '%m-%d') || ' ' || symbol
     FROM read_parquet('${join(home, 'lake', file)}', file_row_number = true) ORDER BY file_row_number`,
  )
}

describe('the levels of the lake', () => {
  test('a year becomes one file in February, sorted by quarter first and without a data change; a late correction rewrites only that file, a lost one comes back', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const table = join(home, 'lake', 'market', 'price_limit')
    const days = ['2024-09-30', '2024-11-29', '2024-12-30', '2024-12-31', '2025-01-02']
    await publishLimits(warehouse, home, ...days)
    // Nights of January still fetch sessions of December: its months stay.
    expect(await publicationsOf(home, LIMIT)).toEqual({
      '2024-09': 1,
      '2024-11': 1,
      '2024-12': 1,
      '2025-01-02': 1,
    })
    const before = await seen(home)
    const months = deltaFiles(table)

    await publishLimits(warehouse, home, '2025-02-03')
    expect(await publicationsOf(home, LIMIT)).toEqual({ '2024': 2, '2025-01': 2, '2025-02-03': 2 })
    const flags = (kind: string) =>
      actions(table, 1, kind)
        .map(({ path, dataChange }) => [String(path).replace(/-[0-9a-f]{16}\.parquet$/, ''), dataChange])
        .sort()
    expect(flags('add')).toEqual([
      ['2024/2024', false],
      ['2025/2025-01', false],
      ['2025/2025-02-03', true],
    ])
    expect(flags('remove')).toEqual([
      ['2024/2024-09', false],
      ['2024/2024-11', false],
      ['2024/2024-12', false],
      ['2025/2025-01-02', false],
    ])
    expect((await seen(home)).filter((row) => !row.includes('2025-02-03'))).toEqual(before)
    expect(deltaFiles(table, 0)).toEqual(months)
    expect(await rowsInOrder(warehouse, home)).toEqual([
      '09-30 FPT',
      '09-30 VNM',
      '11-29 FPT',
      '12-30 FPT',
      '12-31 FPT',
      '11-29 VNM',
      '12-30 VNM',
      '12-31 VNM',
    ])

    await warehouse.run(
      `UPDATE ${LIMIT} SET floor = 25000 WHERE trading_date = '2024-11-29' AND symbol = 'VNM'`,
    )
    await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('${LIMIT}', '2024-11-29')`)
    await publishTest(warehouse, home)
    expect(await publicationsOf(home, LIMIT)).toEqual({ '2024': 3, '2025-01': 2, '2025-02-03': 2 })
    expect(await seen(home)).toContain('VNM 2024-11-29 25000.000000')
    expect(await verifyLake(join(home, 'lake'), unstopped)).toMatchObject({ findings: [] })

    const live = await liveFiles(home, LIMIT)
    rmSync(join(home, 'lake', live['2024'] ?? ''))
    await publishTest(warehouse, home)
    expect(await liveFiles(home, LIMIT)).toEqual(live)

    // A replay marks every partition of the lake as it is.
    const marks = `VALUES ('${LIMIT}', '2024'), ('${LIMIT}', '2025-01'), ('ops.coverage', '2024')`
    await warehouse.run(`INSERT INTO ops.dirty_partition ${marks}`)
    await publishTest(warehouse, home)
    expect(await liveFiles(home, LIMIT)).toEqual(live)

    // What is merged stays merged if later sessions are withdrawn; a year without rows has no file.
    for (const day of ['2024-12-31', '2025-01-02', '2025-02-03']) {
      await warehouse.run(`DELETE FROM ${LIMIT} WHERE trading_date = '${day}'`)
      await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('${LIMIT}', '${day}')`)
    }
    await publishTest(warehouse, home)
    expect(Object.keys(await liveFiles(home, LIMIT))).toEqual(['2024'])
    expect(await seen(home)).toHaveLength(6)
  })

  test('a file of a year that an earlier version sorted otherwise is written again by the next publication, once and without a data change', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const table = join(home, 'lake', 'market', 'price_limit')
    await asFormerVersion(() => publishLimits(warehouse, home, '2024-11-29', '2024-12-30', '2025-02-03'))
    const before = await seen(home)
    const { 2024: former, ...others } = await liveFiles(home, LIMIT)
    await warehouse.run(
      `DROP TABLE ops.former_order; DELETE FROM ops.migration WHERE version = ${FORMER_ORDER}`,
    )
    await migrate(warehouse)
    await publishTest(warehouse, home)
    const { 2024: sorted, ...rest } = await liveFiles(home, LIMIT)
    expect(rest).toEqual(others)
    expect(sorted).not.toBe(former)
    expect(actions(table, 1, 'add')).toMatchObject([{ dataChange: false }])
    expect(await seen(home)).toEqual(before)
    expect(await verifyLake(join(home, 'lake'), unstopped)).toMatchObject({ findings: [] })
    expect((await publishTest(warehouse, home)).partitions).toBe(0)
    expect(await rowsInOrder(warehouse, home)).toEqual(['11-29 FPT', '12-30 FPT', '11-29 VNM', '12-30 VNM'])
  })

  test('a year with more rows than the limit stays in months, and becomes months again where it grew', async () => {
    const warehouse = await openTestWarehouse(temporaryFolder())
    await warehouse.run(`INSERT INTO ${LIMIT} (symbol, trading_date)
      SELECT 'FPT', unnest(['2023-05-04', '2023-05-05', '2023-11-01', '2024-12-31', '2025-02-03']::DATE[])`)
    const plan = async (touched: string[], files: Record<string, number>, yearRows: number) => {
      const live = Object.entries(files).map(([partition, rows]) => ({ partition, row_count: BigInt(rows) }))
      const { changed, merged } = await planLevels(warehouse, relationOf(LIMIT), touched, live, yearRows)
      return { changed: [...changed].sort(), merged: [...merged].sort() }
    }
    const nights = ['2023-05-04', '2023-05-05', '2023-11-01', '2024-12-31', '2025-02-03']
    expect(await plan(nights, {}, 3)).toEqual({ changed: ['2023', '2024', '2025-02-03'], merged: [] })
    const months = { '2023-05': 2, '2023-11': 1, '2024-12': 1 }
    expect(await plan(nights, {}, 2)).toEqual({
      changed: ['2023-05', '2023-11', '2024', '2025-02-03'],
      merged: [],
    })
    expect(await plan(['2025-02-03'], months, 2)).toEqual({ changed: ['2025-02-03'], merged: ['2024'] })
    expect(await plan(['2025-02-03'], months, 3)).toEqual({
      changed: ['2025-02-03'],
      merged: ['2023', '2024'],
    })
    expect(await plan(['2023-05-05'], { '2023': 2, '2024': 1, '2025-02-03': 1 }, 2)).toEqual({
      changed: ['2023-05', '2023-11'],
      merged: [],
    })
    expect(await plan(['2023'], { '2023': 3, '2025-02-03': 1 }, 3)).toEqual({ changed: ['2023'], merged: [] })
  })
})

describe('a lake that an earlier version partitioned by month', () => {
  test('gets a version without partitions that has the same files; nothing is written again, and readers of the old catalog keep their files', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const effects = evening()
    const table = join(home, 'lake', 'market', 'price_limit')
    await publishLimits(warehouse, home, '2024-12-30', '2024-12-31', '2025-01-02')
    const rows = await seen(home)
    const dated = relations.filter(({ dated }) => dated !== undefined).map(({ name }) => name)
    await asPartitionedByMonth(home, warehouse, new Set(dated))
    rmSync(join(home, 'catalog.duckdb'))
    const former = deltaFiles(table)
    expect(former[0]).toMatch(/^month=2024-12\//)

    expect(await publishTest(warehouse, home, effects)).toMatchObject({ id: 2, partitions: 1 })
    expect(await seen(home)).toEqual(rows)
    expect(deltaFiles(table)).toEqual(former)
    expect(deltaFiles(table, 0)).toEqual(former)
    expect(actions(table, 1, 'metaData')).toMatchObject([{ partitionColumns: [] }])
    expect(actions(table, 1, 'metaData')[0]?.schemaString).not.toContain('month')
    expect(
      actions(table, 1, 'add').map(({ partitionValues, dataChange }) => [partitionValues, dataChange]),
    ).toEqual(former.map(() => [{}, false]))
    expect(actions(table, 1, 'remove')).toEqual([])
    const [publication] = await ask(
      home,
      'SELECT versions FROM ops.publication ORDER BY publication_id DESC LIMIT 1',
    )
    const manifest = await readManifest(join(home, 'lake'))
    expect(JSON.parse(String(publication?.versions))).toEqual(
      Object.fromEntries(manifest?.relations.map(({ name, version }) => [name, version]) ?? []),
    )
    expect(await verifyLake(join(home, 'lake'), unstopped)).toMatchObject({ findings: [] })
    expect(await publishTest(warehouse, home, effects)).toMatchObject({ id: 2, partitions: 0 })

    // What changes later gets the new path; the old file goes when it is swept.
    copyFileSync(join(home, 'catalog.duckdb'), join(home, 'old.duckdb'))
    await loadWalks(warehouse, home, [limitWalk('2025-02-03', 'VNM', 'FPT')])
    await publishTest(warehouse, home, effects)
    expect(Object.values(await liveFiles(home, LIMIT)).map((path) => path.split('/')[2])).toEqual([
      '2024',
      '2025',
      '2025',
    ])
    await warehouse.run(`ATTACH '${join(home, 'old.duckdb')}' AS old (READ_ONLY)`)
    expect(await warehouse.rows(`SELECT count(*)::INTEGER AS n FROM old.${LIMIT}`)).toEqual([
      { n: rows.length },
    ])
    await warehouse.run('DETACH old')
    effects.advance(8 * 86_400_000)
    await publishTest(warehouse, home, effects)
    expect(former.some((path) => existsSync(join(table, path)))).toBe(false)
  })
})
