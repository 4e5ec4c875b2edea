import type { Instrument } from '../../market/world/instrument.js'
import type { Order, OrderStatus, OrderType } from './order.js'

/** An order as the desk works on it. Callers of the desk get copies. */
export interface WorkingOrder {
  readonly orderId: string
  readonly accountNo: string
  readonly clientId: string
  readonly clientRequestId: string
  readonly instrument: Instrument
  readonly side: 'B' | 'S'
  /** As it was placed. A queued market order may have become a limit order since. */
  readonly orderType: OrderType
  /** Whether the queue treats it as a limit order. */
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

export function openQuantity(order: WorkingOrder): number {
  return order.quantity - order.filled - order.cancelled
}

export function toOrder(order: WorkingOrder): Order {
  const { clientId: _, instrument, limited: __, priority: ___, ...fields } = order
  return { ...fields, symbol: instrument.symbol }
}

/** Whether the order may trade at this price. */
export function canTradeAt(order: WorkingOrder, price: number): boolean {
  if (!order.limited || order.price === undefined) return true
  return order.side === 'B' ? price <= order.price : price >= order.price
}

/**
 * Order of the queue: best price first, then earliest first.
 *
 * @param best price at which orders without a limit rank; undefined: before all others
 */
export function byPriceThenTime(best?: number): (a: WorkingOrder, b: WorkingOrder) => number {
  const rank = ({ limited, price, side }: WorkingOrder): number => {
    const ranked = limited ? price : best
    if (ranked === undefined) return Number.NEGATIVE_INFINITY
    return side === 'B' ? -ranked : ranked
  }
  return (a, b) => (rank(a) === rank(b) ? a.priority - b.priority : rank(a) < rank(b) ? -1 : 1)
}
