import type { TradingBoard } from '../../market/board.js'
import type { Day } from '../../market/day.js'
import type { TickStep } from '../../market/tick.js'
import type { Instrument } from '../world/instrument.js'

/** One trade of the simulated market, seen by everybody. */
export interface Print {
  symbol: string
  /** Epoch milliseconds. */
  at: number
  /** VND, or index points for futures. */
  price: number
  /** Shares or contracts that traded at this price. */
  volume: number
  /** Set where an auction was crossed at this one price. */
  auction: 'ato' | 'atc' | undefined
}

/**
 * Where a board stands: `before` the first phase of a session, `lunch` between two continuous phases, `after` the
 * last one in which orders match, `closed` on days without a session.
 */
export type Phase = 'before' | 'ato' | 'continuous' | 'lunch' | 'atc' | 'after' | 'closed'

/** What the exchange says of an instrument today. */
export interface Listing {
  instrument: Instrument
  board: TradingBoard
  /** Session number of the day reached; the next session's on a day without one. */
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
}

/** Best prices on both sides and how much stands there, shares or contracts. */
export interface Quote {
  bid: number
  ask: number
  depth: number
}

/** The simulated market as the order desk and conditional orders see it. */
export interface Market {
  /** Undefined for a symbol that is not listed on the day reached. */
  listing(symbol: string): Listing | undefined
  /** Price of the latest print up to now; today's reference before the first. Undefined as for `listing`. */
  last(symbol: string): number | undefined
  /** Only while a board matches continuously; undefined otherwise. */
  quote(symbol: string): Quote | undefined
  /** Hears every print of a symbol from now on, in order of time, until the returned function is called. */
  watch(symbol: string, hear: (print: Print) => void): () => void
  /** Hears when a board enters a phase. */
  onPhase(hear: (board: TradingBoard, phase: Phase, day: Day) => void): void
}
