/** Statuses of docs/market-facts.md#order-statuses; the moves between them are in `order-states.ts`. */
export type OrderStatus =
  | 'PD'
  | 'WA'
  | 'IAV'
  | 'RS'
  | 'SD'
  | 'QU'
  | 'PF'
  | 'WM'
  | 'WC'
  | 'FF'
  | 'FFPC'
  | 'CL'
  | 'RJ'
  | 'EX'

export type Side = 'B' | 'S'

/** LO, ATO, ATC, MP are the specification's; live clients also send MTL, MOK, MAK and PLO. */
export const ORDER_TYPES = ['LO', 'ATO', 'ATC', 'MP', 'MTL', 'MOK', 'MAK', 'PLO'] as const
export type OrderType = (typeof ORDER_TYPES)[number]

/**
 * Why an order, a change or a cancel is refused; `wire/refused-orders.ts` has the messages. Seen live
 * (docs/market-facts.md#business-errors).
 */
export type OrderFault =
  | 'unknownAccount'
  | 'unknownSymbol'
  | 'wrongAccountType'
  | 'suspended'
  | 'belowFloor'
  | 'aboveCeiling'
  | 'badTick'
  | 'badLot'
  | 'oddLot'
  | 'badQuantity'
  | 'missingPrice'
  | 'overHolding'
  | 'overBuyingPower'
  | 'oppositeOrder'
  | 'typeNotAllowedNow'
  | 'typeNotOfBoard'
  | 'cannotAmend'
  | 'cannotCancel'
  | 'noSuchOrder'
  | 'nothingChanged'
  | 'contradictsOrder'
  | 'notIdentified'
  | 'priceOrQuantity'
  | 'clientRequestIdTooLong'
  | 'clientRequestIdUsed'

/** Thrown by the order desk. Nothing has changed then. */
export class OrderRefused extends Error {
  constructor(readonly fault: OrderFault) {
    super(fault)
  }
}

export interface PlaceOrder {
  accountNo: string
  symbol: string
  side: Side
  orderType: OrderType
  /** Shares or contracts. */
  quantity: number
  /** VND or index points; needed for LO. */
  price?: number | undefined
  /** The desk generates an identifier when this is empty. */
  clientRequestId?: string | undefined
}

/**
 * `clientRequestId` goes before `orderId`; with neither the request is refused
 * (docs/brokerage-api.md#which-order-is-meant).
 */
export interface Identification {
  accountNo: string
  clientRequestId?: string | undefined
  orderId?: string | undefined
}

export interface Change extends Identification {
  clientModifyId?: string | undefined
  /** As in the order; a change that names others contradicts it. */
  symbol?: string | undefined
  side?: string | undefined
  orderType?: string | undefined
  price?: number | undefined
  quantity?: number | undefined
}

export interface Cancel extends Identification {
  clientCancelId?: string | undefined
}

/** An order at one moment. Quantities in shares or contracts, prices in VND or index points. */
export interface Order {
  readonly orderId: string
  readonly accountNo: string
  readonly clientRequestId: string
  readonly symbol: string
  readonly side: Side
  readonly orderType: OrderType
  readonly quantity: number
  /** Undefined for order types without a limit (ATO, ATC, MP …). */
  readonly price: number | undefined
  readonly filled: number
  readonly cancelled: number
  /** Sum of price × quantity over the fills; the average price is this over `filled`. */
  readonly filledAmount: number
  readonly status: OrderStatus
  /** Epoch milliseconds. */
  readonly enteredAt: number
  readonly modifiedAt: number
  /** Identifiers of the last change and the last cancel. */
  readonly clientModifyId: string | undefined
  readonly clientCancelId: string | undefined
  /** Why the exchange rejected the order; empty otherwise. */
  readonly message: string
}
