import { type Row, record } from './record.js'

/** A candle (spec, OHLCV candle). Intraday `tradingDate` is the start of the bar, UTC+7 (field notes §2). */
export const candle = record(['symbol', 'tradingDate', 'open', 'high', 'low', 'close', 'volume', 'value'])

export type Candle = Row<(typeof candle.fields)[number]>
