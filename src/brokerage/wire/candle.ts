import { type Row, record } from './record.js'

/**
 * A candle (docs/brokerage-api.md#ohlc). Intraday `tradingDate` is the start of the bar, UTC+7
 * (docs/market-facts.md#minute-bars).
 */
export const candle = record(['symbol', 'tradingDate', 'open', 'high', 'low', 'close', 'volume', 'value'])

export type Candle = Row<(typeof candle.fields)[number]>
