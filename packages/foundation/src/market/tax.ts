import type { Day } from './day.js'
import { ruleNumber } from './rulebook.js'

/** The income tax of persons is one for all boards of shares: the rows of HOSE, the oldest board, reach furthest back. */
const SHARES = { board: 'HOSE', kind: 'stock' } as const

/** Income tax on the value of a sale of shares, a fraction of it, on the day of the trade (docs/market-facts.md#settlement-and-tax). */
export function sellTax(day: Day): number {
  return ruleNumber('sell_tax', SHARES, day) / 100
}

/** Income tax on a cash dividend, a fraction of it, withheld on the day on which it is paid. */
export function dividendTax(day: Day): number {
  return ruleNumber('dividend_tax', SHARES, day) / 100
}
