import { sqlFile } from '../duckdb/sqlfile.js'
import { isIntraday, minutes, TIMEFRAMES, type Timeframe } from '../market/timeframe.js'

/**
 * The catalog's `market.candle`: stored bars, and one branch for each timeframe that is derived: 1d from the daily
 * summaries, the others from 1m.
 *
 * @param stored query for the stored bars
 * @param fetched timeframes that were ever requested: only for them fetched bars can replace derived ones
 *
 * The queries contain paths. They are inserted by functions, because `$&` in a path must not act as a pattern.
 */
export function candleView(stored: string, fetched: readonly string[]): string {
  const derived = TIMEFRAMES.filter((timeframe) => timeframe !== '1m')
  const branches = derived.map((timeframe) =>
    branchOf(timeframe)
      .replace('FROM stored', () => `FROM (${stored}) stored`)
      .replace(
        'FROM fetched',
        () => `FROM (${fetched.includes(timeframe) ? stored : `${stored} LIMIT 0`}) fetched`,
      ),
  )
  return [
    sqlFile('market/candle.sql').replace('FROM stored', () => `FROM (${stored}) stored`),
    ...branches,
  ].join('\nUNION ALL\n')
}

function branchOf(timeframe: Timeframe): string {
  if (!isIntraday(timeframe)) return sqlFile('market/candle_daily.sql')
  return sqlFile('market/candle_derived.sql')
    .replaceAll('$timeframe', timeframe)
    .replaceAll('$seconds', String(minutes(timeframe) * 60))
}
