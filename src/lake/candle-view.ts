import { isIntraday, minutes, TIMEFRAMES, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import { sqlFile } from '../duckdb/sqlfile.js'

/**
 * The catalog's `market.candle`: stored bars, and one branch for each timeframe that is derived: 1d from the daily
 * summaries, the others from 1m.
 *
 * @param scans queries for the files that can have bars of a minute, and longer ones
 * @param fetched timeframes that were ever requested: only for them fetched bars can replace derived ones
 *
 * The queries contain paths. They are inserted by functions, because `$&` in a path must not act as a pattern.
 */
export function candleView(
  scans: { readonly minutes: string; readonly longer: string },
  fetched: readonly string[],
): string {
  const derived = TIMEFRAMES.filter((timeframe) => timeframe !== '1m')
  const branches = derived.map((timeframe) =>
    branchOf(timeframe)
      .replace('FROM stored', () => `FROM (${scans.minutes}) stored`)
      .replace(
        'FROM fetched',
        () => `FROM (${fetched.includes(timeframe) ? scans.longer : `${scans.longer} LIMIT 0`}) fetched`,
      ),
  )
  // A file of an earlier version is in both.
  const stored = [
    `FROM (${scans.minutes}) WHERE timeframe = '1m'`,
    `FROM (${scans.longer}) WHERE timeframe <> '1m'`,
  ]
  return [
    ...stored.map((query) =>
      sqlFile('market/candle.sql').replace('FROM stored', () => `FROM (${query}) stored`),
    ),
    ...branches,
  ].join('\nUNION ALL\n')
}

function branchOf(timeframe: Timeframe): string {
  if (!isIntraday(timeframe))
    return sqlFile('market/candle_daily.sql').replaceAll(
      'FROM withheld\n',
      () => `FROM (${sqlFile('recon/withheld.sql')}) withheld\n`,
    )
  return sqlFile('market/candle_derived.sql')
    .replaceAll('$timeframe', timeframe)
    .replaceAll('$seconds', String(minutes(timeframe) * 60))
}
