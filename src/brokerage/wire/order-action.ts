import { type Row, record } from './record.js'

/**
 * What a placed, modified or cancelled order answers (docs/brokerage-api.md#result-of-an-order-write); ids as
 * the service has them.
 */
export const orderAction = record([
  'clientRequestId',
  'orderId',
  'orderStatus',
  'clientModifyId',
  'clientCancelId',
])

export type OrderActionResult = Row<(typeof orderAction.fields)[number]>

/** What a placed or cancelled conditional order answers. */
export const conditionalAction = record(['fcoId'])
