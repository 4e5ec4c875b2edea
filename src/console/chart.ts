import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { type QueryResult, query } from '../read/query.js'
import { type CandleQuery, checkedQuery } from './candles.js'

/**
 * All that the chart page draws, as JSON text in one answer: bars as columns of numbers, sessions, adjustment events, phases, and
 * the bars of a second symbol. One publication answers all of it, and the page waits once.
 *
 * @param other a second symbol; empty: none
 * @throws UsageError for a timeframe or a day that does not exist
 */
export async function chartText(catalog: LiveCatalog, asked: CandleQuery, other: string): Promise<string> {
  const { symbol, timeframe, from, isAdjusted } = checkedQuery(asked)
  const first = literal(from || '0001-01-01')
  const bars = isAdjusted ? 'chart_bars_adjusted' : 'chart_bars'
  return await catalog.use(async (reader) => {
    const ask = async (name: string, parts: Record<string, string>): Promise<QueryResult> =>
      await query(reader, sqlTemplate(`console/${name}.sql`, parts))
    const barsOf = async (name: string): Promise<string> => {
      const { rows } = await ask(bars, { symbol: literal(name), timeframe: literal(timeframe), first })
      return String(rows[0]?.[0])
    }
    const about = { symbol: literal(symbol) }
    const parts = [
      `"bars":${await barsOf(symbol)}`,
      `"otherBars":${other === '' ? 'null' : await barsOf(other)}`,
      `"days":${JSON.stringify(await ask('chart_days', { ...about, first }))}`,
      `"events":${JSON.stringify(await ask('chart_events', about))}`,
      `"phases":${JSON.stringify(await ask('chart_phases', about))}`,
    ]
    return `{${parts.join(',')}}`
  })
}
