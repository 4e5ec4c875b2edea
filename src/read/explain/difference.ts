import { type Day, exchangeTime } from 'candlehouse-foundation/market/day'
import { ruleOn } from 'candlehouse-foundation/market/rulebook'
import { closeInstant, openInstant } from 'candlehouse-foundation/market/sessions'
import { compareTexts } from '../../plan/text-order.js'
import type { Fill } from './account-history.js'

/**
 * What an event is: a `fill` of an order, its `fee` with tax, the `settlement` of trades, a `dividend`, the `expiry` of
 * contracts, `interest`, a `loan`. `position` and `cash` are changes that no event of these kinds explains.
 */
export type EventKind =
  | 'fill'
  | 'fee'
  | 'settlement'
  | 'dividend'
  | 'expiry'
  | 'interest'
  | 'loan'
  | 'position'
  | 'cash'

/**
 * An event at which two accounts of the same thing part. Nothing is assumed to make them agree: where several events would
 * explain the residual, all are candidates and none is chosen.
 */
export interface Difference {
  readonly kind: EventKind
  /** Session on which it falls, or the last one on which it can. */
  readonly day: Day
  /** ISO 8601, UTC; null where only the day is known. */
  readonly at: string | null
  readonly symbol: string | null
  readonly orderId: string | null
  /** Where it shows: in the order book or by a reference price, in positions or cash, or in both with other figures. */
  readonly seenIn: 'orders' | 'market' | 'service' | 'both'
  /** Shares, contracts, or VND. */
  readonly unit: 'shares' | 'contracts' | 'VND'
  readonly expected: number | null
  readonly actual: number | null
  /** Actual less expected. */
  readonly residual: number
  readonly reason: string
  /** Order ids, where several orders fit and none is chosen. */
  readonly candidates: readonly string[]
}

/** Orders whose figure equals `wanted`, within a tolerance. One alone is the event; several are candidates. */
export function fillsThatFit(
  fills: readonly Fill[],
  figure: (fill: Fill) => number | null,
  wanted: number,
  tolerance = 0,
): { readonly only: Fill | undefined; readonly candidates: readonly string[] } {
  const fitting = fills.filter((fill) => {
    const value = figure(fill)
    return value !== null && Math.abs(value - wanted) <= tolerance
  })
  const [only] = fitting
  return fitting.length === 1
    ? { only, candidates: [] }
    : { only: undefined, candidates: fitting.map(({ order_id }) => order_id) }
}

/** When an event without an instant can have happened at the latest, exchange time: by the hours of its day. */
function latestTime(kind: EventKind, day: Day): string {
  switch (kind) {
    case 'dividend':
    case 'interest':
      return timeAt(openInstant(day))
    case 'settlement':
      return (
        ruleOn('settlement_time', { board: 'HOSE', kind: 'stock' }, day)?.value ?? timeAt(closeInstant(day))
      )
    case 'fill':
    case 'fee':
    case 'expiry':
      return timeAt(closeInstant(day))
    // After all that has a time.
    case 'loan':
      return '23:57'
    case 'position':
      return '23:58'
    case 'cash':
      return '23:59'
  }
}

function timeAt(instantMs: number): string {
  return exchangeTime(instantMs).slice(11)
}

/** Orders differences as their events happened. */
export function byTime(one: Difference, other: Difference): number {
  return compareTexts(sortKey(one), sortKey(other))
}

function sortKey({ day, at, kind, symbol, orderId }: Difference): string {
  const time = at === null ? latestTime(kind, day) : timeAt(Date.parse(at))
  return [day, time, kind === 'fee' ? 'x' : '', kind, symbol ?? '', orderId ?? ''].join(' ')
}
