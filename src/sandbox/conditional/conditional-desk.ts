import { type Day, dayOf } from '../../market/day.js'
import type { Agenda } from '../agenda.js'
import type { Print } from '../exchange/market-view.js'
import { type Order, type OrderDesk, OrderRefused } from '../orders/order.js'
import { isOver } from '../orders/order-states.js'
import { childOrder } from './child-order.js'
import {
  type ConditionalDesk,
  type ConditionalPrice,
  ConditionalRefused,
  type ConditionalStatus,
  type PlaceConditional,
} from './conditional-order.js'
import { check, DEFAULT_VALIDITY_MS, type RuleParts, validity } from './conditional-rules.js'
import { CONDITIONAL_MOVES, hasEnded } from './conditional-states.js'
import { legReached, stopReached, trailingReached } from './trigger.js'
import {
  asConditional,
  type Leg,
  type LiveConditional,
  livingChild,
  matchedOf,
} from './working-conditional.js'

export interface ConditionalParts extends RuleParts {
  readonly agenda: Agenda
  readonly orders: OrderDesk
  /** Login that conditional orders are shown under. */
  readonly username: string
}

/** Code of a history entry that tells of a child order that was turned down. */
const TURNED_DOWN = 1

/** Conditional orders: they wait for the market, send child orders to the desk and follow them to their end. */
export function createConditionalDesk(parts: ConditionalParts): ConditionalDesk {
  const { agenda, market, orders, dialect } = parts
  const known = new Map<string, LiveConditional>()
  const byChild = new Map<string, LiveConditional>()
  let numbered: { day: Day; count: number } = { day: '', count: 0 }

  const move = (order: LiveConditional, status: ConditionalStatus, detail = '', code = 0): void => {
    if (!CONDITIONAL_MOVES[order.status].includes(status))
      throw new RangeError(`a conditional order does not move from ${order.status} to ${status}`)
    order.status = status
    order.detail = detail
    order.history.push({ state: status, at: agenda.now(), code, detail })
    if (hasEnded(status)) {
      order.unwatch?.()
      order.unwatch = undefined
    }
  }

  const send = (
    order: LiveConditional,
    price: ConditionalPrice | undefined,
    slip: number | undefined,
    quantity: number,
    leg?: Leg,
  ): void => {
    const { accountNo, symbol, side } = order.asked
    move(order, 'TRI')
    const listing = market.listing(symbol)
    try {
      if (!listing) throw new OrderRefused('unknownSymbol')
      const child = childOrder(listing, side, price ?? 'MP', slip ?? 0)
      const number = order.children.length + 1
      const placed = orders.place({
        ...{ accountNo, symbol, side, quantity, ...child },
        clientRequestId: `${order.fcoId}.${number}`,
      })
      order.children.push({ orderId: placed.orderId, leg, quantity, filled: 0, over: false })
      byChild.set(placed.orderId, order)
      move(order, 'TRIT')
    } catch (error) {
      if (!(error instanceof OrderRefused)) throw error
      move(order, 'ERR', error.fault, TURNED_DOWN)
    }
  }

  /** "When the trigger of one leg (a) is satisfied, the system checks the other leg (b)". */
  const activate = (order: LiveConditional, leg: Leg): void => {
    const { tpPrice, tpSlip, slPrice, slSlip, quantity } = order.asked
    const [price, slip] = leg === 'tp' ? [tpPrice, tpSlip] : [slPrice, slSlip]
    const other = livingChild(order)
    if (!other) {
      send(order, price, slip, quantity - matchedOf(order), leg)
      return
    }
    // "if b was already activated, its child order is cancelled first": a is sent when the cancel has arrived.
    order.next = leg
    withdraw(order, other.orderId)
  }

  /** Cancels the living child; where an auction holds it nothing changes. @returns whether it is on its way */
  const withdraw = (order: LiveConditional, orderId: string): boolean => {
    move(order, 'WC')
    try {
      orders.cancel({ accountNo: order.asked.accountNo, orderId })
      return true
    } catch (error) {
      if (!(error instanceof OrderRefused)) throw error
      order.next = undefined
      order.cancelling = false
      order.history.pop()
      order.status = 'TRIT'
      return false
    }
  }

  const onPrint = (order: LiveConditional, { price }: Print): void => {
    const { type, quantity, priceSlip } = order.asked
    if (type === 'oco') {
      if (order.status !== 'WAIT' && order.status !== 'TRIT') return
      // Each leg is activated once: the one whose child made way stays away.
      const used = order.children.map((child) => child.leg)
      const reached = (['sl', 'tp'] as const).find(
        (leg) => !used.includes(leg) && legReached(order, leg, price),
      )
      if (reached) activate(order, reached)
      return
    }
    if (order.status !== 'WAIT') return
    if (type === 'stop' && stopReached(order, price)) send(order, 'MP', 0, quantity)
    if (type === 'stop_limit' && stopReached(order, price))
      send(order, order.asked.price, priceSlip, quantity)
    if (type === 'trailing_stop' && trailingReached(order, price)) send(order, 'MP', 0, quantity)
    // "the price sent is computed from the stop price": the stop itself, moved by the slippage.
    if (type === 'trailing_stop_limit' && trailingReached(order, price))
      send(order, order.trailingStop, priceSlip, quantity)
  }

  /** Its time has come: what needs no condition is sent, the rest hears the market. */
  const begin = (order: LiveConditional): void => {
    if (order.status !== 'INIT') return
    const { type, price, priceSlip, quantity, symbol } = order.asked
    if (type === 'bullbear') {
      send(order, price, priceSlip, quantity)
      return
    }
    move(order, 'WAIT')
    if (type === 'gtd') sendForTheDay(order)
    else order.unwatch = market.watch(symbol, (print) => onPrint(order, print))
  }

  /** gtd: "triggered each day"; outside of the session it waits for the next one. */
  const sendForTheDay = (order: LiveConditional): void => {
    if (order.status !== 'WAIT') return
    const { price, priceSlip, quantity, symbol } = order.asked
    const phase = market.listing(symbol)?.phase
    if (phase === undefined || phase === 'closed' || phase === 'before' || phase === 'after') return
    send(order, price, priceSlip, quantity - matchedOf(order))
  }

  market.onPhase((board, phase) => {
    for (const order of [...known.values()]) {
      if (order.asked.type !== 'gtd' || order.status !== 'WAIT') continue
      const opening = board === 'UPCOM' || board === 'HNX' ? 'continuous' : 'ato'
      if (phase === opening && market.listing(order.asked.symbol)?.board === board) sendForTheDay(order)
    }
  })

  /** bullbear: "When the main order is matched, the system creates one OCO order of opposite side". */
  const attach = (order: LiveConditional, quantity: number): void => {
    const { asked, to, fcoId } = order
    const oco: PlaceConditional = {
      ...asked,
      ...{ type: 'oco', side: asked.side === 'B' ? 'S' : 'B', quantity, price: undefined },
      // It lives as long as its main order was to, and a day where that is over.
      ...{ from: agenda.now(), to: to > agenda.now() ? to : agenda.now() + DEFAULT_VALIDITY_MS },
      clientRequestId: undefined,
    }
    enter(oco, agenda.now(), oco.to ?? to, fcoId)
  }

  /** What the end of a child means for its conditional order. */
  const follow = (order: LiveConditional): void => {
    const { type, quantity } = order.asked
    const matched = matchedOf(order)
    const child = order.children.at(-1)
    const status = child ? orders.find(child.orderId)?.status : undefined
    if (livingChild(order)) return
    if (type === 'bullbear' && matched > 0) {
      move(order, 'FIS')
      attach(order, matched)
    } else if (matched === quantity) move(order, 'FIS')
    else if (order.next && child) {
      const leg = order.next
      order.next = undefined
      const { tpPrice, tpSlip, slPrice, slSlip } = order.asked
      const [price, slip] = leg === 'tp' ? [tpPrice, tpSlip] : [slPrice, slSlip]
      // The specification's "remaining matched quantity of b's child order" is read as what of it did not match.
      send(order, price, slip, child.quantity - child.filled, leg)
    } else if (order.cancelling) move(order, 'TER')
    else if (type === 'gtd' && agenda.now() < order.to) move(order, 'WAIT')
    else if (type === 'gtd') move(order, 'EXP')
    else move(order, 'TER', `child order ended as ${status}`)
  }

  orders.onChange((child: Order) => {
    const order = byChild.get(child.orderId)
    const mine = order?.children.find(({ orderId }) => orderId === child.orderId)
    if (!order || !mine || mine.over) return
    mine.filled = child.filled
    mine.over = isOver(child.status)
    // Changes that come while it is being placed are followed when it has been.
    if (mine.over && order.status !== 'TRI') follow(order)
  })

  const expire = (order: LiveConditional): void => {
    if (order.status === 'INIT' || order.status === 'WAIT') move(order, 'EXP')
    const child = livingChild(order)
    if (order.asked.type !== 'gtd' || !child) return
    try {
      orders.cancel({ accountNo: order.asked.accountNo, orderId: child.orderId })
    } catch (error) {
      // In an auction it stays until that has ended with the day.
      if (!(error instanceof OrderRefused)) throw error
    }
  }

  const enter = (
    asked: PlaceConditional,
    from: number,
    to: number,
    parent: string | undefined,
  ): LiveConditional => {
    const day = dayOf(agenda.now()).replaceAll('-', '')
    numbered = numbered.day === day ? { day, count: numbered.count + 1 } : { day, count: 1 }
    const order: LiveConditional = {
      fcoId: `F${day}${String(numbered.count).padStart(5, '0')}`,
      username: parts.username,
      enteredAt: agenda.now(),
      ...{ asked, from, to, parent },
      status: 'INIT',
      detail: '',
      children: [],
      history: [{ state: 'INIT', at: agenda.now(), code: 0, detail: '' }],
      trailingStop: undefined,
      cancelling: false,
      next: undefined,
      unwatch: undefined,
    }
    known.set(order.fcoId, order)
    if (from <= agenda.now()) begin(order)
    else agenda.at(from, () => begin(order))
    agenda.at(to, () => expire(order))
    return order
  }

  return {
    place(asked) {
      check(asked, parts)
      const [from, to] = validity(asked, agenda.now(), dialect)
      return asConditional(enter(asked, from, to, undefined))
    },
    cancel(fcoId) {
      const order = known.get(fcoId)
      if (!order) throw new ConditionalRefused('noSuchOrder', 'fcoId')
      const child = livingChild(order)
      if (order.status === 'INIT' || order.status === 'WAIT') move(order, 'TER', 'cancelled')
      else if (order.status === 'TRIT' && child) {
        order.cancelling = true
        if (!withdraw(order, child.orderId)) throw new ConditionalRefused('cannotCancel')
      } else throw new ConditionalRefused('cannotCancel')
      return asConditional(order)
    },
    find(fcoId) {
      const order = known.get(fcoId)
      return order && asConditional(order)
    },
    of: (accountNo) =>
      [...known.values()]
        .filter((order) => order.asked.accountNo === accountNo)
        .map(asConditional)
        .reverse(),
  }
}
