import { expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { LONG } from '../support/long.js'
import { emptyWarehouse } from '../support/memory.js'

/** 330 weekdays: more than the longest window. */
const SESSIONS = "range(DATE '2023-10-02', DATE '2025-01-04', INTERVAL 1 DAY)"

const RELATIONS = ['market.daily_summary', 'market.price_limit', 'market.index_summary'] as const

/** Prices of five symbols, one of them split, one idle for weeks. */
async function fill(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TEMP TABLE source AS
    SELECT 'S' || i AS symbol, CAST(day AS DATE) AS trading_date, hash(i, day) AS seed,
      (20000 + 50 * CAST(hash(i, day, 1) % 40 AS INTEGER)) // IF(i = 1 AND day >= DATE '2024-06-03', 2, 1) AS close
    FROM (SELECT unnest(${SESSIONS}) AS day), range(5) symbol(i)
    WHERE isodow(day) < 6 AND NOT (i = 2 AND day BETWEEN DATE '2024-03-01' AND DATE '2024-05-20')`)
  await database.run(`INSERT INTO market.daily_summary (symbol, trading_date, open, high, low, close, average,
      total_match, total_match_value, total_deal, total_deal_value, total_foreign_buy, total_foreign_sell,
      total_foreign_buy_value, total_foreign_sell_value)
    SELECT symbol, trading_date, close, close + 100, close - 100, close, close, seed % 9 * 1000, seed % 9 * 1000 * close,
      0, 0, seed % 700, seed % 500, seed % 700 * 1000, seed % 500 * 1000 FROM source`)
  await database.run(`INSERT INTO market.price_limit (symbol, exchange, trading_date, ceiling, floor, ref_price)
    SELECT symbol, 'HOSE', trading_date, ref * 1.07, ref * 0.93, ref FROM (
      SELECT symbol, trading_date, lag(close, 1, close) OVER (PARTITION BY symbol ORDER BY trading_date)
        // IF(symbol = 'S1' AND trading_date = DATE '2024-06-03', 2, 1) AS ref FROM source)`)
  await database.run(`INSERT INTO market.index_summary (index_code, trading_date, index_value)
    SELECT code, trading_date, 1000 + hash(code, trading_date) % 50
    FROM (SELECT DISTINCT trading_date FROM source), (VALUES ('VNINDEX'), ('VN30')) of_index(code)`)
}

const hashOf = async (database: Database): Promise<string> => {
  const [row] = await database.rows<{ digest: string }>(
    'SELECT md5(string_agg(CAST(factor AS VARCHAR), chr(10) ORDER BY symbol, trading_date)) AS digest FROM mart.session_factor factor',
  )
  return row?.digest ?? ''
}

async function mark(database: Database, day: string): Promise<void> {
  for (const relation of RELATIONS)
    await database.run(
      `INSERT INTO ops.dirty_partition SELECT DISTINCT '${relation}', CAST(trading_date AS VARCHAR) FROM ${relation} WHERE ${day}`,
    )
}

async function wholeHash(): Promise<string> {
  const database = await emptyWarehouse()
  await fill(database)
  await mark(database, 'true')
  await refreshMaterialized(database)
  return hashOf(database)
}

/** Loads quarters of the history in an order, and refreshes after each. */
async function loadInOrder(order: readonly number[]): Promise<string> {
  const database = await emptyWarehouse()
  await fill(database)
  for (const relation of RELATIONS) {
    await database.run(`CREATE OR REPLACE TEMP TABLE waiting_${relation.slice(7)} AS FROM ${relation}`)
    await database.run(`DELETE FROM ${relation}`)
  }
  for (const part of order) {
    const day = `hash(trading_date) % 4 = ${part}`
    for (const relation of RELATIONS)
      await database.run(`INSERT INTO ${relation} FROM waiting_${relation.slice(7)} WHERE ${day}`)
    await mark(database, day)
    await refreshMaterialized(database)
    await database.run('DELETE FROM ops.dirty_partition')
  }
  return hashOf(database)
}

test('factors are the same in whatever order sessions arrive', async () => {
  const whole = await wholeHash()
  expect(await loadInOrder([2, 0, 3, 1])).toBe(whole)
  if (LONG) expect(await loadInOrder([1, 3, 2, 0])).toBe(whole)
})

test('what did not change is not computed or written; a late correction changes the sessions that it reaches, as a new computation would', async () => {
  const database = await emptyWarehouse()
  await fill(database)
  await mark(database, 'true')
  await refreshMaterialized(database)
  await database.run('DELETE FROM ops.dirty_partition')
  await refreshMaterialized(database)
  await mark(database, "trading_date = DATE '2025-01-03'")
  await refreshMaterialized(database)
  const marks = await database.rows(
    "SELECT partition FROM ops.dirty_partition WHERE relation = 'mart.session_factor'",
  )
  expect(marks).toEqual([])
  await database.run('DELETE FROM ops.dirty_partition')
  const day = "trading_date = DATE '2023-10-12'"
  await database.run(
    `UPDATE market.daily_summary SET total_match = 77, close = close + 50 WHERE symbol = 'S3' AND ${day}`,
  )
  await mark(database, day)
  await refreshMaterialized(database)
  const corrected = await hashOf(database)
  const [changed] = await database.rows<{ first: string; last: string }>(
    `SELECT min(partition) AS first, max(partition) AS last FROM ops.dirty_partition WHERE relation = 'mart.session_factor'`,
  )
  expect(changed?.first).toBe('2023-10-12')
  expect(changed && changed.last < '2024-12-26').toBe(true)
  await database.run('DELETE FROM mart.session_factor')
  await mark(database, 'true')
  await refreshMaterialized(database)
  expect(await hashOf(database)).toBe(corrected)
})

test('few sessions have the same factors as when they are computed with many', async () => {
  const database = await emptyWarehouse()
  await fill(database)
  // A session without a level of one index, and one without reported summaries of a symbol.
  await database.run(
    `DELETE FROM market.index_summary WHERE index_code = 'VN30' AND trading_date = DATE '2024-10-09'`,
  )
  await database.run(
    `DELETE FROM market.daily_summary WHERE symbol = 'S4' AND trading_date = DATE '2024-12-30'`,
  )
  await mark(database, 'true')
  await refreshMaterialized(database)
  const whole = await hashOf(database)
  for (const days of [
    ['2025-01-03'],
    ['2023-10-02', '2024-05-21', '2024-06-03', '2024-10-09', '2024-12-30'],
  ]) {
    const list = days.map((day) => `DATE '${day}'`).join(', ')
    await database.run('DELETE FROM ops.dirty_partition')
    await database.run(`DELETE FROM mart.session_factor WHERE trading_date IN (${list})`)
    expect(await hashOf(database)).not.toBe(whole)
    await database.run(
      `INSERT INTO ops.dirty_partition SELECT 'mart.session_factor', CAST(unnest([${list}]) AS VARCHAR)`,
    )
    await refreshMaterialized(database)
    expect(await hashOf(database)).toBe(whole)
  }
})
