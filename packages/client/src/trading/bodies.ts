import type { CancelConditionalOrderRequest, ConditionalOrderRequest } from './conditional-requests.js'
import type { CancelOrderRequest, ModifyOrderRequest, PlaceOrderRequest } from './order-requests.js'

type NamesOf<Request> = Request extends unknown ? keyof Request : never

/** Request → the bytes that are signed and sent: the specification's fields in the specification's order. */
export const bodies = {
  placeOrder: body<PlaceOrderRequest>([
    'clientRequestId',
    'accountNo',
    'symbol',
    'side',
    'orderType',
    'quantity',
    'price',
    'deviceId',
    'userAgent',
    'ipAddress',
  ]),

  modifyOrder: body<ModifyOrderRequest>([
    'clientModifyId',
    'clientRequestId',
    'orderId',
    'accountNo',
    'symbol',
    'side',
    'orderType',
    'price',
    'quantity',
    'deviceId',
    'userAgent',
    'ipAddress',
  ]),

  cancelOrder: body<CancelOrderRequest>([
    'clientCancelId',
    'clientRequestId',
    'orderId',
    'accountNo',
    'deviceId',
    'userAgent',
    'ipAddress',
  ]),

  placeConditionalOrder: body<ConditionalOrderRequest>([
    'accountNo',
    'deviceId',
    'symbol',
    'side',
    'type',
    'quantity',
    'price',
    'priceSlip',
    'from',
    'to',
    'code',
    'userAgent',
    'clientRequestId',
    'ipAddress',
    'stopPrice',
    'activePrice',
    'trailingAmount',
    'tpActivePrice',
    'slActivePrice',
    'tpPrice',
    'slPrice',
    'tpSlip',
    'slSlip',
    'operator',
  ]),

  cancelConditionalOrder: body<CancelConditionalOrderRequest>(['fcoId', 'code', 'deviceId', 'userAgent']),
} as const

/**
 * Undefined fields are skipped, null stays null.
 *
 * @throws TypeError for NaN and infinities, which JSON would turn into null (a bug of the caller)
 */
function body<Request extends object>(names: readonly NamesOf<Request>[]): (request: Request) => Uint8Array {
  return (request) => {
    const fields = new Map<PropertyKey, unknown>(Object.entries(request))
    const sent = new Map<PropertyKey, unknown>()
    for (const name of names) {
      const value = fields.get(name)
      if (typeof value === 'number' && !Number.isFinite(value))
        throw new TypeError(`${String(name)} is ${value}: no number that can be sent`)
      if (value !== undefined) sent.set(name, value)
    }
    return Buffer.from(JSON.stringify(Object.fromEntries(sent)), 'utf8')
  }
}
