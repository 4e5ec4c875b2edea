import type { LimitType, OrderType, UnpricedType } from '../order-types.js'
import type { Decimal } from '../values.js'

/** Writes of ordinary orders with the API's own field names (docs/brokerage-api.md#ordinary-orders). */

/** `B` buy, `S` sell. */
export type Side = 'B' | 'S'

/** Where a write comes from: every example of the specification carries `deviceId` (MAC address or IMEI). */
export interface Origin {
  readonly deviceId: string
  readonly userAgent?: string
  readonly ipAddress?: string
}

/**
 * `quantity`: shares, or contracts. `price`: VND, or index points for futures; needed for `LO`.
 * `clientRequestId`: at most 20 characters and never used before that day
 * (docs/market-facts.md#client-request-ids); generated when absent.
 */
export type PlaceOrderRequest = Origin & {
  readonly clientRequestId?: string
  readonly accountNo: string
  readonly symbol: string
  readonly side: Side
  readonly quantity: number
} & (
    | { readonly orderType: LimitType; readonly price: Decimal }
    | { readonly orderType: UnpricedType; readonly price?: Decimal }
  )

/**
 * Names an order. Where both are given the service goes by `clientRequestId`
 * (docs/brokerage-api.md#which-order-is-meant).
 */
export type OrderIdentity =
  | { readonly clientRequestId: string; readonly orderId?: string }
  | { readonly clientRequestId?: string; readonly orderId: string }

/**
 * What changes. The specification lets either be absent, not both, and HOSE lets both change; live deployments take one of the two,
 * never both (docs/market-facts.md#order-changes).
 */
type OrderChange =
  | { readonly price: Decimal; readonly quantity?: number }
  | { readonly price?: Decimal; readonly quantity: number }

/**
 * `price` and `quantity`: the new ones; an absent value stays unchanged. `clientModifyId` is generated when absent.
 */
export type ModifyOrderRequest = Origin &
  OrderIdentity &
  OrderChange & {
    readonly clientModifyId?: string
    readonly accountNo: string
    readonly symbol?: string
    readonly side?: Side
    readonly orderType?: OrderType
  }

/** `clientCancelId` is generated when absent. */
export type CancelOrderRequest = Origin &
  OrderIdentity & { readonly clientCancelId?: string; readonly accountNo: string }
