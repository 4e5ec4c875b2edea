import type { Day } from 'candlehouse-foundation/market/day'
import { ruleOn } from 'candlehouse-foundation/market/rulebook'
import { sellTax } from 'candlehouse-foundation/market/tax'
import type { Instrument } from '../../market/world/instrument.js'
import { type Rate, shareOf } from './rate.js'

/** Brokerage on the value of a trade in shares: a usual tariff. */
export const FEE_RATE: Rate = { part: 15, of: 10_000 }
/** Brokerage and exchange fees of one contract, VND. */
const FEE_PER_CONTRACT = 5_400
/** Share of a contract's value that is needed as margin. */
export const INITIAL_MARGIN: Rate = { part: 17, of: 100 }
/** Shares of the assets: the broker calls for money when the equity is below the first, and sells below the second. */
export interface MarginRatios {
  readonly call: Rate
  readonly sell: Rate
}

export const USUAL_RATIOS: MarginRatios = { call: { part: 2, of: 5 }, sell: { part: 3, of: 10 } }
/** Yearly interest rate of margin loans. */
const LOAN_RATE: Rate = { part: 13, of: 100 }

/** Prices have at most six digits after the point. */
const PRICE_SCALE = 1_000_000

/** Value of a quantity at a price, VND; prices of contracts are index points. */
export function tradeValue(instrument: Instrument, quantity: number, price: number): number {
  return shareOf(
    Math.round(price * PRICE_SCALE),
    { part: quantity * instrument.multiplier, of: PRICE_SCALE },
    'nearest',
  )
}

/** Brokerage, whole VND, rounded down. */
export function feeOf(instrument: Instrument, quantity: number, price: number): number {
  if (instrument.kind === 'future') return quantity * FEE_PER_CONTRACT
  return shareOf(tradeValue(instrument, quantity, price), FEE_RATE, 'down')
}

/** Brokerage reserved for a whole order, rounded up: never less than the sum of the fees of its fills. */
export function reservedFee(instrument: Instrument, quantity: number, price: number): number {
  return shareOf(tradeValue(instrument, quantity, price), FEE_RATE, 'up')
}

/** Tax on a trade of a day, whole VND: shares when sold, contracts on both sides on half of their margin. */
export function taxOf(
  instrument: Instrument,
  side: 'B' | 'S',
  quantity: number,
  price: number,
  day: Day,
): number {
  const value = tradeValue(instrument, quantity, price)
  if (instrument.kind === 'future') {
    const { part, of } = percentRate(futuresTax(instrument, day))
    return shareOf(value, { part: INITIAL_MARGIN.part * part, of: INITIAL_MARGIN.of * of * 2 }, 'nearest')
  }
  return side === 'S' ? shareOf(value, percentRate(sellTax(day) * 100), 'nearest') : 0
}

/** Percent of half of the margin; 0 before the first day for which a tax is recorded. */
function futuresTax({ underlying }: Instrument, day: Day): number {
  return Number(ruleOn('futures_tax', { board: 'DERIVATIVE', kind: 'future', underlying }, day)?.value ?? 0)
}

/** Taxes have at most three digits after the point. */
function percentRate(percent: number): Rate {
  return { part: Math.round(percent * 1_000), of: 100_000 }
}

/** Margin of contracts at a price, whole VND, rounded up. */
export function marginOf(instrument: Instrument, contracts: number, price: number): number {
  return shareOf(tradeValue(instrument, Math.abs(contracts), price), INITIAL_MARGIN, 'up')
}

/** Interest of a loan over some nights, whole VND. */
export function interestOf(loan: number, nights: number): number {
  return shareOf(loan, { part: LOAN_RATE.part * nights, of: LOAN_RATE.of * 365 }, 'nearest')
}
