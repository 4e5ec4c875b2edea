import type { Board } from 'candlehouse-foundation/market/board'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { Day, Decimal } from './values.js'

/**
 * Typed requests, one per endpoint, in the specification's order (docs/brokerage-api.md#market-data,
 * docs/brokerage-api.md#accounts). Days are exchange days.
 */

/** Pages start at 1. Absent: the service's defaults (docs/brokerage-api.md#limits). */
export interface Paging {
  readonly pageIndex?: number
  readonly pageSize?: number
}

/** One of the members of `Choices`, and not even an undefined value for the others. */
export type ExactlyOne<Choices> = {
  [Name in keyof Choices]: Pick<Choices, Name> & { readonly [Other in Exclude<keyof Choices, Name>]?: never }
}[keyof Choices]

/** The same, or none of them. */
export type AtMostOne<Choices> = ExactlyOne<Choices> | { readonly [Name in keyof Choices]?: never }

/** At most one of the three; none means every security. */
export type SecuritiesByBoardRequest = AtMostOne<{
  readonly symbol: string
  readonly board: Board
  readonly index: string
}>

/** One of symbol and index, or neither where the service allows it; both ends inclusive. */
export type SecuritiesSummaryRequest = Paging & {
  readonly from: Day
  readonly to: Day
} & AtMostOne<{ readonly symbol: string; readonly index: string }>

/** Exactly one of board and index. Without `tradingDate` the service answers its latest day. */
export type IndexSummaryRequest = ExactlyOne<{ readonly board: Board; readonly index: string }> & {
  readonly tradingDate?: Day
}

/** Without a board: indexes of all boards. */
export interface IndexListRequest {
  readonly board?: Board
}

/** Without days: the latest day. */
export interface MasterdataRequest extends Paging {
  readonly from?: Day
  readonly to?: Day
}

/** Whole days, both inclusive; intraday only the latest year (docs/brokerage-api.md#limits). */
export interface OhlcRequest extends Paging {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly from: Day
  readonly to: Day
}

/** `clientId` (six digits) is derived from the account number when absent. */
export interface AccountRequest {
  readonly accountNo: string
  readonly clientId?: string
}

/** `querySummary` false gives each derivative position; derivative accounts only (default true). */
export interface PositionRequest extends AccountRequest {
  readonly querySummary?: boolean
}

/** `price` in VND (index points for futures). */
export interface MaxBuySellRequest {
  readonly accountNo: string
  readonly symbol: string
  readonly price: Decimal
}

/** Both ends inclusive. */
export interface OrderBookRequest extends Paging {
  readonly accountNo: string
  /** A whole day, or an ISO 8601 date-time like `2025-11-20T09:30:00+07:00`; without an offset it is exchange time. */
  readonly from?: string
  readonly to?: string
  readonly symbol?: string
  /**
   * Only orders of these statuses; several are joined with commas. The specification has this filter and does not name
   * its parameter: it is sent as `orderStatus`. A service that uses another name answers orders of all statuses.
   */
  readonly orderStatus?: readonly string[]
}

/** `processStatus`: several are joined with commas. */
export interface FcoListRequest extends Paging {
  readonly accountNo: string
  readonly fcoId?: string
  readonly type?: string
  readonly processStatus?: readonly string[]
  readonly symbol?: string
  readonly side?: 'B' | 'S'
  readonly from?: Day
  readonly to?: Day
}

export interface FcoStatusHistoryRequest {
  readonly fcoId: string
}
