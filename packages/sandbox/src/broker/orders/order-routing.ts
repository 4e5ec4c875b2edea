import type { TradingBoard } from 'candlehouse-foundation/market/board'
import type { Agenda } from '../../market/agenda.js'
import type { Listing, Market, Phase } from '../../market/exchange/market-view.js'
import type { Matching } from './matching.js'
import type { OrderStatus } from './order.js'
import type { OrderLifecycle } from './order-lifecycle.js'
import { acceptance } from './order-rules.js'
import { isQueued } from './order-states.js'
import type { WorkingOrder } from './working-order.js'

/** Milliseconds from one step to the next: received, ready to send, at the exchange. */
const RECEIVED_MS = 50
const READY_MS = 50
const SENT_MS = 100

/** Orders of more VND than this wait for a dealer's approval, for this many milliseconds. */
const APPROVAL_FROM = 100_000_000
const APPROVAL_MS = 60_000

/** Takes an accepted order from the broker to the exchange, and expires orders when phases change. */
export class OrderRouting {
  constructor(
    private readonly agenda: Agenda,
    private readonly market: Market,
    private readonly lifecycle: OrderLifecycle,
    private readonly matching: Matching,
  ) {
    market.onPhase((board, phase) => this.onPhase(board, phase))
  }

  listingOf(order: WorkingOrder): Listing | undefined {
    return this.market.listing(order.instrument.symbol)
  }

  /** @param value VND; large orders of shares wait for approval */
  receive(order: WorkingOrder, value: number): void {
    const needsApproval = order.instrument.kind !== 'future' && value > APPROVAL_FROM
    this.after(RECEIVED_MS, order, 'PD', () => {
      if (!needsApproval) this.release(order)
      else {
        this.lifecycle.move(order, 'WA')
        this.after(APPROVAL_MS, order, 'WA', () => this.release(order))
      }
    })
  }

  /** Does a step later, unless the order has another status by then. */
  private after(ms: number, order: WorkingOrder, status: OrderStatus, step: () => void): void {
    this.agenda.at(this.agenda.now() + ms, () => {
      if (order.status === status) step()
    })
  }

  /** Sends the order on to the exchange, or lets it wait for the phase that takes it. */
  private release(order: WorkingOrder): void {
    const listing = this.market.upcoming(order.instrument.symbol)
    const accepted = listing ? acceptance(listing.phase, order.orderType) : 'no'
    if (accepted === 'now') this.send(order)
    else if (accepted === 'later') this.lifecycle.move(order, 'IAV')
    else this.lifecycle.end(order, 'EX')
  }

  private send(order: WorkingOrder): void {
    this.lifecycle.move(order, 'RS')
    this.after(READY_MS, order, 'RS', () => {
      this.lifecycle.move(order, 'SD')
      this.after(SENT_MS, order, 'SD', () => this.arrive(order))
    })
  }

  private arrive(order: WorkingOrder): void {
    const listing = this.listingOf(order)
    if (!listing || acceptance(listing.phase, order.orderType) !== 'now') {
      order.message = 'order type is not allowed in this session'
      this.lifecycle.move(order, 'RJ')
      return
    }
    order.priority = this.lifecycle.nextPriority()
    this.lifecycle.move(order, 'QU')
    this.matching.arrive(order, listing)
  }

  private onPhase(board: TradingBoard, phase: Phase): void {
    for (const order of this.lifecycle.activeOrders()) {
      const listing = this.listingOf(order)
      if (listing && listing.board !== board) continue
      if (!listing || endsBefore(order, phase)) this.lifecycle.end(order, 'EX')
      else if (order.status === 'IAV' && acceptance(phase, order.orderType) === 'now') this.send(order)
      else if (order.orderType === 'ATO' && isQueued(order.status) && phase !== 'ato')
        this.lifecycle.end(order, 'EX')
    }
    if (phase === 'continuous') this.matching.crossQueue(board)
  }
}

/** Orders end when matching does; those at the closing price begin only then. */
function endsBefore({ orderType }: WorkingOrder, phase: Phase): boolean {
  return phase === 'after' || (phase === 'plo' && orderType !== 'PLO')
}
