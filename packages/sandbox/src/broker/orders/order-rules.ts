import { toTick } from 'candlehouse-foundation/market/tick'
import type { Listing, Phase } from '../../market/exchange/market-view.js'
import { OrderRefused, type OrderType } from './order.js'

/**
 * Phases in which the broker accepts an order of a type, on boards that have both. In `before` the order waits for its phase as
 * IAV (docs/market-facts.md#trading-hours).
 */
const ACCEPTED_PHASES: Readonly<Record<OrderType, readonly Phase[]>> = {
  LO: ['before', 'ato', 'continuous', 'lunch', 'atc'],
  ATO: ['before', 'ato'],
  ATC: ['before', 'ato', 'continuous', 'lunch', 'atc'],
  MP: ['continuous'],
  MTL: ['continuous'],
  MOK: ['continuous'],
  MAK: ['continuous'],
  PLO: ['plo'],
}

/** How a board and a day take orders: the part of a listing that decides about types. */
export type TypeRules = Pick<Listing, 'orderTypes' | 'phase'>

/** The board's order without a limit during continuous matching; undefined where it has none (UPCOM). */
export function marketType({ orderTypes }: Pick<Listing, 'orderTypes'>): 'MP' | 'MTL' | undefined {
  return (['MP', 'MTL'] as const).find((type) => orderTypes.includes(type))
}

/**
 * Whether the board has the type on this day. The specification names MP without a board or a day: by it, MP is the board's market
 * order, whatever that is called; live deployments take the names of the exchange.
 */
export function isOfBoard(
  listing: Pick<Listing, 'orderTypes'>,
  type: OrderType,
  dialect: 'spec' | 'live',
): boolean {
  if (type === 'MP' && dialect === 'spec') return marketType(listing) !== undefined
  return listing.orderTypes.includes(type)
}

/** Whether an order type can go to the exchange now, has to wait at the broker for its phase, or is refused. */
export function acceptance(phase: Phase, type: OrderType): 'now' | 'later' | 'no' {
  if (!ACCEPTED_PHASES[type].includes(phase)) return 'no'
  if (phase === 'before') return 'later'
  return type === 'ATC' && phase !== 'atc' ? 'later' : 'now'
}

/** @param listing what the order is for: of the next session once today's is over @throws OrderRefused */
export function checkType(listing: Listing, type: OrderType, dialect: 'spec' | 'live'): void {
  if (!isOfBoard(listing, type, dialect)) throw new OrderRefused('typeNotOfBoard')
  if (acceptance(listing.phase, type) === 'no') throw new OrderRefused('typeNotAllowedNow')
}

/** @throws OrderRefused */
export function checkQuantity(
  { lot, mostQuantity, instrument, oddLotTypes }: Listing,
  type: OrderType,
  quantity: number,
): void {
  if (!Number.isInteger(quantity) || quantity <= 0) throw new OrderRefused('badQuantity')
  if (quantity > mostQuantity) throw new OrderRefused('badQuantity')
  if (quantity % lot === 0) return
  if (quantity > lot) throw new OrderRefused('badLot')
  // Odd lots 1–99 are limit orders of shares (docs/market-facts.md#lots).
  if (!oddLotTypes.includes(type) || instrument.kind === 'covered_warrant') throw new OrderRefused('oddLot')
}

/** @throws OrderRefused */
export function checkPrice({ floor, ceiling, ladder }: Listing, price: number | undefined): void {
  if (price === undefined || !(price > 0)) throw new OrderRefused('missingPrice')
  if (price < floor) throw new OrderRefused('belowFloor')
  if (price > ceiling) throw new OrderRefused('aboveCeiling')
  if (Math.abs(toTick(ladder, price, 'nearest') - price) > 1e-9) throw new OrderRefused('badTick')
}

/**
 * Orders cannot be changed or cancelled during the auctions at HOSE and on derivatives, during the closing auction at HNX and in
 * its post-close session (exchange rules; the specification says only that exchanges differ).
 */
export function mayChange({ phase }: Listing): boolean {
  return phase !== 'ato' && phase !== 'atc' && phase !== 'plo'
}
