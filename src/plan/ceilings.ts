import type { Day } from '../market/day.js'
import { minutes, type Timeframe } from '../market/timeframe.js'
import type { PartRequest } from './account-parts.js'
import type { FetchedName, Window } from './datasets.js'

/**
 * Most rows that a window can have. A service that never ends its list is stopped there
 * (docs/decisions/0042-a-window-has-a-ceiling.md). Generous, since an honest answer must never meet it: calendar days in
 * place of sessions, the longest day of any board in place of the symbol's own, and twice that.
 */
const MARGIN = 2

/** First open to last close of any board, 08:45 to 15:00, the last minute included; a test compares sessions.csv. */
export const LONGEST_DAY_MINUTES = 376

/** Symbols of a session while no list is known: all boards together list about 2,000, warrants and bonds included. */
const UNKNOWN_MARKET = 10_000

/** The list of symbols may itself be incomplete. */
const SMALLEST_MARKET = 1000

/** Orders of one account: a busy day of a program, and a stock of orders that wait. */
const ORDERS_PER_DAY = 500
const ORDERS = 5000

/** @param listed symbols that are listed; 0 while unknown */
export function windowCeiling(
  { dataset, key, timeframe, from, to }: Window<FetchedName>,
  listed: number,
): number {
  const days = dayCount(from, to)
  const market = listed === 0 ? UNKNOWN_MARKET : Math.max(SMALLEST_MARKET, MARGIN * listed)
  switch (dataset) {
    case 'ohlc':
      return MARGIN * days * barsPerDay(timeframe || '1d')
    case 'securitiesSummary':
    case 'masterdata':
      return key === '*' ? days * market : MARGIN * days
    case 'indexSummary':
      return MARGIN * days
    // Lists arrive in one page.
    case 'securities':
    case 'indexes':
    case 'indexMembers':
      return market
  }
}

/** Orders and conditional orders arrive in pages; every other part is one answer. */
export function partCeiling({ part, from, to }: Pick<PartRequest, 'part' | 'from' | 'to'>): number {
  return part === 'orderBook' ? ORDERS + ORDERS_PER_DAY * dayCount(from, to) : ORDERS
}

/** One bar more than fits, since a bar may begin before the open. */
function barsPerDay(timeframe: Timeframe): number {
  return timeframe === '1d' ? 1 : Math.ceil(LONGEST_DAY_MINUTES / minutes(timeframe)) + 1
}

/** Calendar days, both included. */
function dayCount(from: Day, to: Day): number {
  return Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1)
}
