import { mix, unit } from './hash.js'
import type { ExDate, Instrument } from './instrument.js'

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
  const splits = instrument.splits ?? []
  // One action per ex-date: a split takes the place of what the path has on its day.
  const drawn = dates.filter(({ session }) => !splits.some((split) => split.session === session))
  return [...drawn, ...splits]
    .filter(({ session }) => session > first + 1 && session <= last)
    .sort((a, b) => a.session - b.session)
}
