import type { Agenda } from '../agenda.js'
import type { Listing } from '../exchange/market-view.js'
import type { Custody } from '../ledger/custody-view.js'
import type { Floor } from './matching.js'
import { type Cancel, type Change, type Identification, OrderRefused, type OrderStatus } from './order.js'
import { checkPrice, checkQuantity, mayTouch } from './order-rules.js'
import { isOver, isQueued } from './order-states.js'
import type { LiveOrder } from './working-order.js'

/** What a change or a cancel needs of the desk. */
export interface Hands {
  readonly agenda: Agenda
  readonly custody: Custody
  readonly dialect: 'spec' | 'live'
  readonly floor: Floor
  identify(by: Identification): LiveOrder
  listingOf(order: LiveOrder): Listing | undefined
  move(order: LiveOrder, status: OrderStatus): void
  end(order: LiveOrder, how: 'CL' | 'EX'): void
  say(order: LiveOrder): void
  /** The end of the queue. */
  nextPriority(): number
}

/** Milliseconds to the exchange and back. */
const ROUND_TRIP_MS = 100

/** Changes and cancels of orders: checked at the desk, then on their way to the exchange. */
export function createChanges(hands: Hands): {
  modify(change: Change): LiveOrder
  cancel(asked: Cancel): LiveOrder
} {
  const { agenda, custody, dialect, floor, identify, listingOf, move, end, say, nextPriority } = hands

  const modify = (change: Change): LiveOrder => {
    const order = identify(change)
    const listing = listingOf(order)
    if (order.orderType !== 'LO' || !['QU', 'PF', 'IAV'].includes(order.status))
      throw new OrderRefused('cannotAmend')
    if (!listing || listing.halted || !mayTouch(listing)) throw new OrderRefused('cannotAmend')
    if (listing.phase === 'after' || listing.phase === 'closed') throw new OrderRefused('marketClosed')
    const both = change.price !== undefined && change.quantity !== undefined
    const price = change.price ?? order.price ?? 0
    const quantity = change.quantity ?? order.quantity
    const differs = [price !== order.price, quantity !== order.quantity]
    // Live deployments take one of the two, the sandbox of the specification takes both at HOSE and on derivatives:
    // "some exchanges allow changing only price or only quantity".
    if (both && (dialect === 'live' || (differs.every(Boolean) && ['HNX', 'UPCOM'].includes(listing.board))))
      throw new OrderRefused('priceOrQuantity')
    if (!differs.some(Boolean)) throw new OrderRefused('nothingChanged')
    checkPrice(listing, price)
    checkQuantity(listing, 'LO', quantity)
    if (quantity <= order.filled) throw new OrderRefused('badQuantity')
    const open = order.quantity - order.filled
    // Until the exchange has answered, what it may still trade is held for: the larger of both.
    const [mostOpen, mostPrice] = [Math.max(open, quantity - order.filled), Math.max(price, order.price ?? 0)]
    const shortfall = custody.rehold(order.orderId, mostOpen, mostPrice)
    if (shortfall) throw new OrderRefused(shortfall === 'holding' ? 'overHolding' : 'overBuyingPower')
    order.clientModifyId = change.clientModifyId || `M${order.orderId}`
    const apply = (): void => {
      const kept = price === order.price && quantity < order.quantity
      order.price = price
      order.quantity = quantity
      order.modifiedAt = agenda.now()
      custody.rehold(order.orderId, quantity - order.filled, price)
      // Less of the same keeps its place; another price or more goes to the end.
      if (!kept) order.priority = nextPriority()
    }
    if (order.status === 'IAV') {
      apply()
      say(order)
      return order
    }
    move(order, 'WM')
    agenda.at(agenda.now() + ROUND_TRIP_MS, () => {
      if (order.status !== 'WM') return
      const possible = quantity > order.filled
      if (possible) apply()
      else custody.rehold(order.orderId, order.quantity - order.filled, order.price ?? price)
      move(order, order.filled > 0 ? 'PF' : 'QU')
      const standingNow = listingOf(order)
      if (possible && standingNow) floor.arrive(order, standingNow)
    })
    return order
  }

  const cancel = (asked: Cancel): LiveOrder => {
    const order = identify(asked)
    if (isOver(order.status) || order.status === 'WM' || order.status === 'WC')
      throw new OrderRefused('cannotCancel')
    const listing = listingOf(order)
    if (isQueued(order.status) && listing && !mayTouch(listing)) throw new OrderRefused('cannotCancel')
    order.clientCancelId = asked.clientCancelId || `X${order.orderId}`
    order.modifiedAt = agenda.now()
    if (!isQueued(order.status)) {
      end(order, 'CL')
      return order
    }
    move(order, 'WC')
    agenda.at(agenda.now() + ROUND_TRIP_MS, () => {
      if (order.status === 'WC') end(order, 'CL')
    })
    return order
  }

  return { modify, cancel }
}
