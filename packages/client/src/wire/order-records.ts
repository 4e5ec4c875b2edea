import * as fields from 'candlehouse-foundation/fields/orders'
import { type Row, type RowOf, record, recordOf } from './record.js'

export const order = recordOf(fields.order)

export type Order = RowOf<typeof fields.order>

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

export const conditionalOrder = recordOf(fields.conditionalOrder)

export const conditionalParams = recordOf(fields.conditionalParams)

export type ConditionalParams = RowOf<typeof fields.conditionalParams>

export type ConditionalOrder = RowOf<typeof fields.conditionalOrder> & {
  readonly params: ConditionalParams | null
}

export const conditionalEvent = recordOf(fields.conditionalEvent)

export type ConditionalEvent = RowOf<typeof fields.conditionalEvent>
