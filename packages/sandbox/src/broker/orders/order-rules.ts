import type { TradingBoard } from 'candlehouse-foundation/market/board'
import { toTick } from 'candlehouse-foundation/market/tick'
import type { Listing, Phase } from '../../market/exchange/market-view.js'
import { OrderRefused, type OrderType } from './order.js'

/**
 * Phases in which the broker accepts an order of a type. In `before` the order waits for its phase as IAV
 * (docs/market-facts.md#trading-hours).
 */
const ACCEPTED_PHASES: Readonly<
  Record<TradingBoard, Readonly<Partial<Record<OrderType, readonly Phase[]>>>>
> = {
  HOSE: {
    LO: ['before', 'ato', 'continuous', 'lunch', 'atc'],
    ATO: ['before', 'ato'],
    ATC: ['before', 'ato', 'continuous', 'lunch', 'atc'],
    ...inContinuous('MP', 'MOK', 'MTL', 'MAK'),
  },
  HNX: {
    LO: ['before', 'continuous', 'lunch', 'atc'],
    ATC: ['before', 'continuous', 'lunch', 'atc'],
    ...inContinuous('MP', 'MOK', 'MTL', 'MAK'),
  },
  UPCOM: { LO: ['before', 'continuous', 'lunch'] },
  DERIVATIVE: {
    LO: ['before', 'ato', 'continuous', 'lunch', 'atc'],
    ATO: ['before', 'ato'],
    ATC: ['before', 'ato', 'continuous', 'lunch', 'atc'],
    ...inContinuous('MP', 'MOK', 'MTL', 'MAK'),
  },
}

function inContinuous(...types: OrderType[]): Partial<Record<OrderType, readonly Phase[]>> {
  return Object.fromEntries(types.map((type) => [type, ['continuous'] as const]))
}

/** Whether an order type can go to the exchange now, has to wait at the broker for its phase, or is refused. */
export function acceptance(board: TradingBoard, phase: Phase, type: OrderType): 'now' | 'later' | 'no' {
  const phases = ACCEPTED_PHASES[board][type] ?? []
  if (!phases.includes(phase)) return 'no'
  if (phase === 'before') return 'later'
  return type === 'ATC' && phase !== 'atc' ? 'later' : 'now'
}

/** @throws OrderRefused */
export function checkPhase({ board, phase }: Listing, type: OrderType): void {
  if (phase === 'closed' || phase === 'after') throw new OrderRefused('marketClosed')
  if (acceptance(board, phase, type) === 'no') throw new OrderRefused('typeNotAllowedNow')
}

/** @throws OrderRefused */
export function checkQuantity(
  { lot, mostQuantity, instrument }: Listing,
  type: OrderType,
  quantity: number,
): void {
  if (!Number.isInteger(quantity) || quantity <= 0) throw new OrderRefused('badQuantity')
  if (quantity > mostQuantity) throw new OrderRefused('badQuantity')
  if (quantity % lot === 0) return
  if (quantity > lot) throw new OrderRefused('badLot')
  // Odd lots 1–99 are limit orders of shares (docs/market-facts.md#lots).
  if (type !== 'LO' || instrument.kind === 'covered_warrant') throw new OrderRefused('oddLot')
}

/** @throws OrderRefused */
export function checkPrice({ floor, ceiling, ladder }: Listing, price: number | undefined): void {
  if (price === undefined || !(price > 0)) throw new OrderRefused('missingPrice')
  if (price < floor) throw new OrderRefused('belowFloor')
  if (price > ceiling) throw new OrderRefused('aboveCeiling')
  if (Math.abs(toTick(ladder, price, 'nearest') - price) > 1e-9) throw new OrderRefused('badTick')
}

/**
 * Orders cannot be changed or cancelled during the auctions at HOSE and on derivatives, and during the closing
 * auction at HNX (exchange rules; the specification says only that exchanges differ).
 */
export function mayChange({ phase }: Listing): boolean {
  return phase !== 'ato' && phase !== 'atc'
}
