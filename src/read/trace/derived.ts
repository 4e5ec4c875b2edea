import type { Reader } from '../../duckdb/reader.js'
import { literal } from '../../duckdb/sqlfile.js'
import { isTimeframe, minutes } from '../../market/timeframe.js'
import { objectsOf } from '../query.js'
import type { TracedPage } from './page.js'

/** The 1m bars that a derived candle is computed from, and the pages that they came in. */
export interface Derivation {
  readonly bars: readonly Record<string, unknown>[]
  readonly pages: readonly TracedPage[]
}

/** @param candle a row of the catalog's `market.candle` with `is_derived` */
export async function readDerivation(
  reader: Reader,
  candle: Readonly<Record<string, unknown>>,
): Promise<Derivation> {
  const [symbol, timeframe, openedAt, day] = ['symbol', 'timeframe', 'opened_at', 'trading_date'].map(
    (name) => String(candle[name]),
  )
  const length = isTimeframe(timeframe ?? '') ? minutes(timeframe as '5m') : 0
  const opened = `CAST(${literal(openedAt ?? '')} AS TIMESTAMPTZ)`
  const from = `FROM market.candle WHERE timeframe = '1m' AND symbol = ${literal(symbol ?? '')}
    AND trading_date = CAST(${literal(day ?? '')} AS DATE)
    AND opened_at >= ${opened} AND opened_at < ${opened} + INTERVAL ${length} MINUTE`
  return {
    bars: await objectsOf(
      reader,
      `SELECT opened_at, local_time, open, high, low, close, volume, value, request_id ${from} ORDER BY opened_at`,
    ),
    pages: await objectsOf<TracedPage>(
      reader,
      `SELECT * FROM ops.request WHERE request_id IN (SELECT request_id ${from}) ORDER BY request_id`,
    ),
  }
}
