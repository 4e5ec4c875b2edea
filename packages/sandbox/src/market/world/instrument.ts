import type { Board } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Kind } from 'candlehouse-foundation/market/kind'

/** Constant data of an instrument. All data per day is computed from it. */
export interface Instrument {
  symbol: string
  /** Spreads are not simulated: no source states how they trade. */
  kind: Exclude<Kind, 'spread'>
  /** Seed of its price path; the two codes of one futures contract share it. */
  path: number
  /** Board at listing; see `moved`. */
  board: Board
  /** Transfer to another board from that session number on. */
  moved?: { from: number; board: Board }
  /** Splits beside the corporate actions that follow from the path, ascending. */
  splits?: readonly ExDate[]
  /** Session numbers of the first and last trading day. */
  first: number
  last: number
  /** Price about which the path moves: VND, or index points for futures. */
  base: number
  /** Calm paths move so little that a gap of several sessions stays inside one daily band. */
  calm: boolean
  /** Chance that a session sees a trade at all. */
  tradeChance: number
  /** Share of the minutes of a session that see a trade. */
  busy: number
  /** Scale of the volume of one bar, in round lots. */
  lots: number
  /** Shares or units listed. */
  listed: number
  industry: Industry
  warrant?: Warrant
  /** Index of a future. */
  underlying?: string
  /** VND per point of a future; 1 of others, whose prices are VND. */
  multiplier: number
  /** Session in which a futures contract expires, under whichever code. */
  expires?: number
  /** Last trading day of a warrant or future. */
  lastTradingDay?: Day
  maturityDay?: Day
}

/** A corporate action seen from the price: on its ex-date the reference is `factor` times the basis. */
export interface ExDate {
  session: number
  factor: number
}

interface Warrant {
  underlying: string
  /** VND. */
  exercisePrice: number
  /** Warrants for one share. */
  ratio: number
}

export interface Industry {
  code: string
  name: string
}

/** Supersectors of the Industry Classification Benchmark. */
export const INDUSTRIES: readonly Industry[] = [
  { code: '8300', name: 'Banks' },
  { code: '8600', name: 'Real Estate' },
  { code: '8700', name: 'Financial Services' },
  { code: '3500', name: 'Food and Beverage' },
  { code: '1700', name: 'Basic Resources' },
  { code: '1300', name: 'Chemicals' },
  { code: '2300', name: 'Construction and Materials' },
  { code: '2700', name: 'Industrial Goods and Services' },
  { code: '7500', name: 'Utilities' },
  { code: '9500', name: 'Technology' },
  { code: '5300', name: 'Retail' },
  { code: '0500', name: 'Oil and Gas' },
]

/** The board an instrument is listed on at a session. */
export function boardAt(instrument: Instrument, session: number): Board {
  const { moved } = instrument
  return moved && session >= moved.from ? moved.board : instrument.board
}

export function isListedAt(instrument: Instrument, session: number): boolean {
  return session >= instrument.first && session <= instrument.last
}
