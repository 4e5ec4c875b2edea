import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { numbered } from '../../src/warehouse/migrate.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { temporaryFolder } from '../support/folder.js'

test('two migrations with the same number are refused by name', () => {
  expect(numbered(['0001_a.sql', '0002_b.sql'])).toEqual([
    { version: 1, name: '0001_a.sql' },
    { version: 2, name: '0002_b.sql' },
  ])
  expect(() => numbered(['0001_a.sql', '0002_b.sql', '0002_c.sql'])).toThrow(
    'migrations 0002_b.sql and 0002_c.sql have the same number',
  )
})

/** What `read` finds in a warehouse that `make` left as it was before these migrations, and that is opened again. */
async function migratedFrom<Found>(
  versions: readonly number[],
  make: (before: Database) => Promise<unknown>,
  read: (after: Database) => Promise<Found>,
): Promise<Found> {
  const file = join(temporaryFolder(), 'warehouse.duckdb')
  const before = await openWarehouse(file, systemEffects)
  await before.run(`DELETE FROM ops.migration WHERE version IN (${versions.join(', ')})`)
  await make(before)
  before.close()
  const after = await openWarehouse(file, systemEffects)
  try {
    return await read(after)
  } finally {
    after.close()
  }
}

test('windows marked by their sentence get the reason code, all others none', async () => {
  const rows = await migratedFrom(
    [11, 12],
    async (before) => {
      await before.run('ALTER TABLE ops.coverage DROP COLUMN reason_code')
      await before.run(
        `INSERT INTO ops.coverage BY NAME
         SELECT 'ohlc' AS dataset, unnest(['FPT', 'HPG', 'VCB']) AS key, '1m' AS timeframe, 'incomplete' AS state,
           unnest(['its daily summary was restated', '3 rows where itemsCount says 5', NULL]) AS reason`,
      )
    },
    (after) => after.rows('SELECT key, reason_code AS code FROM ops.coverage ORDER BY key'),
  )
  expect(rows).toEqual([
    { key: 'FPT', code: 'summary_restated' },
    { key: 'HPG', code: null },
    { key: 'VCB', code: null },
  ])
})

test('account rows from before there were several keys are of the key default, and are published again', async () => {
  const tables = (database: Database) =>
    database.rows<{ name: string }>(
      "SELECT table_name AS name FROM duckdb_tables() WHERE schema_name = 'account' ORDER BY 1",
    )
  const found = await migratedFrom(
    [18],
    async (before) => {
      for (const { name } of await tables(before))
        await before.run(`ALTER TABLE account.${name} DROP COLUMN key_name`)
      await before.run("INSERT INTO account.account BY NAME SELECT '0691234561' AS account_no")
      const dated = await before.rows<{ name: string }>(
        `SELECT DISTINCT table_name AS name FROM duckdb_columns()
         WHERE schema_name = 'account' AND column_name = 'snapshot_id' AND table_name IN (
           SELECT table_name FROM duckdb_tables() WHERE schema_name = 'account')`,
      )
      for (const { name } of dated)
        await before.run(
          `INSERT INTO account.${name} BY NAME
           SELECT '0691234561' AS account_no, '20250314T113000000Z-a' AS snapshot_id`,
        )
    },
    async (after) => ({
      snapshots: await after.rows('SELECT account_no, key_name FROM account.snapshot'),
      dirty: await after.rows('SELECT relation, partition FROM ops.dirty_partition ORDER BY 1'),
      tables: await tables(after),
      named: await after.rows(
        "SELECT table_name AS name FROM duckdb_columns() WHERE schema_name = 'account' AND column_name = 'key_name' ORDER BY 1",
      ),
    }),
  )
  expect(found.snapshots).toEqual([{ account_no: '0691234561', key_name: 'default' }])
  const partitions = found.tables.map(({ name }) => ({
    relation: `account.${name}`,
    partition: name === 'account' ? 'all' : '2025-03',
  }))
  expect(found.dirty).toEqual(partitions)
  expect(found.tables.length).toBeGreaterThan(0)
  expect(found.named).toEqual(found.tables)
})

test('pages from before there were several keys are of the key default, those of files of none, and every month is published again', async () => {
  const found = await migratedFrom(
    [20],
    async (before) => {
      await before.run('ALTER TABLE ops.request DROP COLUMN key_name')
      await before.run(
        `INSERT INTO ops.request BY NAME
         SELECT * FROM (VALUES ('r-000001', 'ohlc', TIMESTAMPTZ '2025-02-28 17:00:00+00'),
           ('r-000002', 'import', TIMESTAMPTZ '2025-04-01 03:00:00+00')) pages(request_id, endpoint, received_at)`,
      )
    },
    async (after) => ({
      pages: await after.rows('SELECT request_id, key_name FROM ops.request ORDER BY 1'),
      dirty: await after.rows('SELECT relation, partition FROM ops.dirty_partition ORDER BY ALL'),
    }),
  )
  expect(found.pages).toEqual([
    { request_id: 'r-000001', key_name: 'default' },
    { request_id: 'r-000002', key_name: null },
  ])
  expect(found.dirty).toEqual([
    { relation: 'ops.request', partition: '2025-03' },
    { relation: 'ops.request', partition: '2025-04' },
  ])
})

test('windows that an earlier version loaded without a field are requested again; others stay', async () => {
  const found = await migratedFrom(
    [25],
    async (before) => {
      await before.run(
        `INSERT INTO market.candle BY NAME
         SELECT unnest(['FPT', 'FPT', 'HPG', 'HPG', 'HPG', 'HPG']) AS symbol, '1m' AS timeframe,
           DATE '2025-03-13' AS trading_date, 1 AS open, 1 AS high, 1 AS low, 1 AS close,
           unnest([NULL, NULL, 5, NULL, 5, 5]) AS volume, 1 AS value`,
      )
      await before.run(
        `INSERT INTO market.daily_summary BY NAME
         SELECT unnest(['AAA', 'BBB', 'CCC', 'DDD']) AS symbol, DATE '2025-03-12' AS trading_date`,
      )
      await before.run(
        `INSERT INTO market.revision BY NAME
         SELECT 'market.daily_summary' AS relation, 'total_match_value' AS "column", '5' AS old, NULL AS new,
           '{"symbol":"' || unnest(['AAA', 'BBB', 'CCC']) || '","trading_date":"2025-03-12"}' AS key,
           TIMESTAMPTZ '2025-03-14 12:00:00+00' AS observed_at
         UNION ALL BY NAME
         SELECT 'market.daily_summary' AS relation, 'open' AS "column", '5' AS old, NULL AS new,
           '{"symbol":"DDD","trading_date":"2025-03-12"}' AS key`,
      )
      await before.run(
        `INSERT INTO ops.coverage BY NAME
         SELECT 'ohlc' AS dataset, unnest(['FPT', 'HPG']) AS key, '1m' AS timeframe,
           DATE '2025-03-13' AS window_from, 'complete' AS state
         UNION ALL BY NAME
         SELECT 'securitiesSummary' AS dataset, '*' AS key, '' AS timeframe,
           unnest([DATE '2025-03-12', DATE '2025-03-13']) AS window_from, 'complete' AS state`,
      )
    },
    (after) =>
      after.rows(
        `SELECT dataset, key, CAST(window_from AS VARCHAR) AS day, state, reason, reason_code AS code
         FROM ops.coverage ORDER BY ALL`,
      ),
  )
  const complete = { state: 'complete', reason: null, code: null }
  const lost = { state: 'incomplete', code: 'field_lost' }
  expect(found).toEqual([
    {
      dataset: 'ohlc',
      key: 'FPT',
      day: '2025-03-13',
      ...lost,
      reason: 'field volume is missing in 2 of 2 records',
    },
    { dataset: 'ohlc', key: 'HPG', day: '2025-03-13', ...complete },
    {
      dataset: 'securitiesSummary',
      key: '*',
      day: '2025-03-12',
      ...lost,
      reason: 'field totalMatchValue is missing in 3 of 4 records',
    },
    { dataset: 'securitiesSummary', key: '*', day: '2025-03-13', ...complete },
  ])
})

test('stored indexes count as named by the latest whole list, and are published again', async () => {
  const columns = ['last_seen', 'is_listed', 'left_on']
  const found = await migratedFrom(
    [32, 33],
    async (before) => {
      for (const column of columns) await before.run(`ALTER TABLE market.market_index DROP COLUMN ${column}`)
      await before.run("INSERT INTO market.market_index BY NAME SELECT 'VN30' AS index_code")
      await before.run(
        `INSERT INTO ops.coverage BY NAME
         SELECT 'indexes' AS dataset, '*' AS key, '' AS timeframe,
           unnest([DATE '2025-03-13', DATE '2025-03-14']) AS window_from, unnest(['complete', 'incomplete']) AS state`,
      )
    },
    async (after) => ({
      indexes: await after.rows(`SELECT ${columns.join(', ')} FROM market.market_index`),
      dirty: await after.rows('SELECT relation, partition FROM ops.dirty_partition'),
    }),
  )
  expect(found).toEqual({
    indexes: [{ last_seen: '2025-03-13', is_listed: true, left_on: null }],
    dirty: [{ relation: 'market.market_index', partition: 'all' }],
  })
})
