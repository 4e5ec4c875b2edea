import type { Operator } from './conditional-order.js'
import type { Leg, WorkingConditional } from './working-conditional.js'

const COMPARE: Readonly<Record<Operator, (market: number, stop: number) => boolean>> = {
  greater_or_equal: (market, stop) => market >= stop,
  lesser_or_equal: (market, stop) => market <= stop,
  greater: (market, stop) => market > stop,
  lesser: (market, stop) => market < stop,
  equal: (market, stop) => market === stop,
}

/** stop, stop_limit: "the market price satisfies the operator against stopPrice". */
export function stopReached({ request }: WorkingConditional, price: number): boolean {
  const { operator, stopPrice } = request
  return operator !== undefined && stopPrice !== undefined && COMPARE[operator](price, stopPrice)
}

/**
 * trailing_stop, trailing_stop_limit: "stop whose stop price moves with the market trend". From `activePrice` on it
 * follows the best price at a distance of `trailingAmount`, and never moves back. True when the market falls (for a
 * buy: rises) to the stop.
 */
export function trailingReached(order: WorkingConditional, price: number): boolean {
  const { side, activePrice = 0, trailingAmount = 0 } = order.request
  const sell = side === 'S'
  if (order.trailingStop === undefined) {
    if (sell ? price < activePrice : price > activePrice) return false
    order.trailingStop = rounded(sell ? price - trailingAmount : price + trailingAmount)
    return false
  }
  if (sell ? price <= order.trailingStop : price >= order.trailingStop) return true
  const newStop = rounded(sell ? price - trailingAmount : price + trailingAmount)
  order.trailingStop = sell ? Math.max(order.trailingStop, newStop) : Math.min(order.trailingStop, newStop)
  return false
}

/** oco: take profit when the market moved in favour of the position, stop the loss when it moved against it. */
export function legReached({ request }: WorkingConditional, leg: Leg, price: number): boolean {
  const { side, tpActivePrice = 0, slActivePrice = 0 } = request
  const sell = side === 'S'
  if (leg === 'tp') return sell ? price >= tpActivePrice : price <= tpActivePrice
  return sell ? price <= slActivePrice : price >= slActivePrice
}

function rounded(price: number): number {
  return Math.round(price * 10) / 10
}
