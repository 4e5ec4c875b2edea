import { sqlFile } from '../duckdb/sqlfile.js'
import { minutes, TIMEFRAMES } from '../market/timeframe.js'

const DERIVED = TIMEFRAMES.filter((timeframe) => timeframe !== '1m' && timeframe !== '1d')

/**
 * The catalog's `market.candle`: stored bars, and a branch per timeframe derived from 1m.
 *
 * @param stored query of the stored bars
 * @param fetched timeframes that were ever asked for: only they need the test that fetched rows win
 *
 * The queries hold paths, in which `$&` is not a pattern: they are put in by functions.
 */
export function candleView(stored: string, fetched: readonly string[]): string {
  const branch = sqlFile('market/candle_derived.sql')
  const branches = DERIVED.map((timeframe) => {
    const own = fetched.includes(timeframe) ? stored : `${stored} LIMIT 0`
    return branch
      .replaceAll('$timeframe', timeframe)
      .replaceAll('$seconds', String(minutes(timeframe) * 60))
      .replace('FROM stored', () => `FROM (${stored}) stored`)
      .replace('FROM fetched', () => `FROM (${own}) fetched`)
  })
  return [
    sqlFile('market/candle.sql').replace('FROM stored', () => `FROM (${stored}) stored`),
    ...branches,
  ].join('\nUNION ALL\n')
}
