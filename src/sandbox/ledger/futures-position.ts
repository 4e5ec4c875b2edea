import { FUTURES_MULTIPLIER } from '../../market/futures.js'
import type { Instrument } from '../world/instrument.js'

/** One account's contracts of one symbol since the last daily settlement; what was carried stands at its price. */
export interface ContractPosition {
  readonly instrument: Instrument
  /** Contracts carried into the session at the last settlement price, and bought since. */
  long: number
  short: number
  /** Index points × contracts of both sides. */
  longAmount: number
  shortAmount: number
}

export function netOf({ long, short }: ContractPosition): number {
  return long - short
}

/** What a position is worth at a price, VND: closed contracts by what they were traded for, open ones by the price. */
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

/** After the daily settlement only what is open is left, at the settlement price. */
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
