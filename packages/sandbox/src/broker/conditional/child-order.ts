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

/** How a child order is priced. */
export interface ChildTerms {
  readonly price: ConditionalPrice
  readonly slip: number
  /** The price follows from a stop price: nobody gave it. */
  readonly isComputed: boolean
  readonly dialect: 'spec' | 'live'
}

/**
 * The child order for a price of a conditional order. A number is a limit, sent as it was given: what is off the tick or the price
 * limits is refused there. Only a price that the service computes is fitted: one that the allowed slippage moves to the side that
 * matches sooner, or that follows from a stop price. It is then never worse than computed. A word is an order type of the
 * exchange during continuous matching, or its market order where the board does not have that type; during an auction it is the
 * market order of the auction. Where neither exists (UPCOM, lunch) it is a limit order at the ceiling or the floor, which is
 * closest to a market order.
 */
export function childOrder(
  listing: Listing,
  side: Side,
  { price, slip, isComputed, dialect }: ChildTerms,
): ChildOrder {
  const { orderTypes, phase, ceiling, floor, ladder } = listing
  const limit = (at: number): ChildOrder => ({ orderType: 'LO', price: at })
  if (typeof price === 'number') {
    if (slip === 0 && !isComputed) return limit(price)
    if (side === 'B') return limit(Math.min(ceiling, toTick(ladder, price + slip, 'down')))
    return limit(Math.max(floor, toTick(ladder, price - slip, 'up')))
  }
  const market = marketType(listing)
  if (phase === 'continuous' && market)
    return { orderType: isOfBoard(listing, price, dialect) ? price : market, price: undefined }
  if (phase === 'ato' && orderTypes.includes('ATO')) return { orderType: 'ATO', price: undefined }
  if (phase === 'atc' && orderTypes.includes('ATC')) return { orderType: 'ATC', price: undefined }
  return limit(side === 'B' ? ceiling : floor)
}
