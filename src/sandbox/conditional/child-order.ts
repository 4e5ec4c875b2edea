import { toTick } from '../../market/tick.js'
import type { Listing } from '../exchange/market-view.js'
import type { OrderType, Side } from '../orders/order.js'
import type { ConditionalPrice } from './conditional-order.js'

/** Type and price of a child order. */
export interface ChildOrder {
  orderType: OrderType
  price: number | undefined
}

/**
 * What is sent for a price of a conditional order. A number is a limit, moved by the allowed slippage to the side
 * that matches sooner, kept on the ladder and inside the band. A word is the exchange's own type while the board
 * matches continuously; in an auction it is the auction's market order; where the board has none of these (UPCOM,
 * lunch) it is a limit at the end of the band, which is the nearest thing to a market order there.
 */
export function childOrder(listing: Listing, side: Side, price: ConditionalPrice, slip: number): ChildOrder {
  const { board, phase, ceiling, floor, ladder } = listing
  const limit = (at: number): ChildOrder => ({
    orderType: 'LO',
    price: Math.min(ceiling, Math.max(floor, toTick(ladder, at, side === 'B' ? 'down' : 'up'))),
  })
  if (typeof price === 'number') return limit(side === 'B' ? price + slip : price - slip)
  if (board === 'UPCOM') return limit(side === 'B' ? ceiling : floor)
  if (phase === 'continuous') return { orderType: price, price: undefined }
  if (phase === 'ato' && board !== 'HNX') return { orderType: 'ATO', price: undefined }
  if (phase === 'atc') return { orderType: 'ATC', price: undefined }
  return limit(side === 'B' ? ceiling : floor)
}
