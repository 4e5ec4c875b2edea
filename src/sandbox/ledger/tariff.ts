import { FUTURES_MULTIPLIER } from '../../market/futures.js'
import type { Instrument } from '../world/instrument.js'

/** Brokerage on the value of a trade in shares: a usual tariff. */
const FEE_RATE = 0.0015
/** Brokerage and exchange fees of one contract, VND. */
const FEE_PER_CONTRACT = 5_400
/** Personal income tax on the value of a sale (docs/market-facts.md#settlement-and-tax). */
const SELL_TAX_RATE = 0.001
/** Share of a contract's value that is needed as margin. */
export const INITIAL_MARGIN = 0.17
/** Yearly interest rate of margin loans. */
export const LOAN_RATE = 0.13

/** Value of a quantity at a price, VND; prices of contracts are index points. */
export function tradeValue(instrument: Instrument, quantity: number, price: number): number {
  const multiplier = instrument.kind === 'future' ? FUTURES_MULTIPLIER : 1
  return Math.round(quantity * price * multiplier)
}

/** Brokerage, whole VND, rounded down. */
export function feeOf(instrument: Instrument, quantity: number, price: number): number {
  if (instrument.kind === 'future') return quantity * FEE_PER_CONTRACT
  return Math.floor(tradeValue(instrument, quantity, price) * FEE_RATE)
}

/** Brokerage reserved for a whole order, rounded up: never less than the sum of the fees of its fills. */
export function reservedFee(instrument: Instrument, quantity: number, price: number): number {
  return Math.ceil(tradeValue(instrument, quantity, price) * FEE_RATE)
}

/** Tax on a trade, whole VND: shares when sold, contracts on both sides on half of their margin. */
export function taxOf(instrument: Instrument, side: 'B' | 'S', quantity: number, price: number): number {
  const value = tradeValue(instrument, quantity, price)
  if (instrument.kind === 'future') return Math.round((value * INITIAL_MARGIN * SELL_TAX_RATE) / 2)
  return side === 'S' ? Math.round(value * SELL_TAX_RATE) : 0
}

/** Margin of contracts at a price, VND. */
export function marginOf(instrument: Instrument, contracts: number, price: number): number {
  return Math.ceil(tradeValue(instrument, Math.abs(contracts), price) * INITIAL_MARGIN)
}
