import { dayOf } from 'candlehouse-foundation/market/day'
import type { Agenda } from '../../market/agenda.js'
import type { Listing, Market } from '../../market/exchange/market-view.js'
import type { Account, Custody } from '../ledger/custody-view.js'
import { Matching } from './matching.js'
import { type Cancel, type Change, type Order, OrderRefused, type PlaceOrder } from './order.js'
import { OrderChanges } from './order-changes.js'
import { OrderLifecycle } from './order-lifecycle.js'
import { OrderRouting } from './order-routing.js'
import { checkPrice, checkQuantity, checkType } from './order-rules.js'
import { toOrder, type WorkingOrder } from './working-order.js'

export interface OrderDeskParts {
  readonly agenda: Agenda
  readonly market: Market
  readonly custody: Custody
  readonly dialect: 'spec' | 'live'
}

/**
 * Longest `clientRequestId` (docs/market-facts.md#client-request-ids). The live dialect also refuses the same one twice
 * a day.
 */
const CLIENT_ID_LENGTH = 20

/**
 * The order desk of the sandbox: checks orders, reserves money and shares for them, sends them to the exchange.
 * Orders are values: call `find` again to see a change.
 */
export class OrderDesk {
  private readonly lifecycle: OrderLifecycle
  private readonly matching: Matching
  private readonly routing: OrderRouting
  private readonly changes: OrderChanges

  constructor(private readonly parts: OrderDeskParts) {
    const { agenda, market, custody, dialect } = parts
    const lifecycle = new OrderLifecycle(agenda, custody)
    const matching = new Matching(market, lifecycle)
    const routing = new OrderRouting(agenda, market, lifecycle, matching)
    this.lifecycle = lifecycle
    this.matching = matching
    this.routing = routing
    this.changes = new OrderChanges({ agenda, market, custody, dialect, lifecycle, routing, matching })
  }

  /** @throws OrderRefused; nothing has changed then */
  place(request: PlaceOrder): Order {
    const { agenda, market, custody } = this.parts
    const account = custody.account(request.accountNo)
    if (!account) throw new OrderRefused('unknownAccount')
    // Outside of trading hours an order is for the next session, by its limits.
    const listing = market.upcoming(request.symbol)
    if (!listing) throw new OrderRefused('unknownSymbol')
    // ATO, ATC and MP may carry a price (docs/brokerage-api.md#place-an-order); the exchange ignores it.
    const price = request.orderType === 'LO' ? request.price : undefined
    this.check(request, account, listing)
    const orderId = this.lifecycle.nextOrderId()
    const order = newOrder(orderId, request, account, listing, price, agenda.now())
    const closing = request.orderType === 'PLO' ? market.quote(request.symbol)?.ask : undefined
    const highestPrice = price ?? closing ?? listing.ceiling
    this.reserve(order, highestPrice)
    this.lifecycle.add(order)
    this.matching.watch(request.symbol)
    this.routing.receive(order, request.quantity * highestPrice)
    return toOrder(order)
  }

  /** @throws OrderRefused; nothing has changed then */
  modify(change: Change): Order {
    return toOrder(this.changes.modify(change))
  }

  /** @throws OrderRefused; nothing has changed then */
  cancel(cancel: Cancel): Order {
    return toOrder(this.changes.cancel(cancel))
  }

  find(orderId: string): Order | undefined {
    const order = this.lifecycle.find(orderId)
    return order && toOrder(order)
  }

  /** Every order of an account, newest first. */
  ofAccount(accountNo: string): readonly Order[] {
    return this.lifecycle.ofAccount(accountNo).map(toOrder).reverse()
  }

  /** Calls the listener after each change of an order's status or filled quantity. */
  onChange(listener: (order: Order) => void): void {
    this.lifecycle.onChange(listener)
  }

  private check(request: PlaceOrder, account: Account, listing: Listing): void {
    const isFuture = listing.instrument.kind === 'future'
    if (isFuture !== (account.accountType === 'DERIVATIVE')) throw new OrderRefused('wrongAccountType')
    this.checkClientRequestId(request)
    if (listing.halted) throw new OrderRefused('suspended')
    checkType(listing, request.orderType, this.parts.dialect)
    // Without a trade there is no closing price to trade at.
    if (request.orderType === 'PLO' && !this.parts.market.quote(request.symbol))
      throw new OrderRefused('typeNotAllowedNow')
    checkQuantity(listing, request.orderType, request.quantity)
    if (request.orderType === 'LO') checkPrice(listing, request.price)
    if (!isFuture && this.hasOppositeOrder(account.clientId, request)) throw new OrderRefused('oppositeOrder')
  }

  private checkClientRequestId({ accountNo, clientRequestId }: PlaceOrder): void {
    if (this.parts.dialect !== 'live' || !clientRequestId) return
    if (clientRequestId.length > CLIENT_ID_LENGTH) throw new OrderRefused('clientRequestIdTooLong')
    const today = dayOf(this.parts.agenda.now())
    const isUsed = this.lifecycle
      .ofAccount(accountNo)
      .some((order) => order.clientRequestId === clientRequestId && dayOf(order.enteredAt) === today)
    if (isUsed) throw new OrderRefused('clientRequestIdUsed')
  }

  /** A client never trades with itself: while one side has an active order the other side is refused. */
  private hasOppositeOrder(clientId: string, { symbol, side }: PlaceOrder): boolean {
    for (const order of this.lifecycle.activeOf(symbol))
      if (order.clientId === clientId && order.side !== side) return true
    return false
  }

  /** @throws OrderRefused */
  private reserve({ orderId, accountNo, instrument, side, quantity }: WorkingOrder, price: number): void {
    const shortfall = this.parts.custody.hold({ orderId, accountNo, instrument, side, quantity, price })
    if (shortfall) throw new OrderRefused(shortfall === 'holding' ? 'overHolding' : 'overBuyingPower')
  }
}

function newOrder(
  orderId: string,
  { accountNo, clientRequestId, side, orderType, quantity }: PlaceOrder,
  { clientId }: Account,
  { instrument }: Listing,
  price: number | undefined,
  now: number,
): WorkingOrder {
  return {
    orderId,
    accountNo,
    clientId,
    instrument,
    side,
    orderType,
    quantity,
    price,
    clientRequestId: clientRequestId || `C${orderId}`,
    limited: orderType === 'LO',
    filled: 0,
    cancelled: 0,
    filledAmount: 0,
    status: 'PD',
    enteredAt: now,
    modifiedAt: now,
    priority: 0,
    clientModifyId: undefined,
    clientCancelId: undefined,
    message: '',
  }
}
