import { type Row, record } from './record.js'

/**
 * An order book entry (spec, Order). `price` may be a word (`MP`, `ATO`); statuses: field notes §1.
 */
export const order = record([
  'clientRequestId',
  'orderId',
  'symbol',
  'side',
  'orderType',
  'quantity',
  'price',
  'filledQty',
  'cancelQty',
  'avgPrice',
  'inputTime',
  'modifiedTime',
  'orderStatus',
  'message',
])

export type Order = Row<(typeof order.fields)[number]>
