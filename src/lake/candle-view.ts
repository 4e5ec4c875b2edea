import { isIntraday, minutes, TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import { literal, sqlFile } from '../duckdb/sqlfile.js'

/** Timeframes that are derived from bars of a minute. */
const DERIVED = TIMEFRAMES.filter((timeframe) => isIntraday(timeframe) && timeframe !== '1m')

export interface CandleScans {
  /** Query for the files that can have bars of a minute. */
  readonly minutes: string
  /** Query for the files that can have longer ones. */
  readonly longer: string
  /** Query for the symbols and sessions whose bars are withheld; symbol null: the whole session. @default what the findings say */
  readonly withheld?: string
}

/**
 * The catalog's `market.candle`: stored bars, and those that are derived: 1d from the daily summaries, the others from 1m.
 *
 * @param fetched timeframes that were ever requested: only for them fetched bars can replace derived ones
 *
 * The queries contain paths. They are inserted by functions, because `$&` in a path must not act as a pattern.
 */
export function candleView(scans: CandleScans, fetched: readonly string[]): string {
  const { minutes: stored, longer, withheld = withheldBars() } = scans
  const fetchedOf = (timeframes: readonly string[]): string =>
    timeframes.some((timeframe) => fetched.includes(timeframe)) ? longer : `${longer} LIMIT 0`
  const derived = sqlFile('market/candle_derived.sql')
    .replace('$lengths', lengths())
    .replace('FROM stored', () => `FROM (${stored}) stored`)
    .replace('FROM fetched', () => `FROM (${fetchedOf(DERIVED)}) fetched`)
  const daily = sqlFile('market/candle_daily.sql')
    .replace('FROM withheld', () => `FROM (${withheld}) withheld`)
    .replace('FROM fetched', () => `FROM (${fetchedOf(['1d'])}) fetched`)
  // A file of an earlier version is in both.
  const bars = [`FROM (${stored}) WHERE timeframe = '1m'`, `FROM (${longer}) WHERE timeframe <> '1m'`].map(
    (query) => sqlFile('market/candle.sql').replace('FROM stored', () => `FROM (${query}) stored`),
  )
  return [...bars, `(${derived})`, `(${daily})`].join('\nUNION ALL\n')
}

function lengths(): string {
  return DERIVED.map((timeframe) => `(${literal(timeframe)}, ${minutes(timeframe) * 60})`).join(', ')
}

/** Symbols and sessions whose bars open findings withhold; symbol null: the whole session. */
export function withheldBars(): string {
  return sqlFile('recon/withheld_bar.sql').replace(
    'FROM withheld',
    () => `FROM (${sqlFile('recon/withheld.sql')}) withheld`,
  )
}
