import { toTick } from 'candlehouse-foundation/market/tick'
import type { Listing } from '../../market/exchange/market-view.js'
import type { OrderType, Side } from '../orders/order.js'
import { isOfBoard, marketType } from '../orders/order-rules.js'
import type { ConditionalPrice } from './conditional-order.js'

/** Type and price of a child order. */
export interface ChildOrder {
  orderType: OrderType
  price: number | undefined
}

/**
 * The child order for a price of a conditional order. A number is a limit: it is moved by the allowed slippage to
 * the side that matches sooner, rounded to the tick and kept inside the price limits. A word is an order type of the
 * exchange during continuous matching, or its market order where the board does not have that type; during an auction it is the
 * market order of the auction. Where neither exists (UPCOM, lunch) it is a limit order at the ceiling or the floor, which is
 * closest to a market order.
 */
export function childOrder(
  listing: Listing,
  side: Side,
  { price, slip, dialect }: { price: ConditionalPrice; slip: number; dialect: 'spec' | 'live' },
): ChildOrder {
  const { orderTypes, phase, ceiling, floor, ladder } = listing
  const limit = (wanted: number): ChildOrder => ({
    orderType: 'LO',
    price: Math.min(ceiling, Math.max(floor, toTick(ladder, wanted, side === 'B' ? 'down' : 'up'))),
  })
  if (typeof price === 'number') return limit(side === 'B' ? price + slip : price - slip)
  const market = marketType(listing)
  if (phase === 'continuous' && market)
    return { orderType: isOfBoard(listing, price, dialect) ? price : market, price: undefined }
  if (phase === 'ato' && orderTypes.includes('ATO')) return { orderType: 'ATO', price: undefined }
  if (phase === 'atc' && orderTypes.includes('ATC')) return { orderType: 'ATC', price: undefined }
  return limit(side === 'B' ? ceiling : floor)
}
