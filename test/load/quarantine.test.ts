import { describe, expect, test } from 'vitest'
import type { Window } from '../../src/plan/datasets.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'

const week: Window = {
  dataset: 'securitiesSummary',
  key: '*',
  timeframe: '',
  from: '2025-03-10',
  to: '2025-03-14',
}

function summary(symbol: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    symbol,
    tradingDate: '2025/03/14',
    open: '27000',
    close: '27050',
    totalMatch: '1200',
    openInterest: null,
    ...changes,
  }
}

const page = (data: readonly unknown[]) =>
  `{"pageSize":1000,"pageIndex":1,"pagesCount":1,"itemsCount":${data.length},"data":[${data
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join(',')}]}`

/** One page of good rows around a bad one: what became of it. */
async function loadWith(bad: unknown) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const [loaded] = await loadWalks(warehouse, home, [
    { window: week, bodies: [page([summary('AAA'), bad, summary('ZZZ')])] },
  ])
  const symbols = await warehouse.rows<{ symbol: string }>(
    'SELECT symbol FROM market.daily_summary ORDER BY symbol',
  )
  const rejected = await warehouse.rows<{ reason: string; payload: string }>(
    'SELECT reason, payload FROM ops.quarantine',
  )
  return { loaded, symbols: symbols.map((row) => row.symbol), rejected }
}

describe('one bad record', () => {
  // The number forms of fault P6 and the date forms of P8, as text and as JSON.
  test.each([
    [
      'a comma in the wrong place',
      { open: '1,23.5' },
      "open: '1,23.5' is not a plain number with at most 6 decimals",
    ],
    ['NaN', { open: 'NaN' }, "open: 'NaN' is not a plain number with at most 6 decimals"],
    ['Infinity', { close: 'Infinity' }, "close: 'Infinity' is not a plain number with at most 6 decimals"],
    ['1e400', { open: '1e400' }, "open: '1e400' is not a plain number with at most 6 decimals"],
    ['a lone minus', { open: '-' }, "open: '-' is not a plain number with at most 6 decimals"],
    ['hexadecimal', { totalMatch: '0x10' }, "totalMatch: '0x10' is not a whole number"],
    ['an underscore', { totalMatch: '1_000' }, "totalMatch: '1_000' is not a whole number"],
    ['a broken share', { totalMatch: '12.6' }, "totalMatch: '12.6' is not a whole number"],
    [
      'twenty digits',
      { totalMatch: '12345678901234567890' },
      "totalMatch: '12345678901234567890' is not a whole number",
    ],
    [
      'an object for a number',
      { open: { a: 1 } },
      `open: '{"a":1}' is not a plain number with at most 6 decimals`,
    ],
    ['a day that does not exist', { tradingDate: '2025/02/30' }, "tradingDate: '2025/02/30' is not a date"],
    [
      'a day ahead of the window',
      { tradingDate: '2025/03/15' },
      'tradingDate: 2025-03-15 is outside of the window asked, 2025-03-10 to 2025-03-14',
    ],
    ['no day', { tradingDate: '' }, 'tradingDate is missing'],
    ['no symbol', { symbol: null }, 'symbol is missing'],
  ])('%s: that record is kept whole with its reason, the others are loaded', async (_, changes, reason) => {
    const bad = summary('MMM', changes)
    const { loaded, symbols, rejected } = await loadWith(bad)
    expect(symbols).toEqual(['AAA', 'ZZZ'])
    expect(rejected).toEqual([{ reason, payload: JSON.stringify(bad) }])
    expect(loaded?.rejected).toBe(1)
  })

  test.each([['"text"'], ['7'], ['null'], ['["a"]']])('%s in place of an object', async (bad) => {
    const { symbols, rejected } = await loadWith(bad)
    expect(symbols).toEqual(['AAA', 'ZZZ'])
    expect(rejected).toEqual([{ reason: 'not an object', payload: bad }])
  })

  test('its text is cut from the page, byte for byte', async () => {
    const bad = '{ "symbol" : "M\\u0041\\"}M", "tradingDate":"2025/03/14","open": 1e400 , "x":{"y":[1,"]"]} }'
    const { symbols, rejected } = await loadWith(bad)
    expect(symbols).toEqual(['AAA', 'ZZZ'])
    expect(rejected).toEqual([
      { reason: "open: '1e400' is not a plain number with at most 6 decimals", payload: bad },
    ])
  })
})

describe('records that are odd but readable', () => {
  test('JSON numbers keep the digits they were written with', async () => {
    const { symbols, rejected } = await loadWith(
      '{"symbol":"MMM","tradingDate":"2025/03/14","open":27000.50,"priceChangePercentage":0.00001,"totalMatch":1234567890123456.0}',
    )
    expect(rejected).toEqual([])
    expect(symbols).toEqual(['AAA', 'MMM', 'ZZZ'])
  })

  test('fields in another case, unknown fields and missing optional ones', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const rows = [{ Symbol: 'AAA', TradingDate: '14/03/2025', Open: '1,234.5', ceiling: '9', stockType: 'x' }]
    await loadWalks(warehouse, home, [{ window: week, bodies: [{ itemsCount: 1, data: rows }] }])
    expect(
      await warehouse.rows('SELECT symbol, trading_date, open, close FROM market.daily_summary'),
    ).toEqual([{ symbol: 'AAA', trading_date: '2025-03-14', open: '1234.500000', close: null }])
    expect(await warehouse.rows('SELECT drift FROM ops.request')).toEqual([{ drift: 'ceiling, stockType' }])
  })

  test('negative volume, high below low and a zero price are kept: rules judge them, not the loader', async () => {
    const { symbols } = await loadWith(summary('MMM', { totalMatch: '-5', high: '1', low: '2', close: '0' }))
    expect(symbols).toEqual(['AAA', 'MMM', 'ZZZ'])
  })

  test('symbols that look like SQL, paths or partitions are symbols', async () => {
    for (const symbol of [
      "a'; DROP TABLE x; --",
      '../x',
      '/etc/passwd',
      '__HIVE_DEFAULT_PARTITION__',
      '__proto__',
      '=1+1',
    ]) {
      const { symbols } = await loadWith(summary(symbol))
      expect(symbols).toContain(symbol)
    }
  })
})

test('the same bad record from two answers is kept once', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const walk = { window: week, bodies: [page([summary('MMM', { open: 'NaN' })])] }
  await loadWalks(warehouse, home, [walk])
  const [again] = await loadWalks(warehouse, home, [walk])
  expect(again?.rejected).toBe(1)
  expect(await warehouse.rows('SELECT count(*) AS n FROM ops.quarantine')).toEqual([{ n: 1n }])
})

test('a bad record leaves its session incomplete, the other sessions of the answer empty or complete', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [
    {
      window: week,
      bodies: [page([summary('AAA', { tradingDate: '2025/03/13' }), summary('MMM', { open: 'NaN' })])],
    },
  ])
  expect(
    await warehouse.rows('SELECT window_from AS day, state, reason FROM ops.coverage ORDER BY 1'),
  ).toEqual([
    { day: '2025-03-10', state: 'empty', reason: null },
    { day: '2025-03-11', state: 'empty', reason: null },
    { day: '2025-03-12', state: 'empty', reason: null },
    { day: '2025-03-13', state: 'complete', reason: null },
    { day: '2025-03-14', state: 'incomplete', reason: '1 records rejected' },
  ])
})
