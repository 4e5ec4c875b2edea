import { BOARDS } from 'candlehouse-foundation/market/board'
import { grid } from 'candlehouse-foundation/market/sessions'
import { describe, expect, it } from 'vitest'
import { LONGEST_DAY_MINUTES, partCeiling, windowCeiling } from '../../src/plan/ceilings.js'
import type { FetchedName } from '../../src/plan/datasets.js'

const DAY = { timeframe: '', from: '2025-03-14', to: '2025-03-14' } as const
const ohlc = (timeframe: '1m' | '15m' | '1d', to = '2025-03-14') =>
  windowCeiling({ dataset: 'ohlc', key: 'FPT', timeframe, from: '2025-03-14', to }, 1700)
const ofDay = (dataset: FetchedName, key: string, listed: number) =>
  windowCeiling({ ...DAY, dataset, key }, listed)

describe('the most rows of a window', () => {
  it('of candles follow from its days, the longest day and the timeframe, twice', () => {
    expect([ohlc('1m'), ohlc('15m'), ohlc('1d')]).toEqual([754, 54, 2])
    expect(ohlc('1m', '2025-03-16')).toBe(3 * 754)
  })

  it('of a market follow from the symbols that are listed, and from a guess before the first list', () => {
    expect(ofDay('securitiesSummary', '*', 1700)).toBe(3400)
    expect(ofDay('masterdata', '*', 40)).toBe(1000)
    expect(ofDay('masterdata', '*', 0)).toBe(10_000)
    expect(ofDay('securitiesSummary', 'FPT', 1700)).toBe(2)
    expect(ofDay('indexSummary', 'VNINDEX', 1700)).toBe(2)
    for (const list of ['securities', 'indexes', 'indexMembers'] as const)
      expect(ofDay(list, 'HOSE', 1700)).toBe(3400)
    const days = { timeframe: '', from: '2025-03-10', to: '2025-03-14', key: 'FPT' } as const
    expect(windowCeiling({ ...days, dataset: 'securitiesSummary' }, 1700)).toBe(10)
    expect(windowCeiling({ ...days, dataset: 'indexSummary' }, 1700)).toBe(10)
    expect(windowCeiling({ ...days, dataset: 'ohlc' }, 1700)).toBe(10)
  })

  it('of orders are generous, and more for a longer range', () => {
    expect(partCeiling({ part: 'orderBook', from: '2025-03-14', to: '2025-03-14' })).toBe(5500)
    expect(partCeiling({ part: 'orderBook', from: '2024-03-14', to: '2025-03-14' })).toBe(188_000)
    expect(partCeiling({ part: 'fcoList', from: '2025-03-14', to: '2025-03-14' })).toBe(5000)
  })

  it.each(['2013-07-29', '2018-03-15', '2022-03-15', '2025-03-14', '2025-11-20'])(
    'on %s every bar that any board can have fits into the longest day',
    (day) => {
      for (const board of [...BOARDS, 'DERIVATIVE'] as const) {
        const { minutes, optional } = grid(board, day)
        const all = [...minutes, ...optional]
        if (all.length === 0) continue
        expect(Math.min(...all)).toBeGreaterThanOrEqual(8 * 60 + 45)
        expect(Math.max(...all) - (8 * 60 + 45)).toBeLessThan(LONGEST_DAY_MINUTES)
      }
    },
  )
})
