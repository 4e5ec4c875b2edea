import { StorageError } from '../errors.js'
import type { TradingBoard } from './board.js'
import type { Day } from './day.js'
import { cell, holdsOn, readReference } from './reference.js'

/** One step of a ladder with its validity: a line of `data/reference/ticks.csv`. */
export interface TickRow {
  readonly board: string
  readonly kind: string
  readonly priceFrom: number
  readonly tick: number
  readonly validFrom: Day
  /** Last day, included; empty: it still holds. */
  readonly validTo: Day | ''
}

let table: readonly TickRow[] | undefined

/** Every step, in the order of the file. */
export function tickRows(): readonly TickRow[] {
  const columns = ['board', 'kind', 'price_from', 'tick', 'valid_from', 'valid_to']
  table ??= readReference('ticks', columns).map((row) => ({
    board: cell(row, 'board'),
    kind: cell(row, 'kind'),
    priceFrom: Number(cell(row, 'price_from')),
    tick: Number(cell(row, 'tick')),
    validFrom: cell(row, 'valid_from'),
    validTo: cell(row, 'valid_to'),
  }))
  return table
}

/** A step of the price ladder: `tick` applies from `priceFrom` upwards. VND, or index points for futures. */
export interface TickStep {
  priceFrom: number
  tick: number
}

/**
 * The whole ladder of a kind on a board on a day, lowest step first.
 *
 * @param kind of a future: its underlying
 */
export function tickLadder(board: TradingBoard, kind: string, day: Day): TickStep[] {
  const steps = tickRows().filter((row) => row.board === board && row.kind === kind && holdsOn(row, day))
  if (steps.length === 0) throw new StorageError(`ticks.csv has no tick for ${kind} on ${board} at ${day}`)
  return steps.map(({ priceFrom, tick }) => ({ priceFrom, tick })).sort((a, b) => a.priceFrom - b.priceFrom)
}

/** The smallest price step at a price. */
export function tickAt(ladder: readonly TickStep[], price: number): number {
  let tick = ladder[0]?.tick ?? 1
  for (const step of ladder) if (price >= step.priceFrom) tick = step.tick
  return tick
}

/** The nearest price on the ladder in a direction, rounded to a tenth so that no binary fraction remains. */
export function toTick(
  ladder: readonly TickStep[],
  price: number,
  direction: 'up' | 'down' | 'nearest',
): number {
  const tick = tickAt(ladder, price)
  const steps = price / tick
  const nearest = Math.round(steps)
  // A price on the ladder is not moved: 1285.3 / 0.1 is 12852.999… in binary.
  const exact = Math.abs(steps - nearest) < 1e-6
  const whole =
    exact || direction === 'nearest' ? nearest : direction === 'up' ? Math.ceil(steps) : Math.floor(steps)
  return Math.round(whole * tick * 10) / 10
}
