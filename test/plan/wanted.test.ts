import { describe, expect, test } from 'vitest'
import {
  isExpiring,
  isServed,
  type Offender,
  otherAnswersOf,
  otherSourcesOf,
  windowName,
  windowsOf,
} from '../../src/plan/wanted.js'

const DAY = '2025-03-13'
const offender: Offender = {
  rule: 8,
  relation: 'market.candle',
  symbol: 'FPT',
  index: undefined,
  timeframe: '5m',
  day: DAY,
  dataset: undefined,
  key: undefined,
  cut: false,
}
const OTHER = { timeframe: '', why: 'rule 8 is still broken', exact: false }
const summary = { ...OTHER, dataset: 'securitiesSummary', key: 'FPT', day: DAY }
const limits = { ...OTHER, dataset: 'masterdata', key: '*', day: DAY }
const minutes = { ...OTHER, dataset: 'ohlc', key: 'FPT', timeframe: '1m', day: DAY }

describe('an offender', () => {
  test('is a row: any answer with it repairs it', () => {
    expect(windowsOf(offender, '2025-03-14')).toEqual([
      { dataset: 'ohlc', key: 'FPT', timeframe: '5m', day: DAY, why: 'rule 8 is broken', exact: false },
    ])
    expect(windowsOf({ ...offender, relation: 'market.price_limit' }, '2025-03-14')).toEqual([
      { dataset: 'masterdata', key: '*', timeframe: '', day: DAY, why: 'rule 8 is broken', exact: false },
    ])
  })

  test('of the coverage is a window: only that window repairs it', () => {
    const ofWindow = { ...offender, relation: 'ops.coverage', dataset: 'ohlc', key: 'VNM' }
    expect(windowsOf(ofWindow, '2025-03-14')).toEqual([
      { dataset: 'ohlc', key: 'VNM', timeframe: '5m', day: DAY, why: 'rule 8 is broken', exact: true },
    ])
    const daily = { ...ofWindow, dataset: 'masterdata', key: '*', timeframe: undefined }
    expect(windowsOf(daily, '2025-03-14')).toMatchObject([{ dataset: 'masterdata', timeframe: '' }])
  })

  test.each([
    ['no key', { key: undefined }],
    ['an empty dataset', { dataset: '' }],
    ['an unknown timeframe', { timeframe: 'fortnight' }],
    ['a list', { dataset: 'securities', timeframe: undefined }],
    ['an unknown dataset', { dataset: 'snapshot' }],
    ["a dataset of a user's file", { dataset: 'corporateActions', timeframe: undefined }],
  ])('of the coverage with %s has no window', (_, given) => {
    const ofWindow = { ...offender, relation: 'ops.coverage', dataset: 'ohlc', key: 'VNM', ...given }
    expect(windowsOf(ofWindow, '2025-03-14')).toEqual([])
  })

  test('of the history of securities is repaired by the lists of the trading date', () => {
    const windows = windowsOf({ ...offender, relation: 'market.security_history' }, '2025-03-14')
    expect(windows.map(({ dataset, key, day }) => `${dataset} ${key} ${day}`)).toEqual([
      'securities HOSE 2025-03-14',
      'securities HNX 2025-03-14',
      'securities UPCOM 2025-03-14',
    ])
  })

  test.each(['market.index_summary', 'market.index_member'])(
    'of %s without an index has no window',
    (relation) => {
      expect(windowsOf({ ...offender, relation }, '2025-03-14')).toEqual([])
    },
  )

  test('that is a candle without a symbol has no window', () => {
    expect(windowsOf({ ...offender, symbol: undefined }, '2025-03-14')).toEqual([])
  })
})

describe('the other sources of an offender', () => {
  test.each([
    ['market.candle', [summary, minutes]],
    ['market.daily_summary', [limits, minutes]],
    ['market.price_limit', [summary]],
    ['market.security', []],
  ])('of %s are the other answers about its symbol', (relation, windows) => {
    expect(otherSourcesOf({ ...offender, relation })).toEqual(windows)
  })

  test.each([
    ['without a symbol', { symbol: undefined }],
    ['of which more rows break the rule', { cut: true }],
    ['of a window', { dataset: 'ohlc' }],
  ])('%s are none', (_, given) => {
    expect(otherSourcesOf({ ...offender, ...given })).toEqual([])
  })
})

test.each([
  ['securitiesSummary', 'masterdata', '*'],
  ['masterdata', 'securitiesSummary', '*'],
  ['ohlc', 'securitiesSummary', 'FPT'],
] as const)('a contradiction of %s is settled by %s of %s', (dataset, other, key) => {
  const window = { dataset, key: 'FPT', timeframe: '', day: DAY, why: 'any', exact: true } as const
  expect(otherAnswersOf(window)).toEqual([
    { dataset: other, key, timeframe: '', day: DAY, why: 'contradicts another answer', exact: false },
  ])
})

test('a list is contradicted by no daily answer', () => {
  const window = { key: 'HOSE', timeframe: '', day: DAY, why: 'any', exact: true } as const
  expect(otherAnswersOf({ ...window, dataset: 'securities' })).toEqual([])
})

test('only intraday candles expire, the day after the first served one is served', () => {
  expect([
    isExpiring({ timeframe: '1h' }),
    isExpiring({ timeframe: '1d' }),
    isExpiring({ timeframe: '' }),
  ]).toEqual([true, false, false])
  expect(isServed({ timeframe: '1m', day: '2024-03-14' }, '2024-03-14')).toBe(true)
  expect(isServed({ timeframe: '1m', day: '2024-03-13' }, '2024-03-14')).toBe(false)
  expect(isServed({ timeframe: '', day: '2024-03-13' }, '2024-03-14')).toBe(true)
})

test('the name of a window tells its dataset, key, timeframe and day', () => {
  const window = { dataset: 'ohlc', key: 'FPT', timeframe: '1m', day: DAY, why: 'any', exact: true } as const
  expect(windowName(window)).toBe(`ohlc FPT 1m ${DAY}`)
})
