import { dayOf } from 'candlehouse-foundation/market/day'
import type { Agenda } from '../../market/agenda.js'
import type { OrderDesk } from '../orders/order-desk.js'
import { ChildOrders } from './child-orders.js'
import { type ConditionalOrder, ConditionalRefused, type PlaceConditional } from './conditional-order.js'
import { check, DEFAULT_VALIDITY_MS, type RuleParts, validity } from './conditional-rules.js'
import { Triggers } from './triggers.js'
import {
  activeChild,
  matchedQuantity,
  moveTo,
  toConditionalOrder,
  type WorkingConditional,
} from './working-conditional.js'

export interface ConditionalDeskParts extends RuleParts {
  readonly agenda: Agenda
  readonly orders: OrderDesk
  /** Login that conditional orders are shown under. */
  readonly username: string
}

/** Conditional orders: they wait for the market, send child orders to the order desk and follow them to their end. */
export class ConditionalDesk {
  private readonly byId = new Map<string, WorkingConditional>()
  private readonly children: ChildOrders
  private readonly triggers: Triggers
  private numbering = { day: '', count: 0 }

  constructor(private readonly parts: ConditionalDeskParts) {
    const { agenda, market, orders } = parts
    this.children = new ChildOrders(agenda, market, orders, parts.dialect)
    this.triggers = new Triggers(agenda, market, this.children)
    market.onPhase((board, phase) => this.triggers.onPhase([...this.byId.values()], board, phase))
    orders.onChange((child) => {
      const order = this.children.recordChange(child)
      // A child may end while it is being placed: the status is then still TRI.
      if (order && order.status !== 'TRI') this.onChildEnded(order)
    })
  }

  /** @throws ConditionalRefused; nothing has changed then */
  place(request: PlaceConditional): ConditionalOrder {
    const { agenda, dialect } = this.parts
    check(request, this.parts)
    const [from, to] = validity(request, agenda.now(), dialect)
    return toConditionalOrder(this.enter(request, from, to, undefined))
  }

  /** @throws ConditionalRefused; nothing has changed then */
  cancel(fcoId: string): ConditionalOrder {
    const order = this.byId.get(fcoId)
    if (!order) throw new ConditionalRefused('noSuchOrder', 'fcoId')
    const child = activeChild(order)
    if (order.status === 'INIT' || order.status === 'WAIT')
      moveTo(order, 'TER', this.parts.agenda.now(), 'cancelled')
    else if (order.status === 'TRIT' && child) {
      order.cancelling = true
      if (!this.children.cancel(order, child)) throw new ConditionalRefused('cannotCancel')
    } else throw new ConditionalRefused('cannotCancel')
    return toConditionalOrder(order)
  }

  find(fcoId: string): ConditionalOrder | undefined {
    const order = this.byId.get(fcoId)
    return order && toConditionalOrder(order)
  }

  /** Every conditional order of an account, newest first. */
  ofAccount(accountNo: string): readonly ConditionalOrder[] {
    return [...this.byId.values()]
      .filter((order) => order.request.accountNo === accountNo)
      .map(toConditionalOrder)
      .reverse()
  }

  private enter(
    request: PlaceConditional,
    from: number,
    to: number,
    parent: string | undefined,
  ): WorkingConditional {
    const { agenda, username } = this.parts
    const now = agenda.now()
    const order: WorkingConditional = {
      fcoId: this.nextId(),

      username,
      enteredAt: now,
      request,
      from,
      to,
      parent,
      status: 'INIT',
      detail: '',
      children: [],
      history: [{ state: 'INIT', at: now, code: 0, detail: '' }],
      trailingStop: undefined,
      cancelling: false,
      nextLeg: undefined,
      unwatch: undefined,
    }
    this.byId.set(order.fcoId, order)
    if (from <= now) this.triggers.begin(order)
    else agenda.at(from, () => this.triggers.begin(order))
    agenda.at(to, () => this.expire(order))
    return order
  }

  private nextId(): string {
    const day = dayOf(this.parts.agenda.now()).replaceAll('-', '')
    const count = this.numbering.day === day ? this.numbering.count + 1 : 1
    this.numbering = { day, count }
    return `F${day}${String(count).padStart(5, '0')}`
  }

  private onChildEnded(order: WorkingConditional): void {
    const { type, quantity } = order.request
    const now = this.parts.agenda.now()
    const matched = matchedQuantity(order)
    const lastChild = order.children.at(-1)
    if (activeChild(order)) return
    if (type === 'bullbear' && matched > 0) {
      moveTo(order, 'FIS', now)
      this.enterOco(order, matched)
    } else if (matched === quantity) moveTo(order, 'FIS', now)
    else if (order.nextLeg && lastChild) {
      const leg = order.nextLeg
      order.nextLeg = undefined
      // The specification's "remaining matched quantity of b's child order" is read as its unmatched quantity.
      this.children.sendLeg(order, leg, lastChild.quantity - lastChild.filled)
    } else if (order.cancelling) moveTo(order, 'TER', now)
    else if (type === 'gtd') moveTo(order, now < order.to ? 'WAIT' : 'EXP', now)
    else {
      const status = lastChild && this.children.statusOf(lastChild)
      moveTo(order, 'TER', now, `child order ended as ${status}`)
    }
  }

  /** bullbear: "When the main order is matched, the system creates one OCO order of opposite side". */
  private enterOco({ request, to, fcoId }: WorkingConditional, quantity: number): void {
    const now = this.parts.agenda.now()
    // The OCO is valid as long as its main order was to be, and for a day when that time has passed.
    const end = to > now ? to : now + DEFAULT_VALIDITY_MS
    const oco: PlaceConditional = {
      ...request,

      type: 'oco',
      side: request.side === 'B' ? 'S' : 'B',
      quantity,
      price: undefined,

      from: now,
      to: end,
      clientRequestId: undefined,
    }
    this.enter(oco, now, end, fcoId)
  }

  private expire(order: WorkingConditional): void {
    if (order.status === 'INIT' || order.status === 'WAIT') moveTo(order, 'EXP', this.parts.agenda.now())
    const child = activeChild(order)
    // During an auction the child cannot be cancelled: it ends with the day.
    if (order.request.type === 'gtd' && child) this.children.tryCancel(order, child)
  }
}
