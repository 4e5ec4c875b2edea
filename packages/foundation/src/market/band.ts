import { type TickStep, tickAt, toTick } from './tick.js'

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
