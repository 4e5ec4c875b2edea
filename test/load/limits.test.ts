import { expect, test } from 'vitest'
import { installParsers } from '../../src/duckdb/parse.js'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'
import { emptyWarehouse } from '../support/memory.js'
import { limitWalk } from '../support/published.js'

interface Window {
  readonly dataset: string
  readonly key?: string
  readonly timeframe?: string
  readonly day: string
  readonly state: string
  /** Runs in a row in which it was refused; absent for one that was answered. */
  readonly refusals?: number
}

/** States of the refused windows of a dataset, once they are decided; all were requested for 14 March 2025. */
async function decided(dataset: string, windows: readonly Window[]): Promise<Record<string, string>> {
  const warehouse = await emptyWarehouse()
  await installParsers(warehouse)
  await warehouse.run("INSERT INTO ops.run BY NAME SELECT 'r' AS run_id, DATE '2025-03-14' AS trading_date")
  await warehouse.run("INSERT INTO ops.request BY NAME SELECT 'r-000001' AS request_id, 'r' AS run_id")
  for (const { dataset: name, key = '*', timeframe = '', day, state, refusals } of windows)
    await warehouse.run(
      `INSERT INTO ops.coverage BY NAME SELECT ? AS dataset, ? AS key, ? AS timeframe, ?::DATE AS window_from,
         ?::DATE AS window_to, ? AS state, ? AS reason_code, ? AS failed_runs, 'r-000001' AS request_id, 1 AS row_count`,
      [name, key, timeframe, day, day, state, refusals ? 'refusal' : null, refusals ?? null],
    )
  await warehouse.run(`SET VARIABLE dataset = '${dataset}'`)
  await warehouse.run(sqlFile('load/batch/limits.sql'))
  const rows = await warehouse.rows<{ name: string; state: string }>(
    `SELECT concat_ws(' ', key, nullif(timeframe, ''), CAST(window_from AS VARCHAR)) AS name, state
     FROM ops.coverage WHERE reason_code = 'refusal' ORDER BY ALL`,
  )
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}

const refused = (window: Omit<Window, 'state'>): Window => ({ state: 'incomplete', refusals: 1, ...window })
const answered = (window: Omit<Window, 'state'>): Window => ({ state: 'complete', ...window })

test('a refusal of everything is a gap', async () => {
  const days = ['2025-03-13', '2025-03-14']
  expect(
    await decided(
      'masterdata',
      days.map((day) => refused({ dataset: 'masterdata', day })),
    ),
  ).toEqual({
    '* 2025-03-13': 'incomplete',
    '* 2025-03-14': 'incomplete',
  })
})

test('days before the first session of any daily dataset are beyond the data of the service', async () => {
  const windows = [
    refused({ dataset: 'indexSummary', key: 'VN30', day: '2025-03-11' }),
    refused({ dataset: 'indexSummary', key: 'VN30', day: '2025-03-13' }),
    answered({ dataset: 'securitiesSummary', day: '2025-03-12' }),
    answered({ dataset: 'indexSummary', key: 'VN30', day: '2025-03-14' }),
  ]
  expect(await decided('indexSummary', windows)).toEqual({
    'VN30 2025-03-11': 'refused',
    'VN30 2025-03-13': 'incomplete',
  })
})

test('a dataset that begins later than the others is known by a second run that is refused too', async () => {
  const windows = (refusals: number): Window[] => [
    { ...refused({ dataset: 'masterdata', day: '2025-03-11' }), refusals },
    answered({ dataset: 'securitiesSummary', day: '2025-03-10' }),
    answered({ dataset: 'masterdata', day: '2025-03-12' }),
  ]
  expect(await decided('masterdata', windows(1))).toEqual({ '* 2025-03-11': 'incomplete' })
  expect(await decided('masterdata', windows(2))).toEqual({ '* 2025-03-11': 'refused' })
})

test('the year of intraday candles may begin some days late; a refusal within it is a gap', async () => {
  const candles = { dataset: 'ohlc', key: 'FPT', timeframe: '1m' }
  const windows = [
    refused({ ...candles, day: '2024-03-18' }),
    refused({ ...candles, day: '2024-06-03' }),
    answered({ ...candles, day: '2025-03-13' }),
    answered({ dataset: 'securitiesSummary', day: '2024-01-02' }),
  ]
  expect(await decided('ohlc', windows)).toEqual({
    'FPT 1m 2024-03-18': 'refused',
    'FPT 1m 2024-06-03': 'incomplete',
  })
  expect(
    await decided(
      'ohlc',
      windows.filter(({ state }) => state !== 'complete'),
    ),
  ).toEqual({
    'FPT 1m 2024-03-18': 'incomplete',
    'FPT 1m 2024-06-03': 'incomplete',
  })
})

test('the whole market may be refused where its symbols are answered, and a limit is taken back', async () => {
  const market = refused({ dataset: 'securitiesSummary', day: '2025-03-14' })
  const symbol = answered({ dataset: 'securitiesSummary', key: 'FPT', day: '2025-03-14' })
  expect(await decided('securitiesSummary', [market, symbol])).toEqual({ '* 2025-03-14': 'refused' })
  expect(await decided('securitiesSummary', [{ ...market, state: 'refused' }])).toEqual({
    '* 2025-03-14': 'incomplete',
  })
})

test('loading decides the refusals of its batch', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const refusedOn = (day: string): TestWalk => ({
    window: { dataset: 'masterdata', key: '*', timeframe: '', from: day, to: day },
    bodies: ['{"code":400}'],
    end: { state: 'refused', reason: '400 too old' },
  })
  await loadWalks(warehouse, home, [
    refusedOn('2025-03-11'),
    limitWalk('2025-03-12', 'HPG'),
    refusedOn('2025-03-13'),
  ])
  expect(
    await warehouse.rows('SELECT CAST(window_from AS VARCHAR) AS day, state FROM ops.coverage ORDER BY day'),
  ).toEqual([
    { day: '2025-03-11', state: 'refused' },
    { day: '2025-03-12', state: 'complete' },
    { day: '2025-03-13', state: 'incomplete' },
  ])
})
