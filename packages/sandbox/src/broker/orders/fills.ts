import { type Listing, type PriceRange, type Print, within } from '../../market/exchange/market-view.js'
import { byPriceThenTime, canTradeAt, openQuantity, type WorkingOrder } from './working-order.js'

/** A part of an order that trades. */
export interface Fill {
  readonly order: WorkingOrder
  readonly quantity: number
  readonly price: number
}

/**
 * Part of a print's volume that reaches the sandbox's orders at exactly that price: other orders of the market were
 * in the queue before them.
 */
const SHARE_AT_PRICE = 0.25

/**
 * Fills that a print of the simulated market causes in the queue. A print beyond an order's limit fills it at the
 * limit, where the market has passed it in this minute, else at its nearest price of this minute: no candle has others.
 * A print at exactly the limit fills a share of its volume. An auction trades at its single price; orders without a
 * limit come first where the board has it so, elsewhere as if they had the best limit that there is. Each side of the queue meets the whole volume of the print.
 */
export function fillsByPrint(
  queue: readonly WorkingOrder[],
  print: Print,
  { lot, auctionOrdersFirst, ceiling, floor }: PrintRules,
): Fill[] {
  return (['B', 'S'] as const).flatMap((side) => {
    const best = side === 'B' ? ceiling : floor
    const byRank = byPriceThenTime(print.auction && !auctionOrdersFirst ? best : undefined)
    const candidates = queue.filter((order) => order.side === side && canTradeAt(order, print.price))
    return fillsOfSide(candidates.sort(byRank), print, lot)
  })
}

type PrintRules = Pick<Listing, 'lot' | 'auctionOrdersFirst' | 'ceiling' | 'floor'>

function fillsOfSide(candidates: readonly WorkingOrder[], print: Print, lot: number): Fill[] {
  let volume = print.volume
  let volumeAtPrice = Math.floor((print.volume * SHARE_AT_PRICE) / lot) * lot
  const fills: Fill[] = []
  for (const order of candidates) {
    const isAtPrice = order.limited && order.price === print.price
    const available = isAtPrice ? Math.min(volumeAtPrice, volume) : volume
    const open = openQuantity(order)
    // Odd lots trade outside of the queue of round lots: completely or not at all.
    const quantity = open < lot && lot > 1 ? open : Math.min(open, Math.floor(available / lot) * lot)
    if (quantity <= 0) {
      // All orders that follow have the same price or a worse one.
      if (open >= lot || lot === 1) break
      continue
    }
    volume -= quantity
    if (isAtPrice) volumeAtPrice -= quantity
    fills.push({ order, quantity, price: priceOfFill(order, print) })
    if (quantity < open) break
  }
  return fills
}

function priceOfFill({ limited, price: limit, side }: WorkingOrder, { auction, from, price }: Print): number {
  if (auction || !limited || limit === undefined) return price
  return side === 'B' ? Math.min(limit, Math.max(from, price)) : Math.max(limit, Math.min(from, price))
}

/**
 * Fills of a new order against queued orders of other clients, in the order of the queue, each at the price of the queued
 * order, or at the nearest that the market has shown, if both may trade there. `order` of a fill is the queued order. Odd
 * lots do not take part.
 */
export function fillsByCrossing(
  queue: readonly WorkingOrder[],
  incoming: WorkingOrder,
  { lot, shown }: { lot: number; shown: PriceRange },
): Fill[] {
  const isRoundLot = (order: WorkingOrder): boolean => openQuantity(order) % lot === 0
  if (!isRoundLot(incoming)) return []
  const opposite = queue
    .filter(isRoundLot)
    .filter(
      (order) =>
        order.side !== incoming.side &&
        order.clientId !== incoming.clientId &&
        order.limited &&
        order.price !== undefined,
    )
    .sort(byPriceThenTime())
  let open = openQuantity(incoming)
  const fills: Fill[] = []
  for (const order of opposite) {
    const price = within(shown, order.price ?? 0)
    const quantity = Math.min(open, openQuantity(order))
    if (quantity <= 0 || !canTradeAt(order, price) || !canTradeAt(incoming, price)) continue
    fills.push({ order, quantity, price })
    open -= quantity
  }
  return fills
}
