import type { TradingBoard } from '../../market/board.js'
import { tickAt, toTick } from '../../market/tick.js'
import type { Agenda } from '../agenda.js'
import type { Listing, Market, Print } from '../exchange/market-view.js'
import { crossing, fillsOf } from './fills.js'
import { isQueued } from './order-states.js'
import { type LiveOrder, openQuantity, takes } from './working-order.js'

/** What the floor needs of the desk. */
export interface Orders {
  /** Orders of a symbol that are not over. */
  alive(symbol: string): readonly LiveOrder[]
  fill(order: LiveOrder, quantity: number, price: number): void
  /** The rest of it ends. */
  end(order: LiveOrder, how: 'CL'): void
}

/** Where orders meet each other and the simulated market. */
export interface Floor {
  /** An order has come to the exchange, or has changed there. */
  arrive(order: LiveOrder, listing: Listing): void
  /** A board begins to match continuously: what an auction or the lunch has left may cross. */
  open(board: TradingBoard): void
  /** Hears the trades of a symbol from now on, as long as it has orders. */
  follow(symbol: string): void
}

export function createFloor(parts: { agenda: Agenda; market: Market }, orders: Orders): Floor {
  const { market } = parts
  const followed = new Map<string, () => void>()

  const standing = (symbol: string): LiveOrder[] =>
    orders.alive(symbol).filter((order) => isQueued(order.status))

  const onPrint = (print: Print): void => {
    const { symbol } = print
    const listing = market.listing(symbol)
    if (!listing || orders.alive(symbol).length === 0) {
      followed.get(symbol)?.()
      followed.delete(symbol)
      return
    }
    for (const { order, quantity, price } of fillsOf(standing(symbol), print, listing.lot))
      orders.fill(order, quantity, price)
  }

  const trade = (order: LiveOrder, other: LiveOrder, quantity: number, price: number): void => {
    orders.fill(other, quantity, price)
    orders.fill(order, quantity, price)
  }

  /** Trades a new order against what stands there, then against the best price of the simulated market. */
  const match = (order: LiveOrder, { instrument, lot }: Listing): number | undefined => {
    let last: number | undefined
    for (const { order: other, quantity, price } of crossing(standing(instrument.symbol), order, lot)) {
      trade(order, other, quantity, price)
      last = price
    }
    const quote = market.quote(instrument.symbol)
    const price = order.side === 'B' ? quote?.ask : quote?.bid
    const quantity = Math.min(openQuantity(order), quote?.depth ?? 0)
    if (price !== undefined && quantity > 0 && takes(order, price)) {
      orders.fill(order, quantity, price)
      last = price
    }
    return last
  }

  /** How much of it would trade at once. */
  const reach = (order: LiveOrder, { instrument, lot }: Listing): number => {
    const own = crossing(standing(instrument.symbol), order, lot).reduce(
      (sum, fill) => sum + fill.quantity,
      0,
    )
    return own + (market.quote(instrument.symbol)?.depth ?? 0)
  }

  const arrive: Floor['arrive'] = (order, listing) => {
    if (listing.phase !== 'continuous') return
    // Match or kill: all of it at once, or none.
    if (order.orderType === 'MOK' && reach(order, listing) < openQuantity(order)) {
      orders.end(order, 'CL')
      return
    }
    const last = match(order, listing)
    if (order.limited || openQuantity(order) === 0) return
    const { ladder, ceiling, floor } = listing
    if (last === undefined || order.orderType === 'MAK' || order.orderType === 'MOK') {
      orders.end(order, 'CL')
      return
    }
    // HOSE turns the rest of a market order into a limit one tick beyond its last price, the others at that price.
    const beyond = listing.board === 'HOSE' && order.orderType === 'MP' ? tickAt(ladder, last) : 0
    order.limited = true
    order.price =
      order.side === 'B'
        ? Math.min(ceiling, toTick(ladder, last + beyond, 'nearest'))
        : Math.max(floor, toTick(ladder, last - beyond, 'nearest'))
  }

  const open: Floor['open'] = (board) => {
    for (const symbol of followed.keys()) {
      const listing = market.listing(symbol)
      if (listing?.board !== board) continue
      for (const order of standing(symbol).sort((a, b) => a.priority - b.priority)) {
        for (const { order: other, quantity, price } of crossing(standing(symbol), order, listing.lot)) {
          // Whoever stood there first names the price.
          const first = other.priority < order.priority ? price : (order.price ?? price)
          if (quantity > 0) trade(order, other, quantity, first)
        }
      }
    }
  }

  return {
    arrive,
    open,
    follow(symbol) {
      if (followed.has(symbol)) return
      followed.set(symbol, market.watch(symbol, onPrint))
    },
  }
}
