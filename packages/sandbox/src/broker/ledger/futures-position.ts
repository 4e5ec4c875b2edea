import type { Instrument } from '../../market/world/instrument.js'
import { shareOf } from './rate.js'

/**
 * Contracts of a symbol in an account since the last daily settlement. Contracts carried over count at the settlement
 * price.
 */
export interface ContractPosition {
  readonly instrument: Instrument
  /** Contracts carried over and bought since. */
  long: number
  short: number
  /** Sum of price × contracts of each side, in index points. */
  longAmount: number
  shortAmount: number
}

export function noContracts(instrument: Instrument): ContractPosition {
  return { instrument, long: 0, short: 0, longAmount: 0, shortAmount: 0 }
}

export function netOf({ long, short }: ContractPosition): number {
  return long - short
}

/** Prices and sums of prices have one digit after the point: as tenths they are whole numbers. */
export function inTenths(points: number): number {
  return Math.round(points * 10)
}

/** Profit of a position at a price, VND: of closed contracts from their trade prices, of open ones from the price. */
export function profitOf(position: ContractPosition, price: number) {
  const { instrument, long, short, longAmount, shortAmount } = position
  const vndPerTenth = instrument.multiplier / 10
  const [bought, sold] = [inTenths(longAmount), inTenths(shortAmount)]
  const total = (sold - bought + netOf(position) * inTenths(price)) * vndPerTenth
  const closed = Math.min(long, short)
  // Contracts closed × (average of the sales − average of the purchases), over one denominator.
  const trading =
    closed === 0
      ? 0
      : shareOf(sold * long - bought * short, { part: closed * vndPerTenth, of: long * short }, 'nearest')
  return { trading, floating: total - trading, total }
}

export function addTrade(position: ContractPosition, side: 'B' | 'S', quantity: number, price: number): void {
  const amount = (quantity * inTenths(price)) / 10
  if (side === 'B') {
    position.long += quantity
    position.longAmount = inTenths(position.longAmount + amount) / 10
  } else {
    position.short += quantity
    position.shortAmount = inTenths(position.shortAmount + amount) / 10
  }
}

/** The position after the daily settlement: only open contracts, at the settlement price. */
export function settled(position: ContractPosition, price: number): ContractPosition {
  const net = netOf(position)
  const amount = (Math.abs(net) * inTenths(price)) / 10
  return {
    instrument: position.instrument,
    long: Math.max(0, net),
    short: Math.max(0, -net),
    longAmount: net > 0 ? amount : 0,
    shortAmount: net < 0 ? amount : 0,
  }
}
