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

/** A conditional order without its parameters (docs/brokerage-api.md#fcolist). */
export const conditionalOrder = record(
  [
    'fcoId',
    'username',
    'accountNo',
    'price',
    'priceSlip',
    'symbol',
    'orderType',
    'from',
    'to',
    'detail',
    'quantity',
    'matchedQuantity',
    'type',
    'isPlaceOrder',
    'status',
  ],
  { flags: ['isPlaceOrder'] },
)

/** What triggers it. `operator` may come back as 0 to 4 (docs/market-facts.md#conditional-orders). */
export const conditionalParams = record([
  'stopPrice',
  'side',
  'activePrice',
  'trailingAmount',
  'tpActivePrice',
  'slActivePrice',
  'tpPrice',
  'slPrice',
  'tpSlip',
  'slSlip',
  'operator',
])

export type ConditionalParams = Row<(typeof conditionalParams.fields)[number]>

export type ConditionalOrder = Row<(typeof conditionalOrder.fields)[number], 'isPlaceOrder'> & {
  readonly params: ConditionalParams | null
}

/**
 * A step in a conditional order's life (docs/brokerage-api.md#fcostatushistory); live `time` is `DD/MM/YYYY
 * HH:MM:SS`.
 */
export const conditionalEvent = record(['state', 'time', 'code', 'detail'])

export type ConditionalEvent = Row<(typeof conditionalEvent.fields)[number]>
