import { chmodSync, copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fieldComments } from 'candlehouse-foundation/fields/relations'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { EMPTY_LAKE } from '../../src/lake/catalog-base.js'
import { installMart } from '../../src/mart/install.js'
import { packageRoot } from '../../src/package.js'
import { openCatalog } from '../../src/read/query.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { ask, candleWalk, filesBelow, publishTest } from '../support/published.js'

/** The published relations, as far as market and ledger go. */
const RELATIONS = [
  'account.account',
  'account.conditional_order',
  'account.conditional_order_event',
  'account.derivative_balance',
  'account.derivative_margin',
  'account.derivative_position',
  'account.derivative_position_summary',
  'account.equity_balance',
  'account.equity_margin',
  'account.equity_position',
  'account.max_quantity',
  'account.order_book',
  'account.snapshot',
  'market.candle',
  'market.corporate_action',
  'market.daily_summary',
  'market.index_member',
  'market.index_summary',
  'market.market_index',
  'market.price_limit',
  'market.revision',
  'market.security',
  'market.security_daily',
  'market.security_history',
  'mart.adjustment_event',
  'ops.coverage',
  'ops.publication',
  'ops.quarantine',
  'ops.request',
  'ops.run',
  'recon.acceptance',
  'recon.finding',
  'recon.offender',
]

async function openPublished(home: string): Promise<Database> {
  const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
  onTestFinished(() => catalog.close())
  return catalog
}

async function publishedHome(): Promise<{ home: string; warehouse: Database }> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-14', ['09:15:00'])])
  await installMart(warehouse)
  await publishTest(warehouse, home)
  return { home, warehouse }
}

/** One home for all tests that only read. */
let once: Awaited<ReturnType<typeof publishedHome>>
beforeAll(async () => {
  once = await publishedHome()
})

const RELATION_COMMENTS = `SELECT relation, comment FROM (
    SELECT schema_name || '.' || table_name AS relation, comment FROM duckdb_tables() WHERE NOT temporary
    UNION ALL SELECT schema_name || '.' || view_name, comment FROM duckdb_views() WHERE NOT internal AND NOT temporary)
  ORDER BY relation`

const COLUMNS = `SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type, comment
  FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() ORDER BY relation, column_index`

interface Column {
  relation: string
  name: string
  type: string
  comment: string | null
}

const LATEST_SESSION = `SELECT CAST(mart.latest_session() AS VARCHAR) AS day, comment,
    macro_definition NOT LIKE '%SELECT%' AS is_constant
  FROM duckdb_functions() WHERE schema_name = 'mart' AND function_name = 'latest_session'`

test('before anything is loaded, every relation exists, empty, with its types; the latest session is a date that every publication writes anew', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  expect(await publishTest(warehouse, home)).toMatchObject({ id: 1 })
  const empty = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
  expect(await empty.rows(LATEST_SESSION)).toMatchObject([{ day: null, is_constant: true }])
  const without = RELATIONS.filter((name) => name !== 'ops.publication')
  const counted = without.map((name) => `SELECT '${name}' AS relation FROM ${name}`)
  expect(await empty.rows(counted.join(' UNION ALL '))).toEqual([])
  const types = (rows: Column[]) => rows.filter((row) => row.relation === 'market.price_limit')
  expect(types(await empty.rows<Column>(COLUMNS))).toEqual(types(await warehouse.rows<Column>(COLUMNS)))
  empty.close()
  for (const day of ['2024-12-30', '2025-03-14']) {
    await warehouse.run(
      `INSERT INTO market.daily_summary (symbol, trading_date) VALUES ('FPT', DATE '${day}')`,
    )
    await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('market.daily_summary', '${day}')`)
    await publishTest(warehouse, home)
    const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
    expect(await catalog.rows(LATEST_SESSION)).toMatchObject([
      { day, is_constant: true, comment: expect.stringContaining('Latest session') },
    ])
    catalog.close()
  }
  const commentIn = (file: string): string => sqlFile(file).split('COMMENT ON MACRO')[1] ?? file
  expect(commentIn('catalog/latest_session.sql')).toBe(commentIn('mart/session/latest_session.sql'))
})

/** Columns with the comments that readers see: those of fields are their tables', whatever a migration says. */
function inWords(columns: readonly Column[]): Column[] {
  return columns.map((row) => ({
    ...row,
    comment: fieldComments(row.relation).get(row.name) ?? row.comment,
  }))
}

describe('the contents of the catalog', () => {
  test('every relation and every column has a comment, in the catalog and in the warehouse', async () => {
    const { home, warehouse } = once
    for (const database of [warehouse, await openPublished(home)]) {
      const relations = await database.rows<{ relation: string; comment: string | null }>(RELATION_COMMENTS)
      expect(relations.map((row) => row.relation)).toEqual(expect.arrayContaining(RELATIONS))
      expect(relations.filter((row) => !row.comment?.trim())).toEqual([])
      const columns = inWords(await database.rows<Column>(COLUMNS))
      expect(new Set(columns.map((row) => row.relation))).toEqual(
        new Set(relations.map((row) => row.relation)),
      )
      expect(columns.filter((row) => !row.comment?.trim())).toEqual([])
    }
  })

  test('warehouse and catalog have the same schemas, relations, columns, types and comments', async () => {
    const { home, warehouse } = once
    const published = (rows: Column[]) => rows.filter((row) => RELATIONS.includes(row.relation))
    const mine = inWords(published(await warehouse.rows<Column>(COLUMNS)))
    const theirs = published(await (await openPublished(home)).rows<Column>(COLUMNS))
    const localTime = (row: Column) => row.relation === 'market.candle' && row.name === 'local_time'
    expect([...new Set(theirs.map((row) => row.relation))]).toEqual(RELATIONS)
    expect(theirs.filter((row) => !localTime(row))).toEqual(mine)
    expect(theirs.filter(localTime)).toMatchObject([{ type: 'TIMESTAMP' }])
    const schemas = `SELECT schema_name AS name FROM duckdb_schemas()
      WHERE NOT internal AND database_name = current_database() ORDER BY 1`
    expect(await (await openPublishedCopy(home)).rows(schemas)).toEqual(await warehouse.rows(schemas))
    expect(await warehouse.rows(schemas)).toEqual(
      ['account', 'market', 'mart', 'ops', 'recon'].map((name) => ({ name })),
    )
  })

  test('other tables of the catalog list its files and withheld bars; what else it has is in the warehouse too', async () => {
    const { home, warehouse } = once
    const names = async (database: Database) =>
      (await database.rows<{ relation: string }>(RELATION_COMMENTS)).map((row) => row.relation)
    const theirs = await names(await openPublished(home))
    const beyond = theirs.filter((name) => !RELATIONS.includes(name) && !name.startsWith('mart.'))
    expect(beyond).toEqual(['ops.lake_file', 'ops.withheld_bar'])
    const shared = theirs.filter((name) => name !== 'ops.withheld_bar')
    expect(await names(warehouse)).toEqual(expect.arrayContaining(shared))
  })

  test('fetched bars are not derived and show the exchange time beside the instant', async () => {
    const { home } = once
    expect(
      await ask(
        home,
        `SELECT symbol, opened_at::VARCHAR AS opened_at, local_time, open, volume, value, is_derived
         FROM market.candle WHERE timeframe = '1m'`,
      ),
    ).toEqual([
      {
        symbol: 'HPG',
        opened_at: '2025-03-14 02:15:00+00',
        local_time: '2025-03-14 09:15:00',
        open: '27000.000000',
        volume: '1200',
        value: '32460000.00',
        is_derived: false,
      },
    ])
  })
})

describe('the catalog file', () => {
  test('has no write-ahead log and no temporary file beside it', async () => {
    const { home } = once
    expect(filesBelow(home).filter((file) => file.startsWith('catalog'))).toEqual(['catalog.duckdb'])
  })

  test('is readable by its owner and his group and writable by nobody; is replaced as a whole: a reader keeps what it opened, the next reader sees the new state; who could read the former one reads the next', async () => {
    const { home, warehouse } = await publishedHome()
    const mode = () => statSync(join(home, 'catalog.duckdb')).mode & 0o777
    expect(mode()).toBe(0o440)
    chmodSync(join(home, 'catalog.duckdb'), 0o444)
    const reader = await openCatalog(home)
    onTestFinished(() => reader.close())
    const count = async () => {
      const seen: unknown[] = []
      const sql = `SELECT count(*), max(trading_date) FROM market.candle WHERE timeframe = '1m'`
      await reader.stream(
        sql,
        () => undefined,
        (rows) => {
          seen.push(...rows)
        },
      )
      return seen
    }
    const before = await count()
    expect(before).toEqual([['1', '2025-03-14']])
    const inode = statSync(join(home, 'catalog.duckdb')).ino

    // The next month: the session file that the reader reads is merged away.
    await loadWalks(warehouse, home, [
      candleWalk('HPG', '2025-03-14', ['09:15:00', '09:16:00']),
      candleWalk('HPG', '2025-04-01', ['09:15:00']),
    ])
    await publishTest(warehouse, home)

    expect(mode()).toBe(0o444)
    expect(statSync(join(home, 'catalog.duckdb')).ino).not.toBe(inode)
    expect(await count()).toEqual(before)
    expect(
      await ask(
        home,
        `SELECT count(*) AS n, max(trading_date) AS day FROM market.candle WHERE timeframe = '1m'`,
      ),
    ).toEqual([{ n: '3', day: '2025-04-01' }])
  })

  test('names its Parquet files by absolute path, so that a copy in another folder reads the same files', async () => {
    const { home } = once
    const copy = await openPublishedCopy(home)
    expect(await copy.rows(`SELECT count(*) AS n FROM market.candle WHERE timeframe = '1m'`)).toEqual([
      { n: 1n },
    ])
  })
})

/** A copy of the catalog in another folder. */
async function openPublishedCopy(home: string): Promise<Database> {
  const elsewhere = join(temporaryFolder(), 'copy.duckdb')
  copyFileSync(join(home, 'catalog.duckdb'), elsewhere)
  const database = await openDatabase(elsewhere, { readOnly: true })
  onTestFinished(() => database.close())
  return database
}

test('the catalog of the build, as a copy of which a home’s first one begins, does not depend on where the package is', () => {
  expect(EMPTY_LAKE.startsWith(packageRoot)).toBe(false)
})
