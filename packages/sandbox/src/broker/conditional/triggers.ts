import type { TradingBoard } from 'candlehouse-foundation/market/board'
import type { Agenda } from '../../market/agenda.js'
import type { Market, Phase } from '../../market/exchange/market-view.js'
import type { ChildOrders } from './child-orders.js'
import { legReached, stopReached, trailingReached } from './trigger-conditions.js'
import {
  activeChild,
  type Leg,
  matchedQuantity,
  moveTo,
  type WorkingConditional,
} from './working-conditional.js'

/** Watches the market for conditional orders and sends their child orders when the condition is reached. */
export class Triggers {
  constructor(
    private readonly agenda: Agenda,
    private readonly market: Market,
    private readonly children: ChildOrders,
  ) {}

  /** The validity of the order begins. Types without a condition are sent; the others watch the market. */
  begin(order: WorkingConditional): void {
    if (order.status !== 'INIT') return
    const { type, symbol } = order.request
    if (type === 'bullbear') {
      this.children.sendRemainder(order)
      return
    }
    moveTo(order, 'WAIT', this.agenda.now())
    if (type === 'gtd') this.sendToday(order)
    else order.unwatch = this.market.watch(symbol, ({ price }) => this.onPrice(order, price))
  }

  /** gtd: "triggered each day", when its board begins to take orders. */
  onPhase(orders: readonly WorkingConditional[], board: TradingBoard, phase: Phase): void {
    const firstPhase = board === 'UPCOM' || board === 'HNX' ? 'continuous' : 'ato'
    for (const order of orders) {
      if (order.request.type !== 'gtd' || order.status !== 'WAIT' || phase !== firstPhase) continue
      if (this.market.listing(order.request.symbol)?.board === board) this.sendToday(order)
    }
  }

  /** gtd: outside of the session it waits for the next one, and while its price lies outside of the limits for one that has it. */
  private sendToday(order: WorkingConditional): void {
    if (order.status !== 'WAIT') return
    const { symbol, price } = order.request
    const listing = this.market.listing(symbol)
    if (!listing || ['closed', 'before', 'plo', 'after'].includes(listing.phase)) return
    if (typeof price === 'number' && (price < listing.floor || price > listing.ceiling)) return
    this.children.sendRemainder(order)
  }

  private onPrice(order: WorkingConditional, price: number): void {
    if (order.request.type === 'oco') this.checkLegs(order, price)
    else if (order.status === 'WAIT') this.checkStop(order, price)
  }

  private checkStop(order: WorkingConditional, price: number): void {
    const { type, quantity, price: limit, priceSlip: slip } = order.request
    if (type === 'stop' && stopReached(order, price))
      this.children.send(order, { price: 'MP', slip: 0, quantity })
    if (type === 'stop_limit' && stopReached(order, price))
      this.children.send(order, { price: limit, slip, quantity })
    if (type === 'trailing_stop' && trailingReached(order, price))
      this.children.send(order, { price: 'MP', slip: 0, quantity })
    // "the price sent is computed from the stop price": the stop itself, moved by the slippage.
    if (type === 'trailing_stop_limit' && trailingReached(order, price))
      this.children.send(order, { price: order.trailingStop, slip, isComputed: true, quantity })
  }

  private checkLegs(order: WorkingConditional, price: number): void {
    if (order.status !== 'WAIT' && order.status !== 'TRIT') return
    // Each leg is sent once: a leg whose child was cancelled for the other leg is not sent again.
    const usedLegs = order.children.map((child) => child.leg)
    const leg = (['sl', 'tp'] as const).find(
      (candidate) => !usedLegs.includes(candidate) && legReached(order, candidate, price),
    )
    if (leg) this.sendLeg(order, leg)
  }

  /** "When the trigger of one leg (a) is satisfied, the system checks the other leg (b)". */
  private sendLeg(order: WorkingConditional, leg: Leg): void {
    const otherChild = activeChild(order)
    if (!otherChild) {
      this.children.sendLeg(order, leg, order.request.quantity - matchedQuantity(order))
      return
    }
    // "if b was already activated, its child order is cancelled first": a is sent when b has been cancelled.
    order.nextLeg = leg
    this.children.cancel(order, otherChild)
  }
}
