import { type Day, oneYearBefore } from 'candlehouse-foundation/market/day'

/**
 * First day of which candles shorter than a day are served on a trading date, and orders that are not open any more
 * (docs/brokerage-api.md#ohlc: one year).
 */
export function servedFrom(tradingDate: Day): Day {
  return oneYearBefore(tradingDate)
}
