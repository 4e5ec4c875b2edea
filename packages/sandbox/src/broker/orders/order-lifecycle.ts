import { dayOf } from 'candlehouse-foundation/market/day'
import type { Agenda } from '../../market/agenda.js'
import type { Custody } from '../ledger/custody-view.js'
import { type Identification, type Order, OrderRefused, type OrderStatus } from './order.js'
import { isOver, MOVES } from './order-states.js'
import { toOrder, type WorkingOrder } from './working-order.js'

const NONE: ReadonlySet<WorkingOrder> = new Set()

/** All orders of the desk, and the steps that change their status: each step notifies the listeners and the custody. */
export class OrderLifecycle {
  private readonly byId = new Map<string, WorkingOrder>()
  private readonly byAccount = new Map<string, WorkingOrder[]>()
  /** Orders that are not over: only these can still change. */
  private readonly active = new Set<WorkingOrder>()
  /** The same by symbol: every print of the market asks for those of its symbol. */
  private readonly activeBySymbol = new Map<string, Set<WorkingOrder>>()
  private readonly listeners: ((order: Order) => void)[] = []
  private numbering = { day: '', count: 0 }
  private lastPriority = 0

  constructor(
    private readonly agenda: Agenda,
    private readonly custody: Custody,
  ) {}

  /** Number of a new order: the day and a count within it. */
  nextOrderId(): string {
    const day = dayOf(this.agenda.now()).replaceAll('-', '')
    const count = this.numbering.day === day ? this.numbering.count + 1 : 1
    this.numbering = { day, count }
    return `${day}${String(count).padStart(6, '0')}`
  }

  /** The end of the queue. */
  nextPriority(): number {
    this.lastPriority += 1
    return this.lastPriority
  }

  add(order: WorkingOrder): void {
    this.byId.set(order.orderId, order)
    this.active.add(order)
    const { symbol } = order.instrument
    this.activeBySymbol.set(symbol, (this.activeBySymbol.get(symbol) ?? new Set()).add(order))
    this.byAccount.set(order.accountNo, [...this.ofAccount(order.accountNo), order])
    this.announce(order)
  }

  find(orderId: string): WorkingOrder | undefined {
    return this.byId.get(orderId)
  }

  /** Oldest first. */
  ofAccount(accountNo: string): readonly WorkingOrder[] {
    return this.byAccount.get(accountNo) ?? []
  }

  /** Orders that are not over, oldest first. */
  activeOrders(): WorkingOrder[] {
    return [...this.active]
  }

  /** Orders of a symbol that are not over, oldest first. */
  activeOf(symbol: string): ReadonlySet<WorkingOrder> {
    return this.activeBySymbol.get(symbol) ?? NONE
  }

  /** @throws OrderRefused */
  identify({ accountNo, clientRequestId, orderId }: Identification): WorkingOrder {
    if (!clientRequestId && !orderId) throw new OrderRefused('notIdentified')
    const orders = this.ofAccount(accountNo)
    const order = clientRequestId
      ? orders.findLast((candidate) => candidate.clientRequestId === clientRequestId)
      : orders.find((candidate) => candidate.orderId === orderId)
    if (!order) throw new OrderRefused('noSuchOrder')
    return order
  }

  /** @throws RangeError for a status that cannot follow: a bug of the sandbox */
  move(order: WorkingOrder, status: OrderStatus): void {
    if (!MOVES[order.status].includes(status))
      throw new RangeError(`an order does not move from ${order.status} to ${status}`)
    order.status = status
    if (isOver(status)) {
      order.modifiedAt = this.agenda.now()
      this.active.delete(order)
      this.activeBySymbol.get(order.instrument.symbol)?.delete(order)
      order.cancelled = status === 'RJ' ? 0 : order.quantity - order.filled
      this.custody.release(order.orderId)
    }
    this.announce(order)
  }

  /** The open quantity will not trade any more. */
  end(order: WorkingOrder, status: 'CL' | 'EX'): void {
    this.move(order, order.filled > 0 ? 'FFPC' : status)
  }

  fill(order: WorkingOrder, quantity: number, price: number): void {
    this.custody.fill(order.orderId, quantity, price, this.agenda.now())
    order.filled += quantity
    order.filledAmount = Math.round((order.filledAmount + price * quantity) * 10) / 10
    order.modifiedAt = this.agenda.now()
    if (order.filled === order.quantity) this.move(order, 'FF')
    else if (order.status === 'WM' || order.status === 'WC') this.announce(order)
    else this.move(order, 'PF')
  }

  /** Calls every listener with a copy of the order. */
  announce(order: WorkingOrder): void {
    for (const listener of this.listeners) listener(toOrder(order))
  }

  onChange(listener: (order: Order) => void): void {
    this.listeners.push(listener)
  }
}
