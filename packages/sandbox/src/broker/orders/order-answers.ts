import { decimal } from '../decimal.js'
import { writeMoment } from '../moment.js'
import type { Order } from './order.js'

/** Order book entry of the specification, in its order; every value is text. */
export function orderEntry(order: Order): Record<string, string> {
  const { price, filled, filledAmount, modifiedAt, enteredAt } = order
  return {
    clientRequestId: order.clientRequestId,
    orderId: order.orderId,
    symbol: order.symbol,
    side: order.side,
    orderType: order.orderType,
    quantity: String(order.quantity),
    // An order without a limit shows its type in place of a price.
    price: price === undefined ? order.orderType : decimal(price, 1),
    filledQty: String(filled),
    cancelQty: String(order.cancelled),
    avgPrice: filled === 0 ? '0' : decimal(filledAmount / filled, 4),
    inputTime: writeMoment(enteredAt),
    modifiedTime: writeMoment(modifiedAt),
    orderStatus: order.status,
    message: order.message,
  }
}

/** Order action result of the specification. */
export function actionResult(order: Order): Record<string, string> {
  return {
    clientRequestId: order.clientRequestId,
    orderId: order.orderId,
    orderStatus: order.status,
    clientModifyId: order.clientModifyId ?? '',
    clientCancelId: order.clientCancelId ?? '',
  }
}
