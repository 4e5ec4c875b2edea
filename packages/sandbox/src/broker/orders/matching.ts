import type { TradingBoard } from 'candlehouse-foundation/market/board'
import { tickAt, toTick } from 'candlehouse-foundation/market/tick'
import {
  type Listing,
  type Market,
  type PriceRange,
  type Print,
  type Quote,
  within,
} from '../../market/exchange/market-view.js'
import { fillsByCrossing, fillsByPrint } from './fills.js'
import type { OrderLifecycle } from './order-lifecycle.js'
import { isQueued } from './order-states.js'
import { canTradeAt, openQuantity, type WorkingOrder } from './working-order.js'

/** Matches queued orders with each other and with the trades of the simulated market. */
export class Matching {
  /** Symbol → stops watching its prints. */
  private readonly watched = new Map<string, () => void>()

  constructor(
    private readonly market: Market,
    private readonly lifecycle: OrderLifecycle,
  ) {}

  /** Watches the trades of a symbol from now on, as long as it has active orders. */
  watch(symbol: string): void {
    if (this.watched.has(symbol)) return
    this.watched.set(
      symbol,
      this.market.watch(symbol, (print) => this.onPrint(print)),
    )
  }

  /** An order has reached the exchange, or has changed there. */
  arrive(order: WorkingOrder, listing: Listing): void {
    if (listing.phase === 'plo') this.limitToClose(order)
    else if (listing.phase !== 'continuous') return
    // Match or kill: the whole quantity at once, or nothing.
    if (order.orderType === 'MOK' && this.tradableNow(order, listing) < openQuantity(order)) {
      this.lifecycle.end(order, 'CL')
      return
    }
    const lastPrice = this.match(order, listing)
    if (order.limited || openQuantity(order) === 0) return
    if (lastPrice === undefined || order.orderType === 'MAK' || order.orderType === 'MOK')
      this.lifecycle.end(order, 'CL')
    else limitAfterMatch(order, listing, lastPrice)
  }

  /** After the close there is one price; what does not trade at once stays in the queue for others. */
  private limitToClose(order: WorkingOrder): void {
    order.price = this.market.quote(order.instrument.symbol)?.bid
    order.limited = true
  }

  /** A board begins continuous matching: orders that an auction or the lunch break left in the queue may cross. */
  crossQueue(board: TradingBoard): void {
    for (const symbol of this.watched.keys()) {
      const listing = this.market.listing(symbol)
      const shown = this.market.quote(symbol)
      if (listing?.board !== board || !shown) continue
      for (const order of this.queue(symbol).sort((a, b) => a.priority - b.priority)) {
        for (const fill of fillsByCrossing(this.queue(symbol), order, { lot: listing.lot, shown })) {
          const { order: other, quantity, price } = fill
          // The older order of the two sets the price.
          const tradePrice = other.priority < order.priority ? price : within(shown, order.price ?? price)
          if (quantity > 0) this.trade(order, other, quantity, tradePrice)
        }
      }
    }
  }

  private queue(symbol: string): WorkingOrder[] {
    return [...this.lifecycle.activeOf(symbol)].filter((order) => isQueued(order.status))
  }

  private onPrint(print: Print): void {
    const { symbol } = print
    const active = this.lifecycle.activeOf(symbol)
    if (active.size === 0) {
      this.watched.get(symbol)?.()
      this.watched.delete(symbol)
      return
    }
    // Hundreds of prints a day are beyond the price of every order.
    if (!anyTradesAt(active, print.price)) return
    const listing = this.market.listing(symbol)
    if (!listing) return
    for (const { order, quantity, price } of fillsByPrint(this.queue(symbol), print, listing))
      this.lifecycle.fill(order, quantity, price)
  }

  private trade(order: WorkingOrder, other: WorkingOrder, quantity: number, price: number): void {
    this.lifecycle.fill(other, quantity, price)
    this.lifecycle.fill(order, quantity, price)
  }

  /**
   * Trades a new order with the best prices first: with orders of the queue that are at least as good as the best price of the
   * simulated market, then with the market, then with what is left of the queue.
   *
   * @returns the price of the last trade
   */
  private match(order: WorkingOrder, listing: Listing): number | undefined {
    const quote = this.market.quote(listing.instrument.symbol)
    if (!quote) return undefined
    const better = order.side === 'B' ? { ...quote, high: quote.ask } : { ...quote, low: quote.bid }
    const inQueue = this.cross(order, listing, better)
    const withMarket = this.takeBest(order, listing, quote)
    return this.cross(order, listing, quote) ?? withMarket ?? inQueue
  }

  private cross(order: WorkingOrder, { instrument, lot }: Listing, shown: PriceRange): number | undefined {
    const fills = fillsByCrossing(this.queue(instrument.symbol), order, { lot, shown })
    for (const fill of fills) this.trade(order, fill.order, fill.quantity, fill.price)
    return fills.at(-1)?.price
  }

  private takeBest(order: WorkingOrder, { instrument }: Listing, quote: Quote): number | undefined {
    const price = order.side === 'B' ? quote.ask : quote.bid
    const quantity = Math.min(openQuantity(order), quote.depth)
    if (quantity <= 0 || !canTradeAt(order, price)) return undefined
    this.lifecycle.fill(order, quantity, price)
    this.market.traded(instrument.symbol, order.side, price, quantity)
    return price
  }

  /** Quantity of the order that would trade at once. */
  private tradableNow(order: WorkingOrder, { instrument, lot }: Listing): number {
    const quote = this.market.quote(instrument.symbol)
    if (!quote) return 0
    const fills = fillsByCrossing(this.queue(instrument.symbol), order, { lot, shown: quote })
    return fills.reduce((sum, fill) => sum + fill.quantity, 0) + quote.depth
  }
}

function anyTradesAt(orders: Iterable<WorkingOrder>, price: number): boolean {
  for (const order of orders) if (isQueued(order.status) && canTradeAt(order, price)) return true
  return false
}

/**
 * The open quantity of a market order becomes a limit order: of an MP order at HOSE, which had them until 2025, one tick beyond
 * the last price of its trades, of MTL orders at that price.
 */
function limitAfterMatch(order: WorkingOrder, listing: Listing, lastPrice: number): void {
  const { ladder, ceiling, floor } = listing
  const beyond = listing.orderTypes.includes('MP') && order.orderType === 'MP' ? tickAt(ladder, lastPrice) : 0
  order.limited = true
  order.price =
    order.side === 'B'
      ? Math.min(ceiling, toTick(ladder, lastPrice + beyond, 'nearest'))
      : Math.max(floor, toTick(ladder, lastPrice - beyond, 'nearest'))
}
