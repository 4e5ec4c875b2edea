import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LONG } from '../../../../test/support/long.js'
import { profitOf } from '../../src/broker/ledger/futures-position.js'
import { isBelow, quotientText, shareOf } from '../../src/broker/ledger/rate.js'
import {
  feeOf,
  interestOf,
  marginOf,
  reservedFee,
  taxOf,
  tradeValue,
} from '../../src/broker/ledger/tariff.js'
import type { Instrument } from '../../src/market/world/instrument.js'
import { openTestBroker } from './test-broker.js'

const { world } = openTestBroker()
const instrument = (symbol: string): Instrument => world.find(symbol) as Instrument
const [share, future] = [instrument('FPT'), instrument('41I1FC000')]

/** An exact fraction; the oracle of this file. It only compares and subtracts, and never divides. */
type Exact = readonly [part: bigint, of: bigint]

/** The one whole number that is `value` rounded in a direction: halves go up. */
function isRounded(result: number, [part, of]: Exact, rounding: 'up' | 'down' | 'nearest'): boolean {
  const difference = BigInt(result) * of - part
  if (rounding === 'up') return difference >= 0n && difference < of
  if (rounding === 'down') return difference <= 0n && difference > -of
  return 2n * difference <= of && 2n * difference > -of
}

const DAY = '2025-03-14'

const seed = 20_251_120
const runs = { seed, numRuns: LONG ? 2_000 : 500 }
const amount = fc.integer({ min: 0, max: 1_000_000_000_000 })
const quantity = fc.integer({ min: 1, max: 500_000 })
/** Index points as tenths. */
const tenths = fc.integer({ min: 1, max: 50_000 })
const price = fc.integer({ min: 10, max: 1_000_000 })

describe('a share of an amount', () => {
  test('is the exact fraction, rounded as asked, on both sides of zero', () => {
    const whole = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
    const rounding = fc.constantFrom('up', 'down', 'nearest')
    const positive = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(whole, positive, positive, rounding, (value, part, of, way) =>
        isRounded(shareOf(value, { part, of }, way), [BigInt(value) * BigInt(part), BigInt(of)], way),
      ),
      runs,
    )
  })
  test('of a value that is not a whole number is refused', () => {
    expect(() => shareOf(0.5, { part: 1, of: 2 }, 'up')).toThrow(RangeError)
  })
  test.each([
    ['130,000,000 × 17 %: as doubles 22,100,000.000000004', marginOf(future, 1, 1_300), 22_100_000],
    ['2 contracts at 1,300.3', marginOf(future, 2, 1_300.3), 44_210_200],
    ['a fee of 0.15 % of 13,000,000', feeOf(share, 1_000, 13_000), 19_500],
    ['a fee of 0.15 % of 1,000, rounded down', feeOf(share, 1, 1_000), 1],
    ['the same reserved, rounded up', reservedFee(share, 1, 1_000), 2],
    ['tax of 0.1 % of 1,500, a half', taxOf(share, 'S', 1, 1_500, DAY), 2],
    ['the tax of 2012, half of it', taxOf(share, 'S', 1_000, 1_500, '2012-06-01'), 750],
    ['tax on a contract at 1,300: half of 22,100,000 × 0.1 %', taxOf(future, 'B', 1, 1_300, DAY), 11_050],
    ['interest of 60,000,000 over one night at 13 %', interestOf(60_000_000, 1), 21_370],
  ])('%s', (_, result, expected) => {
    expect(result).toBe(expected)
  })
})

describe('the tariff equals exact rational arithmetic', () => {
  test('for contracts', () => {
    fc.assert(
      fc.property(quantity, tenths, (contracts, points) => {
        const value = BigInt(contracts) * BigInt(points) * 10_000n
        expect(tradeValue(future, contracts, points / 10)).toBe(Number(value))
        expect(isRounded(marginOf(future, contracts, points / 10), [value * 17n, 100n], 'up')).toBe(true)
        const tax = taxOf(future, 'S', contracts, points / 10, DAY)
        expect(isRounded(tax, [value * 17n, 200_000n], 'nearest')).toBe(true)
      }),
      runs,
    )
  })
  test('for shares', () => {
    fc.assert(
      fc.property(quantity, price, (shares, vnd) => {
        const value = BigInt(shares) * BigInt(vnd)
        expect(isRounded(feeOf(share, shares, vnd), [value * 15n, 10_000n], 'down')).toBe(true)
        expect(isRounded(reservedFee(share, shares, vnd), [value * 15n, 10_000n], 'up')).toBe(true)
        expect(isRounded(taxOf(share, 'S', shares, vnd, DAY), [value, 1_000n], 'nearest')).toBe(true)
      }),
      runs,
    )
  })
  test('for interest', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 12 }), (loan, nights) =>
        isRounded(interestOf(loan, nights), [BigInt(loan) * 13n * BigInt(nights), 36_500n], 'nearest'),
      ),
      runs,
    )
  })
  test('for the profit of closed contracts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 500 }),
        tenths,
        tenths,
        tenths,
        (long, short, bought, sold, now) => {
          const position = {
            instrument: future,
            long,
            short,
            longAmount: (long * bought) / 10,
            shortAmount: (short * sold) / 10,
          }
          const { total, trading } = profitOf(position, now / 10)
          const closed = BigInt(Math.min(long, short))
          expect(trading).toBe(Number(closed * BigInt(sold - bought) * 10_000n))
          expect(total).toBe((short * sold - long * bought + (long - short) * now) * 10_000)
        },
      ),
      runs,
    )
  })
})

describe('ratios', () => {
  test('are compared without rounding: two fifths are not below two fifths', () => {
    expect(isBelow(2, 5, { part: 4, of: 10 })).toBe(false)
    expect(isBelow(399_999_999_999, 1_000_000_000_000, { part: 2, of: 5 })).toBe(true)
  })
  test.each([
    [1, 3, '0.3333'],
    [2, 3, '0.6667'],
    [-2, 3, '-0.6667'],
    [5, 1, '5'],
    [1, 20_000, '0.0001'],
    [1, 30_000, '0'],
    [7, 0, '0'],
  ])('%d / %d is written as %s', (part, of, text) => {
    expect(quotientText(part, of, 4)).toBe(text)
  })
})
