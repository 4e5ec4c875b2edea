import type { Agenda } from '../../market/agenda.js'
import type { Listing, Market } from '../../market/exchange/market-view.js'
import type { Custody } from '../ledger/custody-view.js'
import type { Matching } from './matching.js'
import { type Cancel, type Change, OrderRefused } from './order.js'
import type { OrderLifecycle } from './order-lifecycle.js'
import type { OrderRouting } from './order-routing.js'
import { checkPrice, checkQuantity, mayChange } from './order-rules.js'
import { isOver, isQueued } from './order-states.js'
import type { WorkingOrder } from './working-order.js'

export interface OrderChangesParts {
  readonly agenda: Agenda
  readonly market: Market
  readonly custody: Custody
  readonly dialect: 'spec' | 'live'
  readonly lifecycle: OrderLifecycle
  readonly routing: OrderRouting
  readonly matching: Matching
}

/** Milliseconds to the exchange and back. */
const ROUND_TRIP_MS = 100

/** Changes and cancels of orders: the desk checks them, then they are on their way to the exchange. */
export class OrderChanges {
  constructor(private readonly parts: OrderChangesParts) {}

  /** @throws OrderRefused */
  modify(change: Change): WorkingOrder {
    const { agenda, lifecycle } = this.parts
    const order = lifecycle.identify(change)
    const { price, quantity } = this.checkChange(order, change)
    this.reserveLarger(order, quantity, price)
    order.clientModifyId = change.clientModifyId || `M${order.orderId}`
    if (order.status === 'IAV') {
      this.apply(order, quantity, price)
      lifecycle.announce(order)
      return order
    }
    lifecycle.move(order, 'WM')
    agenda.at(agenda.now() + ROUND_TRIP_MS, () => this.finishModify(order, quantity, price))
    return order
  }

  /** @throws OrderRefused */
  cancel(cancel: Cancel): WorkingOrder {
    const { agenda, lifecycle, routing } = this.parts
    const order = lifecycle.identify(cancel)
    if (isOver(order.status) || order.status === 'WM' || order.status === 'WC')
      throw new OrderRefused('cannotCancel')
    const listing = routing.listingOf(order)
    if (isQueued(order.status) && listing && !mayChange(listing)) throw new OrderRefused('cannotCancel')
    order.clientCancelId = cancel.clientCancelId || `X${order.orderId}`
    order.modifiedAt = agenda.now()
    if (!isQueued(order.status)) {
      lifecycle.end(order, 'CL')
      return order
    }
    lifecycle.move(order, 'WC')
    agenda.at(agenda.now() + ROUND_TRIP_MS, () => {
      if (order.status === 'WC') lifecycle.end(order, 'CL')
    })
    return order
  }

  /** @returns the new price and quantity @throws OrderRefused */
  private checkChange(order: WorkingOrder, change: Change): { price: number; quantity: number } {
    checkContradiction(order, change)
    const listing = this.parts.market.upcoming(order.instrument.symbol)
    if (order.orderType !== 'LO' || !['QU', 'PF', 'IAV'].includes(order.status))
      throw new OrderRefused('cannotAmend')
    if (!listing || listing.halted || !mayChange(listing)) throw new OrderRefused('cannotAmend')
    const price = change.price ?? order.price ?? 0
    const quantity = change.quantity ?? order.quantity
    this.checkWhatChanges(order, change, listing)
    checkPrice(listing, price)
    checkQuantity(listing, 'LO', quantity)
    if (quantity <= order.filled) throw new OrderRefused('badQuantity')
    return { price, quantity }
  }

  /**
   * Live deployments take a new price or a new quantity. The sandbox of the specification takes both at HOSE and on
   * derivatives: "some exchanges allow changing only price or only quantity".
   */
  private checkWhatChanges(order: WorkingOrder, { price, quantity }: Change, { board }: Listing): void {
    const namesBoth = price !== undefined && quantity !== undefined
    const newPrice = price !== undefined && price !== order.price
    const newQuantity = quantity !== undefined && quantity !== order.quantity
    const isSingleChangeBoard = board === 'HNX' || board === 'UPCOM'
    if (namesBoth && (this.parts.dialect === 'live' || (newPrice && newQuantity && isSingleChangeBoard)))
      throw new OrderRefused('priceOrQuantity')
    if (!newPrice && !newQuantity) throw new OrderRefused('nothingChanged')
  }

  /** Until the exchange has answered, the larger of the old and the new order is reserved. @throws OrderRefused */
  private reserveLarger(order: WorkingOrder, quantity: number, price: number): void {
    const open = Math.max(order.quantity - order.filled, quantity - order.filled)
    const shortfall = this.parts.custody.changeHold(order.orderId, open, Math.max(price, order.price ?? 0))
    if (shortfall) throw new OrderRefused(shortfall === 'holding' ? 'overHolding' : 'overBuyingPower')
  }

  private apply(order: WorkingOrder, quantity: number, price: number): void {
    const { agenda, custody, lifecycle } = this.parts
    const keepsPlace = price === order.price && quantity < order.quantity
    order.price = price
    order.quantity = quantity
    order.modifiedAt = agenda.now()
    custody.changeHold(order.orderId, quantity - order.filled, price)
    // A smaller quantity at the same price keeps its place; any other change goes to the end of the queue.
    if (!keepsPlace) order.priority = lifecycle.nextPriority()
  }

  /** The exchange has answered. A fill that came first may have made the change impossible. */
  private finishModify(order: WorkingOrder, quantity: number, price: number): void {
    const { custody, lifecycle, routing, matching } = this.parts
    if (order.status !== 'WM') return
    const isPossible = quantity > order.filled
    if (isPossible) this.apply(order, quantity, price)
    else custody.changeHold(order.orderId, order.quantity - order.filled, order.price ?? price)
    lifecycle.move(order, order.filled > 0 ? 'PF' : 'QU')
    const listing = routing.listingOf(order)
    if (isPossible && listing) matching.arrive(order, listing)
  }
}

/** A change repeats symbol, side and type of its order, or leaves them out. @throws OrderRefused */
function checkContradiction(order: WorkingOrder, { symbol, side, orderType }: Change): void {
  const isOther = (given: string | undefined, actual: string): boolean =>
    given !== undefined && given !== actual
  if (
    isOther(symbol, order.instrument.symbol) ||
    isOther(side, order.side) ||
    isOther(orderType, order.orderType)
  )
    throw new OrderRefused('contradictsOrder')
}
