import type { Side } from '../orders/order.js'

export const CONDITIONAL_TYPES = [
  'stop',
  'stop_limit',
  'gtd',
  'bullbear',
  'oco',
  'trailing_stop',
  'trailing_stop_limit',
] as const

export type ConditionalType = (typeof CONDITIONAL_TYPES)[number]

/** Statuses of docs/market-facts.md#conditional-order-statuses; the moves between them are in `conditional-states.ts`. */
export type ConditionalStatus = 'INIT' | 'WAIT' | 'TRI' | 'TRIT' | 'TER' | 'FIS' | 'WC' | 'EXP' | 'ERR'

export type Operator = 'greater_or_equal' | 'lesser_or_equal' | 'greater' | 'lesser' | 'equal'

/** A price of a conditional order: a number, or an order type of the exchange. */
export type ConditionalPrice = number | 'MP' | 'MOK' | 'MTL' | 'MAK'

/** Prices in VND or index points; slippage and trailing amount in the same unit; quantity in shares or contracts. */
export interface PlaceConditional {
  accountNo: string
  symbol: string
  side: Side
  type: ConditionalType
  quantity: number
  price: ConditionalPrice | undefined
  priceSlip: number | undefined
  /** Epoch milliseconds. @default the instant of placing */
  from: number | undefined
  /** Epoch milliseconds. @default 24 hours after `from`; at most 31 days after it */
  to: number | undefined
  clientRequestId: string | undefined
  stopPrice: number | undefined
  activePrice: number | undefined
  trailingAmount: number | undefined
  tpActivePrice: number | undefined
  slActivePrice: number | undefined
  tpPrice: ConditionalPrice | undefined
  slPrice: ConditionalPrice | undefined
  tpSlip: number | undefined
  slSlip: number | undefined
  operator: Operator | undefined
}

/** An entry of the history, which is sorted oldest first. */
export interface ConditionalEvent {
  readonly state: ConditionalStatus
  /** Epoch milliseconds. */
  readonly at: number
  /** 0, or what went wrong. */
  readonly code: number
  readonly detail: string
}

export interface ConditionalOrder extends Readonly<PlaceConditional> {
  readonly fcoId: string
  readonly username: string
  readonly from: number
  readonly to: number
  readonly enteredAt: number
  readonly status: ConditionalStatus
  /** Sum over its child orders. */
  readonly matchedQuantity: number
  /** Whether a child order has been sent. */
  readonly isPlaceOrder: boolean
  readonly detail: string
  /** Numbers of its child orders, oldest first. */
  readonly children: readonly string[]
  /** The bullbear order that created this OCO. The two legs of an OCO are a single order. */
  readonly parent: string | undefined
  /** Trailing types: the current stop price; undefined before `activePrice` was reached. */
  readonly trailingStop: number | undefined
  readonly history: readonly ConditionalEvent[]
}

/** Why a conditional order or its cancel is refused. */
export type ConditionalFault =
  | 'unknownAccount'
  | 'unknownSymbol'
  | 'badQuantity'
  | 'badPrice'
  | 'missingField'
  | 'badValidity'
  | 'validityTooLong'
  | 'noPosition'
  | 'noSuchOrder'
  | 'cannotCancel'

/** Thrown by the conditional desk. Nothing has changed then. `field` names the missing or wrong field. */
export class ConditionalRefused extends Error {
  constructor(
    readonly fault: ConditionalFault,
    readonly field?: string,
  ) {
    super(field ? `${fault}: ${field}` : fault)
  }
}
