import { describe, expect, test } from 'vitest'
import { noCoverage } from '../../src/plan/coverage.js'
import { typicalMarket, withExpected } from '../../src/plan/expected-market.js'
import type { Goal } from '../../src/plan/goal.js'

const GOAL: Goal = {
  tradingDate: '2025-03-14',
  from: '2025-03-14',
  to: '2025-03-14',
  datasets: [],
  timeframes: [],
  crossChecks: 0,
  symbols: undefined,
  refresh: false,
}
const MARKET = {
  about: 'a small market',
  symbols: ['A', 'B'],
  indexes: ['X'],
  accounts: { count: 1, positions: 0, conditionals: 0 },
}

test('the typical market has the sizes of early 2025', () => {
  const market = typicalMarket()
  expect(market.about).toBe('a market of 1,770 securities and 11 indexes, and 3 accounts')
  expect(market.symbols).toHaveLength(1770)
  expect([market.symbols[0], market.symbols.at(-1)]).toEqual(['symbol 1', 'symbol 1770'])
  expect(market.indexes).toEqual(Array.from({ length: 11 }, (_, at) => `index ${at + 1}`))
  expect(market.accounts).toEqual({ count: 3, positions: 10, conditionals: 0 })
})

describe('before the lists are loaded the coverage', () => {
  test('is completed by the expected market', () => {
    expect(withExpected(noCoverage, GOAL, MARKET)).toEqual({
      ...noCoverage,
      listed: ['A', 'B'],
      indexes: ['X'],
    })
  })

  test('has only the wanted symbols', () => {
    expect(withExpected(noCoverage, { ...GOAL, symbols: ['FPT'] }, MARKET).listed).toEqual(['FPT'])
  })

  test('keeps every list that is loaded', () => {
    const loaded = { ...noCoverage, listed: ['FPT'], indexes: ['VN30'] }
    expect(withExpected(loaded, { ...GOAL, symbols: ['HPG'] }, MARKET)).toEqual(loaded)
  })
})

test('nothing is stored before the first night', () => {
  const { stateOf, isRefusedQuery, ...facts } = noCoverage
  expect(facts).toEqual({
    listed: [],
    delisted: [],
    typed: { unknown: [], known: [] },
    indexes: [],
    learnedClosed: [],
    learnedOpen: [],
    summaryForm: 'market',
    traded: [],
    unfinished: [],
    broken: [],
    uncompared: new Map(),
  })
  expect(stateOf('ohlc', 'FPT', '1m', '2025-03-14')).toBeUndefined()
  expect(isRefusedQuery('ohlc', 'FPT', '2025-03-14')).toBe(false)
})
