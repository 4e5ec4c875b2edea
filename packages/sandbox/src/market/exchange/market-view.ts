import type { TradingBoard } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import type { TickStep } from 'candlehouse-foundation/market/tick'
import type { Instrument } from '../world/instrument.js'

/** A trade of the simulated market. */
export interface Print {
  symbol: string
  /** Epoch milliseconds. */
  at: number
  /** VND, or index points for futures. */
  price: number
  /** Price that the trade before it in the same minute had: the market has come from there. Its own for the first of a minute. */
  from: number
  /** Shares or contracts that traded at this price. */
  volume: number
  /** Set when an auction matched all its orders at this single price. */
  auction: 'ato' | 'atc' | undefined
}

/**
 * The phase of a board: `before` the first phase of a session, `lunch` between two continuous phases, `plo` trades at the closing
 * price, `after` the last one in which orders match, `closed` on days without a session.
 */
export type Phase = 'before' | 'ato' | 'continuous' | 'lunch' | 'atc' | 'plo' | 'after' | 'closed'

/** Data of the exchange about an instrument today. */
export interface Listing {
  instrument: Instrument
  board: TradingBoard
  /** Session number of the current day; of the next session on a day without one. */
  session: number
  day: Day
  phase: Phase
  /** No trade is possible: suspended. */
  halted: boolean
  /** VND, or index points. */
  reference: number
  ceiling: number
  floor: number
  ladder: readonly TickStep[]
  /** Shares or contracts. */
  lot: number
  /** Largest order, shares or contracts; infinite where the rulebook has no limit. */
  mostQuantity: number
  /** Types that the board takes on this day. */
  orderTypes: readonly string[]
  /** Types that it takes for fewer shares than a lot. */
  oddLotTypes: readonly string[]
  /** Whether auctions match orders without a limit before all others, or by the time at which they came. */
  auctionOrdersFirst: boolean
}

/** Prices between which the market has traded in a minute. */
export interface PriceRange {
  low: number
  high: number
}

/** The price of a range that is nearest to a price. */
export function within({ low, high }: PriceRange, price: number): number {
  return Math.min(high, Math.max(low, price))
}

/**
 * Best prices on both sides, and the quantity at each of them: shares or contracts. They lie within the minute of the market's latest
 * trade, so that no order trades at a price that the candles do not have.
 */
export interface Quote extends PriceRange {
  bid: number
  ask: number
  depth: number
}

export type PrintListener = (print: Print) => void

export type PhaseListener = (board: TradingBoard, phase: Phase, day: Day) => void

/** The simulated market as the order desk and conditional orders see it. */
export interface Market {
  /** Undefined for a symbol that is not listed on the current day. */
  listing(symbol: string): Listing | undefined
  /** What an order that is placed now is for: today's listing, and when today's matching is over that of the next session. */
  upcoming(symbol: string): Listing | undefined
  /** Price of the latest print up to now; today's reference before the first. Undefined as for `listing`. */
  last(symbol: string): number | undefined
  /**
   * While a board matches continuously, and in `plo`: then both prices are the closing price. Undefined otherwise, and as long as
   * nothing has traded in the session.
   */
  quote(symbol: string): Quote | undefined
  /** An order has traded with the market at its best price: where orders move it, prices and candles show that. */
  traded(symbol: string, side: 'B' | 'S', price: number, quantity: number): void
  /** Calls the listener with every later print of a symbol, in order of time, until the returned function is called. */
  watch(symbol: string, listener: PrintListener): () => void
  /** Calls the listener when a board enters a phase. */
  onPhase(listener: PhaseListener): void
}
