import type { OrderActionResult } from '../wire/order-records.js'
import { readConditionalAction, readOrderAction } from './action-results.js'
import { bodies } from './bodies.js'
import type { CancelConditionalOrderRequest, ConditionalOrderRequest } from './conditional-requests.js'
import type { CancelOrderRequest, ModifyOrderRequest, PlaceOrderRequest } from './order-requests.js'
import type {
  CancelTrace,
  ConditionalTrace,
  ModifyTrace,
  OrderTrace,
  PlaceTrace,
  WriteOutcome,
} from './outcome.js'
import type { Write } from './writer.js'

export type OrderOutcome<Trace = OrderTrace> = WriteOutcome<OrderActionResult, Trace>
export type PlaceOrderOutcome = OrderOutcome<PlaceTrace>
export type ModifyOrderOutcome = OrderOutcome<ModifyTrace>
export type CancelOrderOutcome = OrderOutcome<CancelTrace>
export type PlaceConditionalOutcome = WriteOutcome<{ readonly fcoId: string }, ConditionalTrace>
export type CancelConditionalOutcome = WriteOutcome<{ readonly fcoId: string }, { fcoId: string }>

/**
 * Writes (docs/brokerage-api.md#ordinary-orders, docs/brokerage-api.md#conditional-orders): signed, sent once,
 * never again. A signal that aborts before sending rejects with its reason; afterwards the outcome is
 * `unknown`. A write may wait for its turn of the throttle: give an order that must not be late a signal with a
 * deadline.
 *
 * All reject, before anything was sent, with SettingsError (credentials), ServiceError (no session, no connection),
 * TypeError (a value that is not a number).
 */
export interface Trading {
  placeOrder(request: PlaceOrderRequest, signal?: AbortSignal): Promise<PlaceOrderOutcome>
  modifyOrder(request: ModifyOrderRequest, signal?: AbortSignal): Promise<ModifyOrderOutcome>
  cancelOrder(request: CancelOrderRequest, signal?: AbortSignal): Promise<CancelOrderOutcome>
  placeConditionalOrder(
    request: ConditionalOrderRequest,
    signal?: AbortSignal,
  ): Promise<PlaceConditionalOutcome>
  cancelConditionalOrder(
    request: CancelConditionalOrderRequest,
    signal?: AbortSignal,
  ): Promise<CancelConditionalOutcome>
}

const ORDER = '/api/v3/trading/order'
const CONDITIONAL_ORDER = '/api/v3/trading/fco/order'

/**
 * @param newId makes the client's own id where the caller gave none: a lost answer must leave something to look
 * for
 */
export function createTrading(write: Write, newId: () => string): Trading {
  const order = { path: ORDER, code: undefined, readResult: readOrderAction } as const
  const conditional = { path: CONDITIONAL_ORDER, readResult: readConditionalAction } as const

  return {
    async placeOrder(request, signal) {
      const { accountNo, symbol, side, quantity } = request
      const isGeneratedId = !request.clientRequestId
      const clientRequestId = request.clientRequestId || newId()
      const body = bodies.placeOrder({ ...request, clientRequestId })
      const outcome = await write({ ...order, method: 'POST', body }, signal)
      const trace = { accountNo, clientRequestId, orderId: undefined, isGeneratedId, symbol, side, quantity }
      return traced(outcome, trace)
    },

    async modifyOrder(request, signal) {
      const clientModifyId = request.clientModifyId || newId()
      const body = bodies.modifyOrder({ ...request, clientModifyId })
      const outcome = await write({ ...order, method: 'PUT', body }, signal)
      const { price, quantity } = request
      return traced(outcome, { ...named(request), clientModifyId, price, quantity })
    },

    async cancelOrder(request, signal) {
      const clientCancelId = request.clientCancelId || newId()
      const body = bodies.cancelOrder({ ...request, clientCancelId })
      const outcome = await write({ ...order, method: 'DELETE', body }, signal)
      return traced(outcome, { ...named(request), clientCancelId })
    },

    async placeConditionalOrder(request, signal) {
      const { accountNo, symbol, side, type, quantity, price = null, code } = request
      const clientRequestId = request.clientRequestId || newId()
      // "Required in the body schema", and nullable: a price that is not given is sent as null.
      const body = bodies.placeConditionalOrder({
        ...request,
        price,
        clientRequestId,
      } as ConditionalOrderRequest)
      const outcome = await write({ ...conditional, method: 'POST', body, code }, signal)
      return traced(outcome, { accountNo, clientRequestId, symbol, side, type, quantity })
    },

    async cancelConditionalOrder(request, signal) {
      const { fcoId, code } = request
      const body = bodies.cancelConditionalOrder(request)
      const outcome = await write({ ...conditional, method: 'DELETE', body, code }, signal)
      return traced(outcome, { fcoId })
    },
  }
}

function named({ accountNo, clientRequestId, orderId }: ModifyOrderRequest | CancelOrderRequest): OrderTrace {
  return { accountNo, clientRequestId, orderId }
}

function traced<Result, Trace extends object>(
  outcome: WriteOutcome<Result, object>,
  trace: Trace,
): WriteOutcome<Result, Trace> {
  return outcome.kind === 'unknown' ? { ...outcome, ...trace } : outcome
}
