import type { UTCTimestamp } from 'lightweight-charts'
import type { Bars } from './bars.js'

/** The time of a bar, as the library takes it. */
export function timeAt(bars: Bars, index: number): UTCTimestamp {
  return bars.time[index] as UTCTimestamp
}

/** Something per bar, from the bar of an index on. */
export function perBar<T>(bars: Bars, from: number, pointOf: (index: number) => T): T[] {
  const points: T[] = []
  for (let index = from; index < bars.length; index += 1) points.push(pointOf(index))
  return points
}

/** A series and what gives it its data, from the bar of an index on. */
export interface Layer<S> {
  readonly series: S
  fill(from: number): void
}
