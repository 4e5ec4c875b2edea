import { sqlFile } from '../duckdb/sqlfile.js'
import { minutes, TIMEFRAMES } from '../market/timeframe.js'

const DERIVED = TIMEFRAMES.filter((timeframe) => timeframe !== '1m' && timeframe !== '1d')

/**
 * The catalog's `market.candle`: stored bars, and one branch for each timeframe that is derived from 1m.
 *
 * @param stored query for the stored bars
 * @param fetched timeframes that were ever requested: only for them fetched bars can replace derived ones
 *
 * The queries contain paths. They are inserted by functions, because `$&` in a path must not act as a pattern.
 */
export function candleView(stored: string, fetched: readonly string[]): string {
  const branch = sqlFile('market/candle_derived.sql')
  const branches = DERIVED.map((timeframe) => {
    const fetchedBars = fetched.includes(timeframe) ? stored : `${stored} LIMIT 0`
    return branch
      .replaceAll('$timeframe', timeframe)
      .replaceAll('$seconds', String(minutes(timeframe) * 60))
      .replace('FROM stored', () => `FROM (${stored}) stored`)
      .replace('FROM fetched', () => `FROM (${fetchedBars}) fetched`)
  })
  return [
    sqlFile('market/candle.sql').replace('FROM stored', () => `FROM (${stored}) stored`),
    ...branches,
  ].join('\nUNION ALL\n')
}
