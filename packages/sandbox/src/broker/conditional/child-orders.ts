import type { Agenda } from '../../market/agenda.js'
import type { Market } from '../../market/exchange/market-view.js'
import { type Order, OrderRefused } from '../orders/order.js'
import type { OrderDesk } from '../orders/order-desk.js'
import { isOver } from '../orders/order-states.js'
import { childOrder } from './child-order.js'
import type { ConditionalPrice } from './conditional-order.js'
import {
  type Child,
  type Leg,
  matchedQuantity,
  moveTo,
  type WorkingConditional,
} from './working-conditional.js'

/** Code of a history entry for a child order that the order desk refused. */
const CHILD_REFUSED = 1

export interface ChildRequest {
  /** Undefined: at the market. */
  readonly price: ConditionalPrice | undefined
  readonly slip: number | undefined
  /** The price follows from a stop price. @default false */
  readonly isComputed?: boolean
  readonly quantity: number
  /** Of an OCO. */
  readonly leg?: Leg
}

/** Sends the child orders of conditional orders to the order desk, and cancels them. */
export class ChildOrders {
  private readonly parents = new Map<string, WorkingConditional>()

  constructor(
    private readonly agenda: Agenda,
    private readonly market: Market,
    private readonly orders: OrderDesk,
    private readonly dialect: 'spec' | 'live',
  ) {}

  send(order: WorkingConditional, { price, slip, isComputed, quantity, leg }: ChildRequest): void {
    const { accountNo, symbol, side } = order.request
    const terms = {
      price: price ?? 'MP',
      slip: slip ?? 0,
      isComputed: isComputed ?? false,
      dialect: this.dialect,
    }
    moveTo(order, 'TRI', this.agenda.now())
    const listing = this.market.upcoming(symbol)
    try {
      if (!listing) throw new OrderRefused('unknownSymbol')
      const { orderId } = this.orders.place({
        accountNo,
        symbol,
        side,
        quantity,
        ...childOrder(listing, side, terms),
        clientRequestId: `${order.fcoId}.${order.children.length + 1}`,
      })
      order.children.push({ orderId, leg, quantity, filled: 0, over: false })
      this.parents.set(orderId, order)
      moveTo(order, 'TRIT', this.agenda.now())
    } catch (error) {
      if (!(error instanceof OrderRefused)) throw error
      moveTo(order, 'ERR', this.agenda.now(), error.fault, CHILD_REFUSED)
    }
  }

  /** Sends a leg of an OCO at its own price. */
  sendLeg(order: WorkingConditional, leg: Leg, quantity: number): void {
    const { tpPrice, tpSlip, slPrice, slSlip } = order.request
    const [price, slip] = leg === 'tp' ? [tpPrice, tpSlip] : [slPrice, slSlip]
    this.send(order, { price, slip, quantity, leg })
  }

  /** Sends what has not matched yet, at the price of the conditional order. */
  sendRemainder(order: WorkingConditional): void {
    const { price, priceSlip: slip, quantity } = order.request
    this.send(order, { price, slip, quantity: quantity - matchedQuantity(order) })
  }

  /** @returns false when the order desk refuses to cancel it (during an auction): the order is then as before */
  cancel(order: WorkingConditional, child: Child): boolean {
    moveTo(order, 'WC', this.agenda.now())
    if (this.tryCancel(order, child)) return true
    order.nextLeg = undefined
    order.cancelling = false
    order.history.pop()
    order.status = 'TRIT'
    return false
  }

  /** Cancels the child order without a change of the conditional order. @returns false when refused */
  tryCancel({ request: { accountNo } }: WorkingConditional, { orderId }: Child): boolean {
    try {
      this.orders.cancel({ accountNo, orderId })
      return true
    } catch (error) {
      if (!(error instanceof OrderRefused)) throw error
      return false
    }
  }

  /**
   * Records the progress of a child order.
   *
   * @returns the conditional order whose child has just ended; undefined for all other changes
   */
  recordChange({ orderId, filled, status }: Order): WorkingConditional | undefined {
    const parent = this.parents.get(orderId)
    const child = parent?.children.find((candidate) => candidate.orderId === orderId)
    if (!parent || !child || child.over) return undefined
    child.filled = filled
    child.over = isOver(status)
    return child.over ? parent : undefined
  }

  statusOf({ orderId }: Child): Order['status'] | undefined {
    return this.orders.find(orderId)?.status
  }
}
