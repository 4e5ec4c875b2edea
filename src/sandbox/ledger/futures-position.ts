import { FUTURES_MULTIPLIER } from '../../market/futures.js'
import type { Instrument } from '../world/instrument.js'

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

/** Profit of a position at a price, VND: of closed contracts from their trade prices, of open ones from the price. */
export function profitOf(position: ContractPosition, price: number) {
  const { long, short, longAmount, shortAmount } = position
  const total = Math.round((shortAmount - longAmount + netOf(position) * price) * FUTURES_MULTIPLIER)
  const closed = Math.min(long, short)
  const trading =
    closed === 0 ? 0 : Math.round(closed * (shortAmount / short - longAmount / long) * FUTURES_MULTIPLIER)
  return { trading, floating: total - trading, total }
}

export function addTrade(position: ContractPosition, side: 'B' | 'S', quantity: number, price: number): void {
  const amount = Math.round(quantity * price * 10) / 10
  if (side === 'B') {
    position.long += quantity
    position.longAmount = Math.round((position.longAmount + amount) * 10) / 10
  } else {
    position.short += quantity
    position.shortAmount = Math.round((position.shortAmount + amount) * 10) / 10
  }
}

/** The position after the daily settlement: only open contracts, at the settlement price. */
export function settled(position: ContractPosition, price: number): ContractPosition {
  const net = netOf(position)
  const amount = Math.round(Math.abs(net) * price * 10) / 10
  return {
    instrument: position.instrument,
    long: Math.max(0, net),
    short: Math.max(0, -net),
    longAmount: net > 0 ? amount : 0,
    shortAmount: net < 0 ? amount : 0,
  }
}
