import { mix, unit } from './hash.js'
import type { Instrument } from './instrument.js'

/** A corporate action seen from the price: on its ex-date the reference is `factor` times the basis. */
export interface ExDate {
  session: number
  factor: number
}

/** Sessions in about a year: one cash dividend each, and in some a stock dividend. */
const YEAR = 250

/** All ex-dates of an instrument up to a session number, ascending. */
export function exDates(instrument: Instrument, until: number): ExDate[] {
  if (instrument.kind !== 'stock') return []
  const { path, first, last } = instrument
  const dates: ExDate[] = []
  for (let year = 0; year * YEAR < until; year++) {
    const cash = year * YEAR + 10 + (mix(path, year, 41) % 90)
    dates.push({ session: cash, factor: 1 - 0.01 - 0.03 * unit(path, year, 42) })
    if (unit(path, year, 43) < 0.35) {
      const stock = year * YEAR + 120 + (mix(path, year, 44) % 110)
      dates.push({ session: stock, factor: 1 / (1.1 + 0.1 * unit(path, year, 45)) })
    }
  }
  return dates.filter(({ session }) => session > first + 1 && session <= last)
}
