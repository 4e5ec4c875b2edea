import { describe, expect, it } from 'vitest'
import { limitsAround } from '../../src/market/band.js'
import { timeOfDay } from '../../src/market/day.js'
import { expiryDay, futuresCode, legacyFuturesCode, parseFuturesCode } from '../../src/market/futures.js'
import { countsInBoardTotals, kindOf } from '../../src/market/kind.js'
import { closeInstant, grid } from '../../src/market/sessions.js'
import { tickAt, tickLadder, toTick } from '../../src/market/tick.js'
import { isIntraday, isTimeframe, minutes } from '../../src/market/timeframe.js'

const DAY = '2025-11-20'

describe('sessions', () => {
  it('allow 226 bars a day on HOSE, and two more where a feed labels the end of a phase', () => {
    const { minutes: bars, optional } = grid('HOSE', DAY)
    expect(bars).toHaveLength(226)
    expect(timeOfDay(bars[0] ?? 0)).toBe('09:15')
    expect(timeOfDay(bars[134] ?? 0)).toBe('11:29')
    expect(timeOfDay(bars[135] ?? 0)).toBe('13:00')
    expect(timeOfDay(bars[224] ?? 0)).toBe('14:29')
    expect(timeOfDay(bars[225] ?? 0)).toBe('14:45')
    expect(optional.map(timeOfDay)).toEqual(['11:30', '14:30'])
  })
  it('run on UPCOM until 15:00 without auctions', () => {
    const { minutes: bars } = grid('UPCOM', DAY)
    expect(bars).toHaveLength(150 + 120)
    expect(timeOfDay(bars.at(-1) ?? 0)).toBe('14:59')
  })
  it('end at 15:00 UTC+7', () => {
    expect(closeInstant(DAY)).toBe(Date.UTC(2025, 10, 20, 8))
  })
})

describe('kinds', () => {
  it.each([
    ['VNM', 'stock'],
    ['A32', 'stock'],
    ['CTD', 'stock'],
    ['E1VFVN30', 'etf'],
    ['FUEVFVND', 'etf'],
    ['FUCVREIT', 'etf'],
    ['CVRE2505', 'covered_warrant'],
    ['VN30F2504', 'future'],
    ['41I1F4000', 'future'],
    ['41I1FC000', 'future'],
    ['41I2FA000', 'future'],
    ['GB05F2412', 'future'],
    ['42I1FAFC0', 'spread'],
    ['CVRE25051', 'stock'],
    ['XE1VFVN30', 'stock'],
  ])('reads %s as %s', (symbol, kind) => {
    expect(kindOf({ symbol })).toBe(kind)
  })
  it('believe a named underlying before the form of the code', () => {
    expect(kindOf({ symbol: 'ODD', cwUnderlyingSymbol: 'VRE' })).toBe('covered_warrant')
  })
  it('count ETFs in the totals of HOSE only, warrants and futures nowhere', () => {
    expect(countsInBoardTotals('etf', 'HOSE')).toBe(true)
    expect(countsInBoardTotals('etf', 'HNX')).toBe(false)
    expect(countsInBoardTotals('covered_warrant', 'HOSE')).toBe(false)
    expect(countsInBoardTotals('future', 'HNX')).toBe(false)
  })
})

describe('futures codes', () => {
  it('name one contract in two schemes', () => {
    expect(futuresCode({ underlying: 'VN30', year: 2025, month: 4 })).toBe('41I1F4000')
    expect(legacyFuturesCode({ underlying: 'VN30', year: 2025, month: 4 })).toBe('VN30F2504')
    expect(parseFuturesCode('41I1F4000')).toEqual(parseFuturesCode('VN30F2504'))
    expect(parseFuturesCode('41I1GC000')).toEqual({ underlying: 'VN30', year: 2026, month: 12 })
    expect(parseFuturesCode('VN30F2513')).toBeUndefined()
  })
})

describe('contracts end', () => {
  it.each([
    ['VN30F2504', '2025-04-17'],
    ['41I1G2000', '2026-02-19'],
    ['41I2FA000', '2025-10-16'],
    ['41B5FC000', '2025-12-15'],
    ['41BAFC000', '2025-12-25'],
    ['41X9FC000', undefined],
  ])('%s by rule on %s', (symbol, day) => {
    const contract = parseFuturesCode(symbol)
    expect(contract && expiryDay(contract)).toBe(day)
  })
})

describe('ticks and bands', () => {
  it('step with the price on HOSE', () => {
    const ladder = tickLadder('HOSE', 'stock', DAY)
    expect([9_990, 10_000, 49_950, 50_000].map((price) => tickAt(ladder, price))).toEqual([10, 50, 50, 100])
  })
  it('round the ceiling down and the floor up', () => {
    const ladder = tickLadder('HOSE', 'stock', DAY)
    expect(limitsAround(61_300, 7, ladder)).toEqual({ ceiling: 65_500, floor: 57_100 })
  })
  it('keep a tenth of a point exact', () => {
    const ladder = tickLadder('DERIVATIVE', 'VN30', DAY)
    expect(toTick(ladder, 1285.3, 'down')).toBe(1285.3)
    expect(toTick(ladder, 1285.37, 'up')).toBe(1285.4)
  })
  it('let a cheap share move by one tick', () => {
    expect(limitsAround(300, 10, tickLadder('HNX', 'stock', DAY))).toEqual({
      ceiling: 400,
      floor: 200,
    })
  })
})

describe('timeframes', () => {
  it('know their length', () => {
    expect(minutes('1h')).toBe(60)
    expect(isIntraday('1h')).toBe(true)
    expect(isIntraday('1d')).toBe(false)
    expect(isTimeframe('2m')).toBe(false)
  })
})
