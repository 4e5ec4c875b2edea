import type { UTCTimestamp } from 'lightweight-charts'
import type { Bars } from './bars.js'

/** The time of a bar, as the library takes it. */
export function timeAt(bars: Bars, index: number): UTCTimestamp {
  return bars.time[index] as UTCTimestamp
}

/** Something per bar, from the bar of an index on. */
export function perBar<T>(bars: Bars, from: number, pointOf: (index: number) => T): T[] {
  return Array.from({ length: bars.length - from }, (_, offset) => pointOf(from + offset))
}

/** A series and what gives it its data, from the bar of an index on. */
export interface Layer<S> {
  readonly series: S
  fill(from: number): void
}
