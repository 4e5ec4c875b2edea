import { dayCount } from 'candlehouse-foundation/market/day'
import { minutes, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { PartRequest } from './account-parts.js'
import type { FetchedName, Window } from './datasets.js'

/**
 * A window has a ceiling: the largest number of rows that it can have. It stops a service that never ends its list
 * (docs/decisions/0042-a-window-has-a-ceiling.md). No correct response may reach it, so it counts calendar days instead of
 * sessions and the longest day of any board instead of the symbol's own, times this margin.
 */
const MARGIN = 2

/**
 * Minutes from the first open to the last close of any board, 08:45 to 15:00, both included; a test compares sessions.csv. Days were
 * longer before 2013, but the service has minutes of the last year alone (docs/market-facts.md#history).
 */
export const LONGEST_DAY_MINUTES = 376

/** Symbols of a session before a list is known: all boards together list about 2,000, warrants and bonds included. */
const UNKNOWN_MARKET = 10_000

/** Symbols of a session, at least: the list of symbols may be incomplete. */
const SMALLEST_MARKET = 1000

/** Orders of one account: those of a busy day, and those that wait from earlier days. */
const ORDERS_PER_DAY = 500
const ORDERS = 5000

/** Rows of a window, at most. @param listed number of listed symbols; 0 if unknown */
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

/** Records of a part of a snapshot, at most. Orders and conditional orders have pages; every other part is one response. */
export function partCeiling({ part, from, to }: Pick<PartRequest, 'part' | 'from' | 'to'>): number {
  return part === 'orderBook' ? ORDERS + ORDERS_PER_DAY * dayCount(from, to) : ORDERS
}

/** One bar more than fits, since a bar may begin before the open. */
function barsPerDay(timeframe: Timeframe): number {
  return timeframe === '1d' ? 1 : Math.ceil(LONGEST_DAY_MINUTES / minutes(timeframe)) + 1
}
