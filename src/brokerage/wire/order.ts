import { type Row, record } from './record.js'

/**
 * An order book entry (docs/brokerage-api.md#orderbook). `price` may be a word (`MP`, `ATO`); statuses:
 * docs/market-facts.md#order-statuses.
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
