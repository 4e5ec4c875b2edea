import type { TradingBoard } from './board.js'
import { type TickStep, tickAt, toTick } from './tick.js'

/** How far a price may move from its reference, in per cent. */
export interface Band {
  normal: number
  /** First trading day, or the first after 25 sessions without a trade. */
  wide: number
}

/** Daily bands by board (docs/market-facts.md#price-bands). */
export const BANDS: Record<TradingBoard, Band> = {
  HOSE: { normal: 7, wide: 20 },
  HNX: { normal: 10, wide: 30 },
  UPCOM: { normal: 15, wide: 40 },
  DERIVATIVE: { normal: 7, wide: 7 },
}

/** Sessions without a trade after which the wide band applies. */
export const IDLE_SESSIONS_FOR_WIDE_BAND = 25

export interface Limits {
  ceiling: number
  floor: number
}

/**
 * Ceiling rounded down and floor rounded up to the tick. Never used for rows of the warehouse: the
 * real bands differ for some UPCOM symbols, so limits always come from the service.
 */
export function limitsAround(reference: number, percent: number, ladder: readonly TickStep[]): Limits {
  const ceiling = toTick(ladder, (reference * (100 + percent)) / 100, 'down')
  const floor = toTick(ladder, (reference * (100 - percent)) / 100, 'up')
  const tick = tickAt(ladder, reference)
  return {
    // The price may always move by one tick, even if the band is narrower.
    ceiling: ceiling > reference ? ceiling : toTick(ladder, reference + tick, 'nearest'),
    floor: floor < reference ? floor : Math.max(tick, toTick(ladder, reference - tick, 'nearest')),
  }
}
