import { day, type Row } from './world.js'

/** What a source that writes values in billions with two decimals rounds them to, in VND. */
const STEP = 10_000_000

/** A value as such a source reports it. */
export const rounded = (value: number): number => Math.round(value / STEP) * STEP

/**
 * Daily summaries of a session from a source that rounds values to 0.01 billion VND: small names, whose values over their volumes
 * are far from any price of the day.
 *
 * @param count of names
 */
export function roundedMarket(count = 30): Row[] {
  return Array.from({ length: count }, (_, at) => {
    const price = 10_000 + 100 * (at % 40)
    const total_match = 501 + 137 * at
    const foreign = 37 + 11 * at
    return day({
      symbol: `R${String(at).padStart(2, '0')}`,
      open: price,
      high: price,
      low: price,
      close: price,
      average: price,
      total_match,
      total_match_value: rounded(price * total_match),
      total_buy: total_match + 13,
      total_sell: total_match + 17,
      total_trade_buy: 3,
      total_trade_sell: 3,
      total_foreign_buy: foreign,
      total_foreign_buy_value: rounded(price * foreign),
      total_foreign_sell: foreign,
      total_foreign_sell_value: rounded(price * foreign),
    })
  })
}

/** A daily summary of a large name from the same source. */
export function roundedDay(over: Row): Row {
  return day({ total_foreign_buy_value: 2_700_000_000, total_foreign_sell_value: 1_350_000_000, ...over })
}
