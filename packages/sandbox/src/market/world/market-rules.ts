import type { TradingBoard } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import { tradingBoard } from 'candlehouse-foundation/market/kind'
import { ruleNumber, ruleOn } from 'candlehouse-foundation/market/rulebook'
import { boardAt, type Instrument } from './instrument.js'

/** A rule of the market for an instrument in a session of a day: `data/reference/market_rules.csv`. */
function ruleAt(rule: string, instrument: Instrument, session: number, day: Day): number {
  const { kind, underlying } = instrument
  return ruleNumber(rule, { board: boardOf(instrument, session), kind, underlying }, day)
}

/** The board whose rules an instrument trades by. */
export function boardOf(instrument: Instrument, session: number): TradingBoard {
  return tradingBoard(instrument.kind, boardAt(instrument, session))
}

/** Round lot: shares, or contracts. */
export function lotAt(instrument: Instrument, session: number, day: Day): number {
  return ruleAt('lot_size', instrument, session, day)
}

/** Largest order, shares or contracts; infinite where no limit is recorded. */
export function mostQuantityAt(instrument: Instrument, session: number, day: Day): number {
  const { kind, underlying } = instrument
  const limit = ruleOn('order_limit', { board: boardOf(instrument, session), kind, underlying }, day)
  return limit ? Number(limit.value) : Number.POSITIVE_INFINITY
}

/** Types of orders that a board takes on a day, as the rulebook writes them. */
export function orderTypesAt(instrument: Instrument, session: number, day: Day): readonly string[] {
  return wordsOf('order_types', instrument, session, day)
}

/** Types that it takes for fewer shares than a lot; none before odd lots traded there. */
export function oddLotTypesAt(instrument: Instrument, session: number, day: Day): readonly string[] {
  return wordsOf('odd_lot_orders', instrument, session, day)
}

/** Whether an auction matches orders without a limit before all others. */
export function auctionOrdersFirstAt(instrument: Instrument, session: number, day: Day): boolean {
  return wordsOf('order_priority', instrument, session, day)[0] === 'auction'
}

function wordsOf(rule: string, instrument: Instrument, session: number, day: Day): readonly string[] {
  const { kind, underlying } = instrument
  const holding = ruleOn(rule, { board: boardOf(instrument, session), kind, underlying }, day)
  return holding?.value.split(' ') ?? []
}

/** How far a price may move from its reference, per cent: as usual, on the first day, after many sessions without a trade. */
export function bandsAt(
  instrument: Instrument,
  session: number,
  day: Day,
): { usual: number; firstDay: number; afterIdle: number } {
  // A warrant's limits follow from those of its share: the sandbox gives it the band of the board.
  const scope = instrument.kind === 'covered_warrant' ? { ...instrument, kind: 'stock' as const } : instrument
  const usual = ruleAt('price_band', scope, session, day)
  // Shares alone have wider ones.
  if (instrument.kind !== 'stock') return { usual, firstDay: usual, afterIdle: usual }
  return {
    usual,
    firstDay: ruleAt('price_band_first_day', instrument, session, day),
    afterIdle: ruleAt('price_band_idle', instrument, session, day),
  }
}

/** Sessions without a trade after which a wider band applies. */
export function idleSessions(instrument: Instrument, session: number, day: Day): number {
  return ruleAt('idle_sessions', instrument, session, day)
}
