import { dayOf, instantOf } from 'candlehouse-foundation/market/day'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balance } from '../../src/broker/ledger/balance.js'
import { margin } from '../../src/broker/ledger/margin.js'
import { maxBuySell } from '../../src/broker/ledger/max-buy-sell.js'
import { positions } from '../../src/broker/ledger/positions.js'
import { type Order, OrderRefused, type OrderStatus, type OrderType } from '../../src/broker/orders/order.js'
import { isOver, MOVES } from '../../src/broker/orders/order-states.js'
import { emptyBars } from '../../src/market/world/bars.js'
import { CASH, DAY, DERIVATIVE, MARGIN, OTHERS, openTestBroker, type TestBroker } from './test-broker.js'

/** `make soak` asks for thousands: CANDLEHOUSE_SOAK is the number of commands of each program. */
const COMMANDS = Number(process.env.CANDLEHOUSE_SOAK ?? 150)
const PROGRAMS = 6

type Command =
  | {
      kind: 'place'
      account: string
      symbol: string
      side: 'B' | 'S'
      type: OrderType
      lots: number
      away: number
    }
  | { kind: 'modify'; nth: number; away: number; lots: number }
  | { kind: 'cancel'; nth: number }
  | { kind: 'wait'; seconds: number }

const FUTURE = '41I1FC000'
const equities = ['FPT', 'VNM', 'HPG', 'SHS', 'ACV']

const place = fc.oneof(
  fc.record({
    kind: fc.constant('place' as const),
    account: fc.constantFrom(CASH, MARGIN, OTHERS[0], OTHERS[1]),
    symbol: fc.constantFrom(...equities),
    side: fc.constantFrom('B' as const, 'S' as const),
    type: fc.constantFrom<OrderType>('LO', 'LO', 'LO', 'LO', 'ATO', 'ATC', 'MP', 'MOK', 'MAK', 'MTL'),
    lots: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(0.5, 1.5, 300, 4500)),
    away: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -6, max: 6 }) }, fc.constantFrom(-15, 15)),
  }),
  fc.record({
    kind: fc.constant('place' as const),
    account: fc.constantFrom(DERIVATIVE, OTHERS[0].replace(/1$/, '8'), OTHERS[1].replace(/1$/, '8')),
    symbol: fc.constant(FUTURE),
    side: fc.constantFrom('B' as const, 'S' as const),
    type: fc.constantFrom<OrderType>('LO', 'LO', 'MP', 'ATC', 'MTL'),
    lots: fc.integer({ min: 1, max: 5 }),
    away: fc.integer({ min: -8, max: 8 }),
  }),
)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: place },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('modify' as const),
      nth: fc.nat(60),
      away: fc.integer({ min: -4, max: 4 }),
      lots: fc.integer({ min: 0, max: 30 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), nth: fc.nat(60) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.oneof(
        { weight: 30, arbitrary: fc.nat(3) },
        { weight: 10, arbitrary: fc.integer({ min: 10, max: 600 }) },
        { weight: 1, arbitrary: fc.constantFrom(3_600, 60_000) },
      ),
    }),
  },
)

const bars = emptyBars()

/** Lowest and highest price of the minute in which an order has just traded; of the last minute before it that has a candle. */
function candleOf({ world, agenda }: TestBroker, { symbol }: Order): { low: number; high: number } {
  const day = dayOf(agenda.now())
  const instrument = world.find(symbol)
  if (!instrument) throw new RangeError(symbol)
  world.bars(instrument, world.time.at(day), bars)
  const minute = Math.floor((agenda.now() - instantOf(day)) / 60_000)
  const at = bars.minute.subarray(0, bars.count).findLastIndex((opened) => opened <= minute)
  return { low: bars.low[at] ?? Number.NaN, high: bars.high[at] ?? Number.NaN }
}

/** What the desk has said so far, and what it must never do. */
function watched(broker: TestBroker) {
  const known = new Map<string, Order>()
  const broken: string[] = []
  broker.desk.onChange((order) => {
    const before = known.get(order.orderId)
    known.set(order.orderId, order)
    if (order.filled + order.cancelled > order.quantity)
      broken.push(`${order.orderId} is filled beyond its quantity`)
    if (!before) {
      if (order.status !== 'PD') broken.push(`${order.orderId} began as ${order.status}`)
      return
    }
    const moved = before.status !== order.status
    if (moved && !MOVES[before.status].includes(order.status))
      broken.push(`${order.orderId} went from ${before.status} to ${order.status}`)
    if (order.filled > before.filled) {
      const limit = order.price
      const last = (order.filledAmount - before.filledAmount) / (order.filled - before.filled)
      if (limit !== undefined && (order.side === 'B' ? last > limit + 1e-6 : last < limit - 1e-6))
        broken.push(`${order.orderId} traded at ${last} beyond ${limit}`)
      const { low, high } = candleOf(broker, order)
      if (!(last >= low - 1e-6 && last <= high + 1e-6))
        broken.push(`${order.orderId} traded at ${last}, the market between ${low} and ${high}`)
      // Whoever stands at the same price since before has traded as much as it could.
      const queued: OrderStatus[] = ['QU', 'PF']
      for (const other of known.values()) {
        const earlier =
          other.orderId < order.orderId && other.symbol === order.symbol && other.side === order.side
        const same = other.price === order.price && other.modifiedAt === other.enteredAt
        const round = other.quantity % 100 === 0 && order.quantity % 100 === 0
        const untouched = other.orderType === 'LO' && order.orderType === 'LO' && other.filled === 0
        if (
          earlier &&
          same &&
          round &&
          untouched &&
          queued.includes(other.status) &&
          before.status === 'QU'
        ) {
          if (before.filled === 0 && other.clientModifyId === undefined && order.clientModifyId === undefined)
            broken.push(`${order.orderId} traded before ${other.orderId}`)
        }
      }
    }
  })
  return { known, broken }
}

function run(broker: TestBroker, one: Command, ids: readonly string[]): void {
  const { desk, market } = broker
  if (one.kind === 'wait') {
    broker.agenda.advanceTo(broker.agenda.now() + one.seconds * 1000)
    return
  }
  try {
    if (one.kind === 'place') {
      const listing = market.listing(one.symbol)
      const lot = listing?.lot ?? 1
      const tick = listing?.ladder[0]?.tick ?? 1
      const price =
        Math.round(((market.last(one.symbol) ?? 0) + one.away * tick * (lot === 1 ? 1 : 5)) * 10) / 10
      desk.place({
        accountNo: one.account,
        symbol: one.symbol,
        side: one.side,
        orderType: one.type,
        quantity: one.lots * lot,
        price,
      })
      return
    }
    const order = desk.find(ids.at(-1 - (one.nth % 12)) ?? '')
    if (!order) return
    const { accountNo, orderId } = order
    if (one.kind === 'cancel') desk.cancel({ accountNo, orderId })
    else {
      const price = one.away === 0 || order.price === undefined ? undefined : order.price + one.away * 50
      desk.modify({ accountNo, orderId, price, quantity: one.lots === 0 ? undefined : one.lots * 100 })
    }
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error
  }
}

/** Money and shares are conserved, nobody owes shares, and all views of an account agree. */
function inOrder({ ledger, desk }: TestBroker): string[] {
  const wrong: string[] = []
  for (const [unit, sum] of ledger.book.trialBalance())
    if (sum !== 0) wrong.push(`${sum} ${unit} do not balance`)
  for (const orderId of ledger.holds.keys())
    if (isOver(desk.find(orderId)?.status ?? 'PD')) wrong.push(`${orderId} is over and holds`)
  for (const account of ledger.accounts) {
    const { accountNo, accountType } = account
    for (const { account: name, unit, amount } of ledger.book.below(`${accountNo}/`)) {
      const debt = /\/(loan|interest|variation)$/.test(name)
      if (amount < 0 && !debt && accountType !== 'DERIVATIVE') wrong.push(`${name}: ${amount} ${unit}`)
    }
    const [told, figures] = [balance(ledger, account), margin(ledger, account)]
    const side = accountType === 'DERIVATIVE' ? 'derivative' : 'equity'
    for (const [field, value] of Object.entries(told[side]))
      if (field in figures[side] && figures[side][field] !== value)
        wrong.push(`${accountNo} ${field} disagrees`)
    const { equity } = positions(ledger, account, true).data
    for (const row of equity) {
      const owned = Number(row.sellableQuantity) + Number(row.sellingQuantity) + Number(row.boughtQuantity)
      if (owned > Number(row.quantity)) wrong.push(`${accountNo} ${row.symbol} has more than it owns`)
    }
  }
  return wrong
}

test('random orders: money, shares, queue and statuses stay consistent', { timeout: 1_800_000 }, () => {
  const seen = new Set<OrderStatus>()
  fc.assert(
    fc.property(fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }), (commands) => {
      const broker = openTestBroker(DAY, '08:40')
      const { known, broken } = watched(broker)
      broker.desk.onChange(({ status }) => seen.add(status))
      commands.forEach((one, index) => {
        run(broker, one, [...known.keys()])
        if (index % 10 === 0) expect(inOrder(broker)).toEqual([])
      })
      expect(broken).toEqual([])
      expect(inOrder(broker)).toEqual([])
      expect(known.size).toBeGreaterThan(0)
    }),
    { numRuns: PROGRAMS, seed: 20251120 },
  )
  // A program that only ever sees refusals proves nothing.
  const rare: OrderStatus[] = ['RJ']
  expect(Object.keys(MOVES).filter((status) => !seen.has(status as OrderStatus))).toEqual(rare)
})

test('the largest quantities are accepted, one lot more is refused', () => {
  const broker = openTestBroker(DAY, '09:30')
  for (const account of broker.ledger.accounts) {
    const derivative = account.accountType === 'DERIVATIVE'
    for (const symbol of derivative ? [FUTURE] : ['FPT', 'HPG']) {
      const listing = broker.market.listing(symbol)
      if (!listing) throw new RangeError(symbol)
      const { lot, reference: price, instrument } = listing
      const { maxBuyQty, maxSellQty } = maxBuySell(broker.ledger, account, symbol, price).data
      for (const [side, most, step] of [
        ['B', maxBuyQty, lot],
        ['S', maxSellQty, derivative ? lot : 1],
      ] as const) {
        const { accountNo } = account
        const hold = { orderId: 'one', accountNo, instrument, side, price }
        if (most > 0) {
          expect(
            broker.ledger.custody.hold({ ...hold, quantity: most }),
            `${accountNo} ${side}`,
          ).toBeUndefined()
          broker.ledger.custody.release('one')
        }
        expect(
          broker.ledger.custody.hold({ ...hold, quantity: most + step }),
          `${accountNo} ${side}`,
        ).toBeDefined()
      }
    }
  }
})
