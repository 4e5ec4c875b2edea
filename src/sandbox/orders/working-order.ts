import type { Instrument } from '../world/instrument.js'
import type { Order, OrderStatus, OrderType } from './order.js'

/** An order as the desk works on it; what it hands out are copies. */
export interface LiveOrder {
  readonly orderId: string
  readonly accountNo: string
  readonly clientId: string
  readonly clientRequestId: string
  readonly instrument: Instrument
  readonly side: 'B' | 'S'
  /** As it was placed; what stands in the queue may have become a limit order. */
  readonly orderType: OrderType
  /** Whether it stands in the queue as a limit order. */
  limited: boolean
  quantity: number
  price: number | undefined
  filled: number
  cancelled: number
  filledAmount: number
  status: OrderStatus
  readonly enteredAt: number
  modifiedAt: number
  /** Time priority: earlier is smaller. */
  priority: number
  clientModifyId: string | undefined
  clientCancelId: string | undefined
  message: string
}

export function openQuantity(order: LiveOrder): number {
  return order.quantity - order.filled - order.cancelled
}

export function asOrder(order: LiveOrder): Order {
  const { clientId: _, instrument, limited: __, priority: ___, ...rest } = order
  return { ...rest, symbol: instrument.symbol }
}

/** Whether a price is one that the order may trade at. */
export function takes(order: LiveOrder, price: number): boolean {
  if (!order.limited || order.price === undefined) return true
  return order.side === 'B' ? price <= order.price : price >= order.price
}

/** Best price first, then time; orders without a price of their own come first of all. */
export function inQueue(a: LiveOrder, b: LiveOrder): number {
  const worth = (order: LiveOrder): number => {
    if (!order.limited || order.price === undefined) return Number.NEGATIVE_INFINITY
    return order.side === 'B' ? -order.price : order.price
  }
  const [x, y] = [worth(a), worth(b)]
  return x === y ? a.priority - b.priority : x < y ? -1 : 1
}
