import { UsageError } from 'candlehouse-foundation/errors'
import { isDay } from 'candlehouse-foundation/market/day'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { query } from '../read/query.js'
import { chainOf } from './adjustment-chain.js'
import { BAR_LENGTHS, type BarLength, isBarLength, isOfPeriod } from './bar-columns.js'

/** What a chart asks for, as the address says it. */
export interface CandleQuery {
  symbol: string
  timeframe: string
  /** Trading dates; empty: from the first, to the last. */
  from: string
  to: string
  adjusted: string
}

interface CheckedQuery {
  readonly symbol: string
  readonly timeframe: BarLength
  readonly from: string
  readonly to: string
  readonly isAdjusted: boolean
}

/** @throws UsageError for a missing symbol, a timeframe or a day that does not exist */
export function checkedQuery({ symbol, timeframe, from, to, adjusted }: CandleQuery): CheckedQuery {
  if (symbol === '') throw new UsageError('no symbol given', { hint: 'add ?symbol=FPT&timeframe=1d' })
  if (!isBarLength(timeframe)) {
    throw new UsageError(`${timeframe || 'an empty text'} is not a timeframe`, {
      hint: `use one of ${BAR_LENGTHS.join(', ')}`,
    })
  }
  for (const day of [from, to])
    if (day !== '' && !isDay(day))
      throw new UsageError(`${day} is not a day`, { hint: 'write it as 2025-03-14' })
  if (!['', '0', '1', 'true', 'false'].includes(adjusted))
    throw new UsageError(`adjusted=${adjusted} is neither true nor false`, {
      hint: 'adjusted=true or adjusted=false',
    })
  return { symbol, timeframe, from, to, isAdjusted: adjusted === '1' || adjusted === 'true' }
}

/**
 * Bars of a symbol as JSON text. Raw bars are exact: prices, volume and value as text. Adjusted ones are numbers.
 * `chain_known_from`: the session from which on these rest on known factors alone, null where none does; an index has no such field.
 * DuckDB writes the text: 60,000 bars (a year of minutes) take a tenth of the time that rows of values take.
 *
 * @throws UsageError for a timeframe or a day that does not exist
 */
export async function candlesText(catalog: LiveCatalog, asked: CandleQuery): Promise<string> {
  const { symbol, timeframe, from, to, isAdjusted } = checkedQuery(asked)
  const about = {
    symbol: literal(symbol),
    timeframe: literal(timeframe),
    first: literal(from || '0001-01-01'),
    last: literal(to || '9999-12-31'),
  }
  const sql = isOfPeriod(timeframe)
    ? sqlTemplate('console/candles_of_periods.sql', { ...about, adjusted: String(isAdjusted) })
    : sqlTemplate(`console/${isAdjusted ? 'candles_adjusted' : 'candles'}.sql`, about)
  return await catalog.use(async (reader) => {
    const { rows } = await query(reader, sql)
    const bars = rows.map(([block]) => String(block)).join(',')
    const [chain] = isAdjusted ? await chainOf(reader, symbol) : []
    const head = {
      symbol,
      timeframe,
      adjusted: isAdjusted,
      ...(chain ? { chain_known_from: chain.chain_known_from } : {}),
    }
    return `${JSON.stringify(head).slice(0, -1)},"bars":[${bars}]}`
  })
}
