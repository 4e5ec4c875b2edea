import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { readLedger } from '../../src/night/ledger.js'
import type { LedgerFacts } from '../../src/night/record.js'
import { temporaryFolder } from '../support/folder.js'
import { openTestWarehouse } from '../support/landed.js'

const SCOPE = {
  tradingDate: '2025-03-14',
  from: '2025-03-10',
  sinceRun: '2',
  calendar: loadCalendar(),
}

type Window = readonly [
  dataset: string,
  key: string,
  timeframe: string,
  day: string,
  state: string,
  expiresOn?: string,
]

async function store(warehouse: Database, windows: readonly Window[]): Promise<void> {
  for (const [dataset, key, timeframe, day, state, expiresOn = null] of windows) {
    await warehouse.run(
      `INSERT INTO ops.coverage (dataset, key, timeframe, window_from, window_to, state, reason, expires_on, reason_code)
       VALUES (?, ?, ?, ?::DATE, ?::DATE, ?, 'HTTP 500', ?::DATE, 'failed')`,
      [dataset, key, timeframe, day, day, state, expiresOn],
    )
  }
}

async function snapshot(warehouse: Database, key: string, account: string, day: string): Promise<void> {
  await warehouse.run(
    `INSERT INTO account.snapshot (account_no, snapshot_id, as_of, state, key_name) VALUES (?, ?, ?::DATE, 'complete', ?)`,
    [account, day, day, key],
  )
}

const shown = ({ gaps }: LedgerFacts): unknown[] =>
  gaps.map(({ dataset, keys, windows, served, ofNight }) => [dataset, keys, windows, served, ofNight])

test('windows are grouped by what can be done about them; those that expired long ago are history', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  await store(warehouse, [
    ['ohlc', 'FPT', '1m', '2025-03-13', 'incomplete', '2026-03-14'],
    ['ohlc', 'HPG', '1m', '2025-03-14', 'incomplete', '2026-03-15'],
    ['ohlc', 'HPG', '1m', '2025-03-12', 'refused'],
    ['ohlc', 'VNM', '1m', '2024-11-04', 'incomplete', '2025-11-05'],
    ['ohlc', 'SSI', '1m', '2024-03-11', 'incomplete', '2025-03-12'],
    ['ohlc', 'SSI', '1m', '2024-01-11', 'incomplete', '2025-01-12'],
  ])
  const facts = await readLedger(warehouse, SCOPE)
  expect(shown(facts)).toEqual([
    ['ohlc', ['FPT', 'HPG'], 2, true, true],
    ['ohlc', ['VNM'], 1, true, false],
    ['ohlc', ['SSI'], 1, false, false],
  ])
  expect(facts.gaps[0]).toMatchObject({ code: 'failed', reason: 'HTTP 500', expiresOn: '2026-03-14' })
})

test('of an index that has left, only a session of which nothing is stored counts; a catalog of an earlier version has no such column', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  await warehouse.run(
    `INSERT INTO market.market_index BY NAME
     SELECT 'VN30' AS index_code, DATE '2025-03-12' AS last_seen, false AS is_listed, DATE '2025-03-13' AS left_on
     UNION ALL BY NAME SELECT 'HNX30' AS index_code, DATE '2025-03-12' AS last_seen, false AS is_listed`,
  )
  await warehouse.run(
    "INSERT INTO market.index_summary BY NAME SELECT 'VN30' AS index_code, DATE '2025-03-12' AS trading_date",
  )
  await store(warehouse, [
    ['indexMembers', 'VN30', '', '2025-03-12', 'incomplete'],
    ['indexSummary', 'VN30', '', '2025-03-11', 'incomplete'],
    ['indexSummary', 'VN30', '', '2025-03-12', 'incomplete'],
    ['indexSummary', 'VN30', '', '2025-03-13', 'incomplete'],
    ['indexSummary', 'HNX30', '', '2025-03-13', 'incomplete'],
  ])
  const windows = async () => (await readLedger(warehouse, SCOPE)).gaps.map(({ windows: count }) => count)
  expect(shown(await readLedger(warehouse, SCOPE))).toEqual([
    ['indexSummary', ['HNX30', 'VN30'], 2, true, true],
  ])
  await warehouse.run('ALTER TABLE market.market_index DROP COLUMN left_on')
  await warehouse.run('ALTER TABLE market.market_index DROP COLUMN last_seen')
  expect(await windows()).toEqual([1, 4])
})

test('a snapshot counts until the account is read again, or its key no longer lists it', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  await store(warehouse, [
    ['snapshot', '001', '', '2025-03-13', 'incomplete'],
    ['snapshot', '001', '', '2025-03-14', 'complete'],
    ['snapshot', '002', '', '2025-03-13', 'incomplete'],
    ['snapshot', '003', '', '2025-03-13', 'incomplete'],
    ['snapshot', '*', '', '2025-03-12', 'incomplete'],
    ['snapshot', '* desk', '', '2025-03-14', 'incomplete'],
  ])
  await snapshot(warehouse, 'default', '001', '2025-03-13')
  await snapshot(warehouse, 'default', '001', '2025-03-14')
  await snapshot(warehouse, 'default', '002', '2025-03-13')
  await snapshot(warehouse, 'desk', '003', '2025-03-13')
  // 002 is no longer listed by its key; the key of 003 was not read again, nor was its list of the day.
  expect(shown(await readLedger(warehouse, SCOPE))).toEqual([
    ['snapshot', ['* desk'], 1, true, true],
    ['snapshot', ['003'], 1, true, false],
  ])
})

test('gaps are found without pairs of evenings, which grow with the square of the years', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  await warehouse.run(
    `INSERT INTO account.snapshot (account_no, snapshot_id, as_of, state, key_name)
     SELECT account, strftime(day, '%Y-%m-%d'), day::DATE, 'complete', 'default'
     FROM generate_series(DATE '2024-01-01', DATE '2024-12-31', INTERVAL 1 DAY) evening(day)
     CROSS JOIN (VALUES ('001'), ('002'), ('003')) known(account)`,
  )
  // DuckDB expects a fifth of these to be incomplete.
  await warehouse.run(
    `INSERT INTO ops.coverage BY NAME SELECT 'ohlc' AS dataset, 'S' || n AS key, '1m' AS timeframe,
       DATE '2024-12-31' AS window_from, DATE '2024-12-31' AS window_to, 'complete' AS state
     FROM range(100000) symbol(n)`,
  )
  await store(warehouse, [['snapshot', '001', '', '2024-12-31', 'incomplete']])
  // As readers have them: of a file DuckDB does not know how many keys are different.
  const folder = temporaryFolder()
  for (const table of ['account.snapshot', 'ops.coverage']) {
    const file = join(folder, `${table}.parquet`)
    await warehouse.run(
      `COPY ${table} TO '${file}'; DROP TABLE ${table}; CREATE VIEW ${table} AS FROM '${file}'`,
    )
  }
  const profile = join(folder, 'profile.json')
  await warehouse.run(`SET enable_profiling = 'json'; SET profiling_output = '${profile}'`)
  expect(await warehouse.rows(sqlFile('warehouse/open_gap.sql'))).toHaveLength(1)
  await warehouse.run("SET enable_profiling = 'no_output'")
  const most = mostRows(JSON.parse(readFileSync(profile, 'utf8')))
  expect(most).toBeGreaterThanOrEqual(3 * 366)
  expect(most).toBeLessThan(2 * 3 * 366)
})

interface Operator {
  operator_cardinality?: number
  children: Operator[]
}

function mostRows({ operator_cardinality: rows = 0, children }: Operator): number {
  return Math.max(rows, ...children.map(mostRows))
}

test('a rejected record of a file counts until a corrected file: sessions that have nothing new keep the first walk', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  await warehouse.run(
    `INSERT INTO ops.request (request_id, run_id, dataset, walk)
     VALUES ('first', '3', 'securitiesSummary', '3-1'), ('corrected', '4', 'securitiesSummary', '4-1')`,
  )
  await warehouse.run(
    "INSERT INTO ops.quarantine (dataset, reason, request_id) VALUES ('securitiesSummary', 'close', 'first')",
  )
  const cover = (day: string, request: string, reason: string | null): Promise<unknown> =>
    warehouse.run(
      `INSERT INTO ops.coverage (dataset, key, timeframe, window_from, window_to, state, reason, request_id)
       VALUES ('securitiesSummary', '*', '', ?::DATE, ?::DATE, 'imported', ?, ?)`,
      [day, day, reason, request],
    )
  const rejected = async () => (await readLedger(warehouse, SCOPE)).rejected.map(({ records }) => records)
  await cover('2015-03-16', 'first', '1 record rejected')
  await cover('2015-03-17', 'first', null)
  // A file with other sessions has been imported since.
  expect(await rejected()).toEqual([1])
  await warehouse.run("DELETE FROM ops.coverage WHERE window_from = '2015-03-16'")
  await cover('2015-03-16', 'corrected', null)
  expect(await rejected()).toEqual([])
})

test('a list counts until a later one of its key', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  await store(warehouse, [
    ['securities', 'HOSE', '', '2025-03-13', 'incomplete'],
    ['securities', 'HOSE', '', '2025-03-14', 'complete'],
    ['securities', 'HNX', '', '2025-03-14', 'incomplete'],
  ])
  expect(shown(await readLedger(warehouse, SCOPE))).toEqual([['securities', ['HNX'], 1, true, true]])
})

test('open errors name the keys that they withhold, unless a session is withheld as a whole', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  const broken = async (rule: number, day: string, keys: readonly string[]): Promise<void> => {
    await warehouse.run(
      `INSERT INTO recon.finding (rule, subject, trading_date, title, severity, state, relations)
       VALUES (?, 'market', ?::DATE, 'a title', 'error', 'break', 'market.daily_summary')`,
      [rule, day],
    )
    for (const key of keys)
      await warehouse.run(
        `INSERT INTO recon.offender (rule, subject, trading_date, relation, key, state, withheld_key)
         VALUES (?, 'market', ?::DATE, 'market.daily_summary', ?, 'break', ?)`,
        [rule, day, key, key],
      )
  }
  await broken(1, '2025-03-13', ['HPG', 'CVRE2505'])
  await broken(1, '2025-03-14', ['CVRE2505', 'ACB', 'VNM'])
  await broken(2, '2025-03-13', ['HPG'])
  await broken(2, '2025-03-14', [])
  const { openErrors } = await readLedger(warehouse, SCOPE)
  expect(openErrors.map(({ rule, sessions, keys, keyCount }) => [rule, sessions, keys, keyCount])).toEqual([
    [1, 2, ['ACB', 'CVRE2505', 'HPG'], 4],
    [2, 2, [], 0],
  ])
})

test('sessions between requested ones that no run has requested are named since the first nightly, closed days never', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  const windows = (days: readonly string[], dataset: string) =>
    days.map((day): Window => [dataset, '*', '', day, 'complete'])
  const unrequested = async (tradingDate = SCOPE.tradingDate) =>
    (await readLedger(warehouse, { ...SCOPE, tradingDate })).unrequested
  // A backfill of an old month, then nights of 2025-01-23, 2025-02-04 and 2025-02-10; Tet closed 27 to 31 January.
  await store(warehouse, windows(['2024-06-03', '2025-01-23', '2025-02-04', '2025-02-10'], 'masterdata'))
  await store(warehouse, [
    ['ohlc', 'FPT', '1m', '2025-01-23', 'complete', '2026-01-24'],
    ['ohlc', 'FPT', '1m', '2025-02-04', 'complete', '2026-02-05'],
    ['ohlc', 'FPT', '5m', '2025-02-10', 'complete', '2026-02-11'],
  ])
  expect(await unrequested()).toBeNull()
  await warehouse.run(
    `INSERT INTO ops.run BY NAME SELECT run_id, 'nightly' AS job, day AS trading_date, now() AS started_at, exit_code
     FROM (VALUES ('1', DATE '2025-01-10', 5), ('2', DATE '2025-01-23', 0)) night (run_id, day, exit_code)`,
  )
  expect(await unrequested()).toEqual({
    datasets: ['masterdata', 'ohlc'],
    sessions: 5,
    from: '2025-01-24',
    to: '2025-02-07',
    expiresOn: '2026-01-25',
  })
  expect(await unrequested('2026-03-02')).toMatchObject({ datasets: ['masterdata'], expiresOn: null })
  await store(
    warehouse,
    windows(['2025-01-24', '2025-02-03', '2025-02-05', '2025-02-06', '2025-02-07'], 'masterdata'),
  )
  expect(await unrequested()).toMatchObject({ datasets: ['ohlc'], sessions: 2, to: '2025-02-03' })
  // Closes of what accounts have are no session of the market.
  await store(warehouse, [
    ['securitiesSummary', 'FPT', '', '2025-02-10', 'complete'],
    ['securitiesSummary', 'FPT', '', '2025-03-14', 'complete'],
  ])
  expect(await unrequested()).toMatchObject({ datasets: ['ohlc'], sessions: 2, to: '2025-02-03' })
  // A day without daily summaries was no session: nobody requests its candles.
  await store(warehouse, [['securitiesSummary', '*', '', '2025-02-03', 'empty']])
  expect(await unrequested()).toMatchObject({ datasets: ['ohlc'], sessions: 1, to: '2025-01-24' })
})

test('the nightly that began last is named where it was killed or stopped, until another one has ended', async () => {
  const warehouse = await openTestWarehouse(temporaryFolder())
  const killed = async () => (await readLedger(warehouse, SCOPE)).killedNight
  const begin = async (id: string, job: string, day: string, state: string): Promise<void> => {
    await warehouse.run(
      `INSERT INTO ops.run BY NAME SELECT ? AS run_id, ? AS job, ?::DATE AS trading_date, now() AS started_at, ? AS state`,
      [id, job, day, state],
    )
  }
  await begin('1', 'nightly', '2025-03-13', 'done')
  expect(await killed()).toBeNull()
  await begin('2', 'nightly', '2025-03-14', 'interrupted')
  await begin('3', 'repair', '2025-03-14', 'running')
  expect(await killed()).toBe('2025-03-14')
  await begin('4', 'nightly', '2025-03-14', 'done')
  expect(await killed()).toBeNull()
})
