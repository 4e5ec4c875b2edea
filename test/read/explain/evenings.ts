import { seeded } from '../../e2e/support/seeded.js'

/**
 * Evenings of one account, by an exact ledger of whole VND that shares nothing with the sandbox: orders are filled, buys and
 * sales settle on the second session after, dividends in money and in shares are announced on the ex-date and paid three
 * sessions later. A defect makes what the service reports part from that at one event.
 */
export const ACCOUNT = '0690000011'

const FEE = 0.0015
const TAX = 0.001
const PAID_AFTER = 3
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE']

export interface Order {
  readonly id: string
  readonly session: number
  readonly symbol: string
  readonly side: 'B' | 'S'
  readonly quantity: number
  readonly price: number
}

interface ExDate {
  readonly session: number
  readonly symbol: string
  /** VND per share, or new shares per share held. */
  readonly amount: number
  readonly ratio: number
}

/** What happened. */
export interface Story {
  readonly days: readonly string[]
  readonly orders: readonly Order[]
  readonly exDates: readonly ExDate[]
  readonly opening: ReadonlyMap<string, number>
  readonly prices: ReadonlyMap<string, readonly number[]>
}

/** The defects of what is reported, and the event that is then to be named. */
export type Defect =
  | { readonly kind: 'lost fill' | 'reported too little' | 'fill that never was'; readonly order: Order }
  | { readonly kind: 'doubled fee' | 'late fee'; readonly order: Order }
  | {
      readonly kind: 'missed dividend' | 'dividend not paid' | 'dividend shares lost'
      readonly exDate: ExDate
    }
  | {
      readonly kind: 'wrong quantity'
      readonly session: number
      readonly symbol: string
      readonly quantity: number
    }
  | { readonly kind: 'cash transfer'; readonly session: number; readonly amount: number }
  | { readonly kind: 'late settlement'; readonly session: number }

export const DEFECTS: readonly Defect['kind'][] = [
  ...(['lost fill', 'reported too little', 'fill that never was', 'doubled fee', 'late fee'] as const),
  ...(['missed dividend', 'dividend not paid', 'dividend shares lost', 'wrong quantity'] as const),
  ...(['cash transfer', 'late settlement'] as const),
]

const feeOf = ({ quantity, price }: Order): number => Math.floor(quantity * price * FEE)
const taxOf = ({ quantity, price }: Order): number => Math.round(quantity * price * TAX)

/** Weekdays from 3 March 2025 on: every one of them is a session here. */
export function drawStory(seed: number, sessions = 14): Story {
  const random = seeded(seed)
  const pick = (below: number): number => Math.floor(random() * below)
  const days = Array.from({ length: sessions }, (_, at) => {
    const day = new Date(Date.UTC(2025, 2, 3 + at + 2 * Math.floor(at / 5)))
    return day.toISOString().slice(0, 10)
  })
  const prices = new Map(
    SYMBOLS.map((symbol) => {
      let price = 10_000 + 50 * pick(400)
      return [symbol, days.map(() => (price += 50 * (pick(21) - 10)))]
    }),
  )
  const opening = new Map(SYMBOLS.map((symbol) => [symbol, 1_000 * (1 + pick(5))]))
  const held = new Map(opening)
  const orders = days.flatMap((day, session) =>
    Array.from({ length: pick(4) }, (_, at): Order => {
      const symbol = SYMBOLS[pick(SYMBOLS.length)] ?? ''
      const quantity = 100 * (1 + pick(9))
      const side = random() < 0.4 && (held.get(symbol) ?? 0) > quantity ? 'S' : 'B'
      held.set(symbol, (held.get(symbol) ?? 0) + (side === 'B' ? quantity : -quantity))
      const price = prices.get(symbol)?.[session] ?? 0
      return { id: `${day.replaceAll('-', '')}00${at}`, session, symbol, side, quantity, price }
    }),
  )
  const exDates = SYMBOLS.slice(0, 3).map((symbol, at): ExDate => {
    const session = 2 + pick(sessions - 3 - PAID_AFTER)
    return { session, symbol, amount: at === 2 ? 0 : 500 + 50 * pick(30), ratio: at === 2 ? 0.1 : 0 }
  })
  return { days, orders, exDates, opening, prices }
}

/** A defect of a kind in a story; undefined where it has no event for one. */
export function drawDefect(story: Story, kind: Defect['kind'], seed: number): Defect | undefined {
  const random = seeded(seed)
  const one = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  // Before the last session, so that what follows is seen; after the first, which nothing is compared with.
  const orders = story.orders.filter(({ session }) => session > 0 && session < story.days.length - 1)
  const session = 1 + Math.floor(random() * (story.days.length - 2))
  switch (kind) {
    case 'fill that never was': {
      const symbol = one(SYMBOLS) ?? ''
      const price = story.prices.get(symbol)?.[session] ?? 0
      return {
        kind,
        order: {
          id: 'never',
          session,
          symbol,
          side: 'B',
          quantity: 100 * (1 + Math.floor(random() * 9)),
          price,
        },
      }
    }
    case 'lost fill':
    case 'reported too little': {
      const order = one(orders.filter(({ quantity }) => quantity > 100))
      return order && { kind, order }
    }
    case 'doubled fee':
    case 'late fee': {
      const order = one(orders.filter(({ side }) => side === 'B'))
      return order && { kind, order }
    }
    case 'missed dividend':
    case 'dividend not paid': {
      const exDate = one(story.exDates.filter(({ amount }) => amount > 0))
      return exDate && { kind, exDate }
    }
    case 'dividend shares lost': {
      const exDate = one(story.exDates.filter(({ ratio }) => ratio > 0))
      return exDate && { kind, exDate }
    }
    case 'wrong quantity':
      return {
        kind,
        session,
        symbol: one(SYMBOLS) ?? '',
        quantity: (random() < 0.5 ? -10 : 10) * (1 + Math.floor(random() * 50)),
      }
    case 'cash transfer':
      return {
        kind,
        session,
        // Round, as people transfer it: what is not may be interest.
        amount: (random() < 0.5 ? -1 : 1) * 1_000 * (101 + Math.floor(random() * 5_000)),
      }
    case 'late settlement': {
      const sale = one(
        story.orders.filter(
          (order) => order.side === 'S' && order.session + 2 < story.days.length - 1 && order.session > 0,
        ),
      )
      return sale && { kind, session: sale.session + 2 }
    }
  }
}

/** What the service reports on an evening. */
export interface Evening {
  readonly day: string
  readonly orders: readonly (Order & { readonly filled: number })[]
  readonly positions: readonly {
    readonly symbol: string
    readonly quantity: number
    readonly announced: number
    readonly bought: number
    readonly sold: number
  }[]
  readonly balance: number
  readonly dividend: number
  readonly sell: readonly [number, number]
  readonly buy: readonly [number, number]
}

/** Every evening of a story, as a service with this defect reports it. */
export function evenings(story: Story, defect: Defect | undefined): Evening[] {
  return story.days.map((day, session) => evening(story, day, session, defect))
}

function evening(story: Story, day: string, session: number, defect: Defect | undefined): Evening {
  const past = story.orders.filter((order) => order.session <= session)
  const of = (side: 'B' | 'S', at: number): Order[] =>
    past.filter((order) => order.side === side && order.session === at)
  const sum = (orders: readonly Order[], figure: (order: Order) => number): number =>
    orders.reduce((total, order) => total + figure(order), 0)
  const worth = ({ quantity, price }: Order): number => quantity * price
  const net = (order: Order): number => worth(order) - feeOf(order) - taxOf(order)
  const settled = past.filter((order) => order.session + 2 <= session)
  const paid = (exDate: ExDate): boolean => exDate.session + PAID_AFTER <= session
  const entitled = story.exDates.filter((exDate) => exDate.session <= session)
  const isHit = (exDate: ExDate, kind: Defect['kind']): boolean =>
    defect?.kind === kind && 'exDate' in defect && defect.exDate === exDate
  const money = (exDate: ExDate): number =>
    isHit(exDate, 'missed dividend') ? 0 : ownedBefore(story, exDate) * exDate.amount
  const shares = (exDate: ExDate): number => Math.floor(ownedBefore(story, exDate) * exDate.ratio)
  const balance =
    1_000_000_000 +
    sum(
      settled.filter(({ side }) => side === 'S'),
      net,
    ) -
    sum(
      settled.filter(({ side }) => side === 'B'),
      worth,
    ) -
    sum(
      past.filter(({ side }) => side === 'B'),
      feeOf,
    ) +
    entitled
      .filter((each) => paid(each) && !isHit(each, 'dividend not paid'))
      .reduce((total, each) => total + money(each), 0)
  return {
    day,
    orders: reportedOrders(past, session, defect),
    positions: SYMBOLS.map((symbol) => {
      const mine = past.filter((order) => order.symbol === symbol)
      const today = mine.filter((order) => order.session === session)
      const quantityOf = (orders: readonly Order[], side: 'B' | 'S'): number =>
        sum(
          orders.filter((order) => order.side === side),
          ({ quantity }) => quantity,
        )
      const bonuses = entitled.filter((each) => each.symbol === symbol)
      const arrived = bonuses.filter((each) => paid(each) && !isHit(each, 'dividend shares lost'))
      return {
        symbol,
        quantity:
          (story.opening.get(symbol) ?? 0) +
          quantityOf(mine, 'B') -
          quantityOf(mine, 'S') +
          arrived.reduce((total, each) => total + shares(each), 0) +
          (defect?.kind === 'wrong quantity' && defect.symbol === symbol && defect.session <= session
            ? defect.quantity
            : 0),
        announced: bonuses.filter((each) => !paid(each)).reduce((total, each) => total + shares(each), 0),
        bought: quantityOf(today, 'B'),
        sold: quantityOf(today, 'S'),
      }
    }),
    balance: balance + cashOfDefect(story, session, defect),
    dividend: entitled.filter((each) => !paid(each)).reduce((total, each) => total + money(each), 0),
    sell: [sum(of('S', session), net), sum(of('S', session - 1), net)],
    buy: [sum(of('B', session), worth), sum(of('B', session - 1), worth)],
  }
}

function ownedBefore({ orders, opening, exDates }: Story, exDate: ExDate): number {
  const traded = orders
    .filter(({ symbol, session }) => symbol === exDate.symbol && session < exDate.session)
    .reduce((total, { side, quantity }) => total + (side === 'B' ? quantity : -quantity), 0)
  const owned = (opening.get(exDate.symbol) ?? 0) + traded
  // One ex-date a symbol: no shares of another one have arrived by then.
  return exDates.filter(({ symbol }) => symbol === exDate.symbol).length === 1 ? owned : 0
}

function reportedOrders(
  past: readonly Order[],
  session: number,
  defect: Defect | undefined,
): Evening['orders'] {
  const whole = past.map((order) => ({ ...order, filled: order.quantity }))
  if (defect?.kind === 'lost fill') return whole.filter(({ id }) => id !== defect.order.id)
  if (defect?.kind === 'reported too little')
    return whole.map((order) =>
      order.id === defect.order.id ? { ...order, filled: order.quantity - 100 } : order,
    )
  if (defect?.kind === 'fill that never was' && defect.order.session <= session)
    return [...whole, { ...defect.order, filled: defect.order.quantity }]
  return whole
}

/** What a defect adds to the balance of a session's evening, VND. */
function cashOfDefect(story: Story, session: number, defect: Defect | undefined): number {
  if (defect?.kind === 'doubled fee') return defect.order.session <= session ? -feeOf(defect.order) : 0
  if (defect?.kind === 'late fee') return defect.order.session === session ? feeOf(defect.order) : 0
  if (defect?.kind === 'cash transfer') return defect.session <= session ? defect.amount : 0
  if (defect?.kind === 'late settlement' && defect.session === session)
    return -story.orders
      .filter((order) => order.side === 'S' && order.session + 2 === session)
      .reduce((total, order) => total + order.quantity * order.price - feeOf(order) - taxOf(order), 0)
  return 0
}

/** The event that a defect makes the first wrong one. */
export function firstWrong(
  story: Story,
  defect: Defect,
): { kind: string; day: string; symbol: string | null; orderId: string | null } {
  const day = (session: number): string => story.days[session] ?? ''
  switch (defect.kind) {
    case 'lost fill':
    case 'reported too little':
      return { kind: 'fill', day: day(defect.order.session), symbol: defect.order.symbol, orderId: null }
    case 'fill that never was':
      return {
        kind: 'fill',
        day: day(defect.order.session),
        symbol: defect.order.symbol,
        orderId: defect.order.id,
      }
    case 'doubled fee':
    case 'late fee':
      return {
        kind: 'fee',
        day: day(defect.order.session),
        symbol: defect.order.symbol,
        orderId: defect.order.id,
      }
    case 'missed dividend':
      return {
        kind: 'dividend',
        day: day(defect.exDate.session),
        symbol: defect.exDate.symbol,
        orderId: null,
      }
    case 'dividend not paid':
      return { kind: 'dividend', day: day(defect.exDate.session + PAID_AFTER), symbol: null, orderId: null }
    case 'dividend shares lost':
      return {
        kind: 'dividend',
        day: day(defect.exDate.session + PAID_AFTER),
        symbol: defect.exDate.symbol,
        orderId: null,
      }
    case 'wrong quantity':
      return { kind: 'position', day: day(defect.session), symbol: defect.symbol, orderId: null }
    case 'cash transfer':
      return { kind: 'cash', day: day(defect.session), symbol: null, orderId: null }
    case 'late settlement':
      return { kind: 'settlement', day: day(defect.session), symbol: null, orderId: null }
  }
}
