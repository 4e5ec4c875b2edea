import type { TradingBoard } from '../../market/board.js'
import { dayOf } from '../../market/day.js'
import type { Agenda } from '../agenda.js'
import type { Listing, Market } from '../exchange/market-view.js'
import type { Custody } from '../ledger/custody-view.js'
import { createFloor } from './matching.js'
import {
  type Identification,
  type Order,
  type OrderDesk,
  OrderRefused,
  type OrderStatus,
  type PlaceOrder,
} from './order.js'
import { createChanges } from './order-changes.js'
import { checkPhase, checkPrice, checkQuantity, standing } from './order-rules.js'
import { isOver, isQueued, MOVES } from './order-states.js'
import { asOrder, type LiveOrder } from './working-order.js'

export interface DeskParts {
  readonly agenda: Agenda
  readonly market: Market
  readonly custody: Custody
  readonly dialect: 'spec' | 'live'
}

/** Milliseconds on the way: taken in, made ready, at the exchange. */
const TAKEN_MS = 50
const READY_MS = 50
const SENT_MS = 100

/** Orders of more VND than this wait for a dealer's approval, so long. */
const APPROVAL_FROM = 100_000_000
const APPROVAL_MS = 60_000

/** At most this long (docs/market-facts.md#client-request-ids), and not twice a day; the live dialect only. */
const CLIENT_ID_LENGTH = 20

/** The order desk of the sandbox: checks, holds, sends, matches on the exchange's floor, expires. */
export function createOrderDesk({ agenda, market, custody, dialect }: DeskParts): OrderDesk {
  const orders = new Map<string, LiveOrder>()
  /** Those that are not over: all that time and trades can still move. */
  const alive = new Set<LiveOrder>()
  const byAccount = new Map<string, LiveOrder[]>()
  const listeners: ((order: Order) => void)[] = []
  let numbered = { day: '', count: 0 }
  let priorities = 0

  const say = (order: LiveOrder): void => {
    for (const hear of listeners) hear(asOrder(order))
  }

  const move = (order: LiveOrder, status: OrderStatus): void => {
    if (!MOVES[order.status].includes(status))
      throw new RangeError(`an order does not move from ${order.status} to ${status}`)
    order.status = status
    if (isOver(status)) {
      alive.delete(order)
      order.cancelled = order.quantity - order.filled
      if (status === 'RJ') order.cancelled = 0
      custody.release(order.orderId)
    }
    say(order)
  }

  /** What is left of it will not trade any more. */
  const end = (order: LiveOrder, how: 'CL' | 'EX'): void => {
    move(order, order.filled > 0 ? 'FFPC' : how)
  }

  const floor = createFloor(
    { agenda, market },
    {
      alive: (symbol) => [...alive].filter((order) => order.instrument.symbol === symbol),
      fill(order, quantity, price) {
        custody.fill(order.orderId, quantity, price, agenda.now())
        order.filled += quantity
        order.filledAmount = Math.round((order.filledAmount + price * quantity) * 10) / 10
        order.modifiedAt = agenda.now()
        if (order.filled === order.quantity) move(order, 'FF')
        else if (order.status === 'WM' || order.status === 'WC') say(order)
        else move(order, 'PF')
      },
      end,
    },
  )

  const listingOf = (order: LiveOrder): Listing | undefined => market.listing(order.instrument.symbol)

  /** From the broker to the exchange, one step after another unless it ends on the way. */
  const send = (order: LiveOrder): void => {
    const after = (ms: number, from: OrderStatus, go: () => void): void => {
      agenda.at(agenda.now() + ms, () => {
        if (order.status === from) go()
      })
    }
    move(order, 'RS')
    after(READY_MS, 'RS', () => {
      move(order, 'SD')
      after(SENT_MS, 'SD', () => {
        const listing = listingOf(order)
        const taken = listing && standing(listing.board, listing.phase, order.orderType) === 'now'
        if (!taken) {
          order.message = 'order type is not allowed in this session'
          move(order, 'RJ')
          return
        }
        order.priority = ++priorities
        move(order, 'QU')
        floor.arrive(order, listing)
      })
    })
  }

  /** On to the exchange, or to waiting for the phase that takes it. */
  const release = (order: LiveOrder): void => {
    const listing = listingOf(order)
    const now = listing ? standing(listing.board, listing.phase, order.orderType) : 'no'
    if (now === 'now') send(order)
    else if (now === 'later') move(order, 'IAV')
    else end(order, 'EX')
  }

  market.onPhase((board, phase) => {
    for (const order of [...alive]) {
      const listing = listingOf(order)
      if (listing && listing.board !== board) continue
      if (!listing || phase === 'after') end(order, 'EX')
      else if (order.status === 'IAV' && standing(board, phase, order.orderType) === 'now') send(order)
      else if (order.orderType === 'ATO' && isQueued(order.status) && phase !== 'ato') end(order, 'EX')
    }
    if (phase === 'continuous') floor.open(board as TradingBoard)
  })

  const nextNumber = (): string => {
    const day = dayOf(agenda.now()).replaceAll('-', '')
    numbered = numbered.day === day ? { day, count: numbered.count + 1 } : { day, count: 1 }
    return `${day}${String(numbered.count).padStart(6, '0')}`
  }

  const identify = (by: Identification): LiveOrder => {
    if (!by.clientRequestId && !by.orderId) throw new OrderRefused('notIdentified')
    const mine = byAccount.get(by.accountNo) ?? []
    const found = by.clientRequestId
      ? mine.findLast((order) => order.clientRequestId === by.clientRequestId)
      : mine.find((order) => order.orderId === by.orderId)
    if (!found) throw new OrderRefused('noSuchOrder')
    return found
  }

  const place = (asked: PlaceOrder): LiveOrder => {
    const account = custody.account(asked.accountNo)
    if (!account) throw new OrderRefused('unknownAccount')
    const listing = market.listing(asked.symbol)
    if (!listing) throw new OrderRefused('unknownSymbol')
    const { instrument } = listing
    if ((instrument.kind === 'future') !== (account.accountType === 'DERIVATIVE'))
      throw new OrderRefused('wrongAccountType')
    const mine = byAccount.get(asked.accountNo) ?? []
    if (dialect === 'live' && asked.clientRequestId) {
      if (asked.clientRequestId.length > CLIENT_ID_LENGTH) throw new OrderRefused('clientRequestIdTooLong')
      const today = dayOf(agenda.now())
      const used = mine.some(
        (order) => order.clientRequestId === asked.clientRequestId && dayOf(order.enteredAt) === today,
      )
      if (used) throw new OrderRefused('clientRequestIdUsed')
    }
    if (listing.halted) throw new OrderRefused('suspended')
    checkPhase(listing, asked.orderType)
    checkQuantity(listing, asked.orderType, asked.quantity)
    // ATO, ATC and MP may carry a price (docs/brokerage-api.md#place-an-order); it means nothing to them.
    const price = asked.orderType === 'LO' ? asked.price : undefined
    if (asked.orderType === 'LO') checkPrice(listing, price)
    if (instrument.kind !== 'future' && hasOpposite(account.clientId, asked))
      throw new OrderRefused('oppositeOrder')
    const orderId = nextNumber()
    const shortfall = custody.hold({
      orderId,
      accountNo: asked.accountNo,
      instrument,
      side: asked.side,
      quantity: asked.quantity,
      price: price ?? listing.ceiling,
    })
    if (shortfall) throw new OrderRefused(shortfall === 'holding' ? 'overHolding' : 'overBuyingPower')
    const order: LiveOrder = {
      orderId,
      accountNo: asked.accountNo,
      clientId: account.clientId,
      clientRequestId: asked.clientRequestId || `C${orderId}`,
      instrument,
      side: asked.side,
      orderType: asked.orderType,
      limited: asked.orderType === 'LO',
      quantity: asked.quantity,
      price,
      filled: 0,
      cancelled: 0,
      filledAmount: 0,
      status: 'PD',
      enteredAt: agenda.now(),
      modifiedAt: agenda.now(),
      priority: 0,
      clientModifyId: undefined,
      clientCancelId: undefined,
      message: '',
    }
    orders.set(orderId, order)
    alive.add(order)
    byAccount.set(asked.accountNo, [...mine, order])
    say(order)
    floor.follow(asked.symbol)
    const large = instrument.kind !== 'future' && asked.quantity * (price ?? listing.ceiling) > APPROVAL_FROM
    agenda.at(agenda.now() + TAKEN_MS, () => {
      if (order.status !== 'PD') return
      if (!large) release(order)
      else {
        move(order, 'WA')
        agenda.at(agenda.now() + APPROVAL_MS, () => {
          if (order.status === 'WA') release(order)
        })
      }
    })
    return order
  }

  /** A client never trades with itself: an order against one of its own waits until that has gone. */
  const hasOpposite = (clientId: string, { symbol, side }: PlaceOrder): boolean =>
    [...alive].some(
      (order) => order.clientId === clientId && order.instrument.symbol === symbol && order.side !== side,
    )

  const changes = createChanges({
    ...{ agenda, custody, dialect, identify, listingOf, move, end, say, floor },
    nextPriority: () => ++priorities,
  })

  return {
    place: (asked) => asOrder(place(asked)),
    modify: (change) => asOrder(changes.modify(change)),
    cancel: (asked) => asOrder(changes.cancel(asked)),
    find: (orderId) => {
      const order = orders.get(orderId)
      return order && asOrder(order)
    },
    of: (accountNo) => (byAccount.get(accountNo) ?? []).map(asOrder).reverse(),
    onChange(hear) {
      listeners.push(hear)
    },
  }
}
