import type { Print } from '../exchange/market-view.js'
import { inQueue, type LiveOrder, openQuantity, takes } from './working-order.js'

/** A part of an order that trades. */
export interface Fill {
  readonly order: LiveOrder
  readonly quantity: number
  readonly price: number
}

/** Of what trades at an order's own price, this part reaches the sandbox's orders: others stood there before. */
const SHARE_AT_PRICE = 0.25

/**
 * What a print of the simulated market does to the orders in the queue. One that goes through an order's price has
 * taken everything there, at the order's own price; one that touches it takes a share. An auction trades at its one
 * price, market orders first. Each side meets the print's whole volume.
 */
export function fillsOf(queue: readonly LiveOrder[], print: Print, lot: number): Fill[] {
  return (['B', 'S'] as const).flatMap((side) => {
    const mine = queue.filter((order) => order.side === side && takes(order, print.price)).sort(inQueue)
    let through = print.volume
    let at = Math.floor((print.volume * SHARE_AT_PRICE) / lot) * lot
    const fills: Fill[] = []
    for (const order of mine) {
      const touched = order.limited && order.price === print.price
      const room = touched ? Math.min(at, through) : through
      const open = openQuantity(order)
      // Odd lots trade beside the book of round lots: whole or not at all.
      const quantity = open < lot && lot > 1 ? open : Math.min(open, Math.floor(room / lot) * lot)
      if (quantity <= 0) {
        // Whoever stands behind has the same price or a worse one.
        if (open >= lot || lot === 1) break
        continue
      }
      through -= quantity
      if (touched) at -= quantity
      const own = order.limited && order.price !== undefined ? order.price : print.price
      fills.push({ order, quantity, price: print.auction ? print.price : own })
      if (quantity < open) break
    }
    return fills
  })
}

/**
 * What a new order finds among the sandbox's own: orders of other clients at their prices, in the order of the queue.
 * Odd lots are not in that book.
 */
export function crossing(queue: readonly LiveOrder[], incoming: LiveOrder, lot: number): Fill[] {
  const round = (order: LiveOrder): boolean => openQuantity(order) % lot === 0
  if (!round(incoming)) return []
  const against = queue
    .filter(round)
    .filter(
      (order) =>
        order.side !== incoming.side &&
        order.clientId !== incoming.clientId &&
        order.limited &&
        order.price !== undefined &&
        takes(incoming, order.price),
    )
    .sort(inQueue)
  let open = openQuantity(incoming)
  const fills: Fill[] = []
  for (const order of against) {
    const quantity = Math.min(open, openQuantity(order))
    if (quantity <= 0) continue
    fills.push({ order, quantity, price: order.price ?? 0 })
    open -= quantity
  }
  return fills
}
