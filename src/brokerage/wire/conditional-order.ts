import { type Row, record } from './record.js'

/**
 * A conditional order without its parameters (docs/brokerage-api.md#fcolist). `isPlaceOrder` is `true` or
 * `false`.
 */
export const conditionalOrder = record([
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
])

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

export type ConditionalOrder = Row<(typeof conditionalOrder.fields)[number]> & {
  readonly params: ConditionalParams | null
}
