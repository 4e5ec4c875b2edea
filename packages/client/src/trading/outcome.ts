import type { ApiFault } from '../contract.js'
import type { ConditionalType } from './conditional-requests.js'
import type { Side } from './order-requests.js'

/** The service took the write. */
export interface Accepted<Result> {
  readonly kind: 'accepted'
  readonly result: Result
}

/**
 * The service did not execute it: an error body, or a status 400–499 other than 408. `status` is the HTTP status,
 * also where it was 200 with an error code. A 401 or 429 comes here too: nothing is sent a second time.
 */
export interface Refused {
  readonly kind: 'refused'
  readonly error: ApiFault
  readonly status: number
}

/**
 * Its answer was lost (reset, deadline, given up by the caller, 408, 5xx, a redirect, a body that cannot be read): it
 * may or may not have been executed. Never send it again before `reconcile` or `reconcileConditional`.
 */
export interface Unknown {
  readonly kind: 'unknown'
  /** What happened, on one line. */
  readonly message: string
  /** Epoch milliseconds, not later than it was sent. */
  readonly sentAt: number
}

/** @typeParam Trace identifies an unknown write, in addition to its message */
export type WriteOutcome<Result, Trace> = Accepted<Result> | Refused | (Unknown & Readonly<Trace>)

/** What to look for in the order book: the id sent with a new order, or how a changed one was named. */
export interface OrderTrace {
  accountNo: string
  clientRequestId: string | undefined
  orderId: string | undefined
}

/** A new order. The last three tell an order without `clientRequestId` in the book from this one. */
export interface PlaceTrace extends OrderTrace {
  clientRequestId: string
  /** The client made the id: no order of another day has it. */
  isGeneratedId?: boolean
  symbol?: string
  side?: Side
  quantity?: number
}

/** A change, and what it asked for; an absent value stays unchanged. */
export interface ModifyTrace extends OrderTrace {
  clientModifyId: string
  price?: string | undefined
  quantity?: number | undefined
}

export interface CancelTrace extends OrderTrace {
  clientCancelId: string
}

/**
 * What to look for among conditional orders, whose list does not show `clientRequestId`
 * (docs/brokerage-api.md#fcolist).
 */
export interface ConditionalTrace {
  accountNo: string
  clientRequestId: string
  symbol: string
  side: Side
  type: ConditionalType
  quantity: number
}
