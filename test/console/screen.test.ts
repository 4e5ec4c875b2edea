import { describe, expect, test } from 'vitest'
import {
  NUMBER_COLUMNS,
  numberWords,
  unknownTitles,
} from '../../src/console/pages/screener/number-columns.js'
import { type Screen, screenAddress, screened, screenOf } from '../../src/console/pages/screener/screen.js'

const screenAt = (address: string): Screen => screenOf(address.split('/').slice(2).map(decodeURIComponent))

describe('the address of a screen', () => {
  test.each([
    '#/screener',
    '#/screener/kind:stock',
    '#/screener/board:HOSE,return_20:10..20,beta_vnindex_120:..1.5',
    '#/screener//symbol',
    '#/screener//-market_cap/3',
    '#/screener/tier:../-return_1//2025-03-14',
    '#/screener/industry:Food%252C%2520and%252For%2520Drink',
  ])('%s is what its screen gives', (address) => expect(screenAddress(screenAt(address))).toBe(address))

  test('leaves out what does not exist', () => {
    expect(screenAt('#/screener/nope:1..,name:x,return_20:a..b/nope/-2/yesterday')).toEqual({
      words: {},
      bounds: { return_20: {} },
      sort: 'median_value_20',
      isDescending: true,
      page: 1,
      session: '',
    })
  })

  test('a word has every letter that it has', () => {
    expect(screenAt('#/screener/industry:Food%252C%2520and%252For%2520Drink').words).toEqual({
      industry: 'Food, and/or Drink',
    })
  })
})

describe('a screen', () => {
  const rows = [
    { symbol: 'B', kind: 'stock', return_20: 0.2, market_cap: 3e12 },
    { symbol: 'A', kind: 'stock', return_20: 0.1, market_cap: null },
    { symbol: 'C', kind: 'etf', return_20: null, market_cap: 1e12 },
    { symbol: 'D', kind: 'stock', return_20: 0.1, market_cap: 2e12 },
  ]
  const found = (address: string): string =>
    screened(rows, screenAt(address))
      .map(({ symbol }) => symbol)
      .join('')

  test('has rows within all bounds, in the units of the titles; both bounds belong to it', () => {
    expect(found('#/screener/return_20:10..15/symbol')).toBe('AD')
    expect(found('#/screener/kind:stock,market_cap:2000../symbol')).toBe('BD')
  })

  test('a number that is not known is within no bounds, and a filter without bounds leaves out nothing', () => {
    expect(found('#/screener/return_20:-1000../symbol')).toBe('ABD')
    expect(found('#/screener/return_20:../symbol')).toBe('ABCD')
  })

  test('sorts up and down with what is not known last, and equal numbers by symbol', () => {
    expect([found('#/screener//return_20'), found('#/screener//-return_20')]).toEqual(['ADBC', 'BADC'])
    expect([found('#/screener//market_cap'), found('#/screener//-market_cap')]).toEqual(['CDBA', 'BDCA'])
    expect(found('#/screener//-symbol')).toBe('DCBA')
  })
})

test('columns that have no number of any symbol are named', () => {
  const numbers = Object.fromEntries(NUMBER_COLUMNS.map(({ name }) => [name, 0]))
  const rows = [
    { ...numbers, return_60: null, return_120: null },
    { ...numbers, return_60: 0, return_120: null, beta_vnindex_120: null },
  ]
  expect(unknownTitles(rows)).toEqual(['120 days'])
  expect(unknownTitles([])).toEqual([])
})

test.each([
  [0.064, '6.40'],
  [-0.0141, '−1.41'],
  [-0.00001, '0.00'],
  [null, ''],
])('a return of %s is written as %s', (return_20, words) => {
  expect(numberWords({ return_20 }, { name: 'return_20', title: '20 days', unit: 'percent' })).toBe(words)
})

test.each([
  [-123_456_789, '−123 m'],
  [1_234_000_000, '1.2 bn'],
  [999_700_000, '1.0 bn'],
  [999_400_000, '999 m'],
  [999.7, '999.7'],
  [-0.001, '0'],
])('money of %s is written as %s', (market_cap, words) => {
  expect(numberWords({ market_cap }, { name: 'market_cap', title: '', unit: 'billion' })).toBe(words)
})

test('a beta has two decimals, and below zero the sign of the other columns', () => {
  const [beta, streak] = ['beta', 'limit streak'].map((title) =>
    NUMBER_COLUMNS.find((column) => column.title === title),
  )
  if (!beta || !streak) throw new RangeError('no such column')
  expect([-0.1, 1.1, -0.001].map((value) => numberWords({ [beta.name]: value }, beta))).toEqual([
    '−0.10',
    '1.10',
    '0.00',
  ])
  expect(numberWords({ [streak.name]: '-3' }, streak)).toBe('−3')
})
