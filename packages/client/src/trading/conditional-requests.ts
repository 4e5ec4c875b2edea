import type { Decimal } from '../values.js'
import type { Side } from './order-requests.js'

/** Writes of conditional orders with the API's own field names (docs/brokerage-api.md#conditional-orders). */

/**
 * What all seven types have. `quantity`: shares, or contracts. `from`, `to`: `YYYY/MM/DD hh:mm:ss`, exchange time;
 * absent: now, and 24 hours later. `code`: OTP or PIN, needed when the token was not verified with an OTP.
 */
interface Common {
  readonly accountNo: string
  /** MAC address or IMEI. */
  readonly deviceId: string
  readonly symbol: string
  readonly side: Side
  readonly quantity: number
  readonly priceSlip?: number
  readonly from?: string | null
  readonly to?: string | null
  readonly code?: string | null
  readonly userAgent?: string | null
  /** Generated when absent; the lists of conditional orders do not show it again. */
  readonly clientRequestId?: string
  readonly ipAddress?: string
}

/** Words in place of a price: market; match or kill; match, then a limit. */
export type PriceWord = 'MP' | 'MOK' | 'MTL'

/** VND, or index points for futures, or a word. Absent is sent as null. */
interface MaybePriced {
  readonly price?: Decimal | PriceWord | null
}

interface Limited {
  /** The limit the order goes to the exchange with. */
  readonly price: Decimal
}

/** How the market's price is compared with `stopPrice`: `greater_or_equal` is market ≥ stop. */
export type Operator = 'greater_or_equal' | 'lesser_or_equal' | 'greater' | 'lesser' | 'equal'

interface Stop {
  readonly stopPrice: number
  readonly operator: Operator
}

interface Trailing {
  readonly activePrice: number
  /** Distance between the market's price and the stop. */
  readonly trailingAmount: number
}

interface TakeProfitStopLoss<Words extends string> {
  readonly tpActivePrice: number
  readonly tpPrice: Decimal | Words
  readonly tpSlip: number
  readonly slActivePrice: number
  readonly slPrice: Decimal | Words
  readonly slSlip: number
}

/** Additional fields per type (docs/brokerage-api.md#fields-per-type). */
interface Specific {
  stop: MaybePriced & Stop
  stop_limit: Limited & Stop
  gtd: MaybePriced
  bullbear: MaybePriced & TakeProfitStopLoss<PriceWord>
  /** `MAK`: what can be matched, the rest is cancelled. */
  oco: MaybePriced & TakeProfitStopLoss<PriceWord | 'MAK'>
  trailing_stop: MaybePriced & Trailing
  trailing_stop_limit: Limited & Trailing
}

export type ConditionalType = keyof Specific

export type ConditionalOrderRequest = {
  [Type in ConditionalType]: Common & Specific[Type] & { readonly type: Type }
}[ConditionalType]

export interface CancelConditionalOrderRequest {
  readonly fcoId: string
  /** OTP or PIN. */
  readonly code?: string
  readonly deviceId?: string
  readonly userAgent?: string
}
