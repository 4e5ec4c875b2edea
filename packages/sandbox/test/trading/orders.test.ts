import { instantOf } from 'candlehouse-foundation/market/day'
import { describe, expect, test } from 'vitest'
import type { OrderFault, OrderType, PlaceOrder } from '../../src/broker/orders/order.js'
import { OrderRefused } from '../../src/broker/orders/order.js'
import { emptyBars } from '../../src/market/world/bars.js'
import {
  CASH,
  DAY,
  DERIVATIVE,
  MARGIN,
  OTHERS,
  openTestBroker,
  priceOf,
  type TestBroker,
} from './test-broker.js'

const FUTURE = '41I1FC000'

function faultOf(work: () => unknown): OrderFault | 'none' {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof OrderRefused) return error.fault
    throw error
  }
}

/** A limit order of the cash account for 100 FPT at its reference, changed as a test wants it. */
function order(broker: TestBroker, change: Partial<PlaceOrder> = {}): PlaceOrder {
  const symbol = change.symbol ?? 'FPT'
  const price = broker.market.listing(symbol)?.reference
  return { accountNo: CASH, symbol, side: 'B', orderType: 'LO', quantity: 100, price, ...change }
}

describe('an order is turned down', () => {
  const broker = openTestBroker(DAY, '09:30')
  const fpt = broker.market.listing('FPT')
  const [ceiling, floor] = [fpt?.ceiling ?? 0, fpt?.floor ?? 0]

  test.each<[string, Partial<PlaceOrder>, OrderFault]>([
    ['for an account that is none', { accountNo: '0000000001' }, 'unknownAccount'],
    ['for a symbol that is none', { symbol: 'NONE' }, 'unknownSymbol'],
    ['for contracts in a cash account', { symbol: FUTURE, quantity: 1 }, 'wrongAccountType'],
    ['for shares in a derivative account', { accountNo: DERIVATIVE }, 'wrongAccountType'],
    ['without a price', { price: undefined }, 'missingPrice'],
    ['below the floor', { price: floor - 50 }, 'belowFloor'],
    ['above the ceiling', { price: ceiling + 50 }, 'aboveCeiling'],
    ['between two ticks', { price: floor + 1 }, 'badTick'],
    ['for nothing', { quantity: 0 }, 'badQuantity'],
    ['for a fraction', { quantity: 1.5 }, 'badQuantity'],
    ['for more than the exchange takes', { quantity: 500_100 }, 'badQuantity'],
    ['for a lot and a half', { quantity: 150 }, 'badLot'],
    ['for an odd lot at market price', { quantity: 50, orderType: 'MP' }, 'oddLot'],
    ['for more than is held', { side: 'S', quantity: 1_300 }, 'overHolding'],
    ['for more than can be paid', { quantity: 20_000 }, 'overBuyingPower'],
    ['for the opening auction once it is over', { orderType: 'ATO' }, 'typeNotAllowedNow'],
  ])('%s', (_, change, fault) => {
    expect(faultOf(() => broker.desk.place(order(broker, change)))).toBe(fault)
    expect(broker.ledger.holds.size).toBe(0)
  })

  test('against an order of the same client on the other side, in any of its accounts', () => {
    const own = openTestBroker(DAY, '09:30')
    own.desk.place(order(own))
    const other = { accountNo: MARGIN, symbol: 'HPG' }
    expect(faultOf(() => own.desk.place(order(own, { ...other, side: 'S' })))).toBe('none')
    expect(faultOf(() => own.desk.place(order(own, { symbol: 'HPG' })))).toBe('oppositeOrder')
  })

  test.each<[string, OrderType, string, OrderFault | 'none']>([
    ['FPT', 'ATO', '09:05', 'none'],
    ['FPT', 'MP', '09:05', 'typeNotAllowedNow'],
    ['FPT', 'MP', '10:00', 'none'],
    ['FPT', 'LO', '12:00', 'none'],
    ['FPT', 'MP', '12:00', 'typeNotAllowedNow'],
    ['FPT', 'ATC', '10:00', 'none'],
    ['FPT', 'LO', '14:40', 'none'],
    ['FPT', 'MTL', '10:00', 'none'],
    ['FPT', 'MOK', '10:00', 'typeNotOfBoard'],
    ['FPT', 'PLO', '14:50', 'typeNotOfBoard'],
    ['SHS', 'MOK', '10:00', 'none'],
    ['SHS', 'PLO', '14:40', 'typeNotAllowedNow'],
    ['SHS', 'PLO', '14:50', 'none'],
    ['SHS', 'LO', '14:50', 'typeNotAllowedNow'],
    ['SHS', 'LO', '15:00', 'none'],
    ['FPT', 'LO', '14:50', 'none'],
    ['FPT', 'ATO', '14:50', 'none'],
    ['FPT', 'MTL', '14:50', 'typeNotAllowedNow'],
    ['SHS', 'ATC', '14:35', 'none'],
    ['SHS', 'ATO', '08:31', 'typeNotOfBoard'],
    ['ACV', 'ATC', '10:00', 'typeNotOfBoard'],
    ['ACV', 'MP', '10:00', 'typeNotOfBoard'],
    ['ACV', 'LO', '14:50', 'none'],
  ])('%s %s at %s: %s', (symbol, orderType, time, fault) => {
    const at = openTestBroker(DAY, time)
    expect(faultOf(() => at.desk.place(order(at, { symbol, orderType })))).toBe(fault)
  })

  test.each<[string, 'spec' | 'live', string, OrderType, OrderFault | 'none']>([
    ['2025-04-29', 'live', 'FPT', 'MP', 'none'],
    ['2025-04-29', 'live', 'FPT', 'MTL', 'typeNotOfBoard'],
    ['2025-05-05', 'live', 'FPT', 'MP', 'typeNotOfBoard'],
    ['2025-05-05', 'live', 'FPT', 'MTL', 'none'],
    ['2025-05-05', 'spec', 'FPT', 'MP', 'none'],
    ['2025-05-05', 'live', 'SHS', 'MP', 'typeNotOfBoard'],
    ['2025-05-05', 'live', 'SHS', 'MAK', 'none'],
  ])('on %s, %s: %s %s is %s, as the rulebook has it', (day, dialect, symbol, orderType, fault) => {
    const broker = openTestBroker(day, '10:00', dialect)
    expect(faultOf(() => broker.desk.place(order(broker, { symbol, orderType })))).toBe(fault)
  })

  test('for an odd lot at HOSE before odd lots traded there', () => {
    const of = (day: string) => {
      const broker = openTestBroker(day, '10:00')
      return faultOf(() => broker.desk.place(order(broker, { quantity: 50 })))
    }
    expect([of('2022-09-09'), of('2022-09-12')]).toEqual(['oddLot', 'none'])
  })

  test('live, for a client identifier of more than 20 characters or used the same day', () => {
    const live = openTestBroker(DAY, '09:30', 'live')
    const of = (clientRequestId: string) => faultOf(() => live.desk.place(order(live, { clientRequestId })))
    expect(of('a'.repeat(21))).toBe('clientRequestIdTooLong')
    expect([of('mine'), of('mine')]).toEqual(['none', 'clientRequestIdUsed'])
    live.to('09:30', '2025-11-21')
    expect(of('mine')).toBe('none')
  })
})

describe('an order on its way', () => {
  test('is received, ready, sent, then queued', () => {
    const broker = openTestBroker(DAY, '09:30')
    const { orderId } = broker.desk.place(order(broker, { price: broker.market.listing('FPT')?.floor }))
    broker.to('09:30:01')
    expect(broker.path(orderId)).toEqual(['PD', 'RS', 'SD', 'QU'])
  })

  test('before the session waits for it; a closing order waits for the closing auction', () => {
    const broker = openTestBroker(DAY, '08:00')
    const early = broker.desk.place(order(broker))
    const closing = broker.desk.place(order(broker, { orderType: 'ATC' }))
    broker.to('08:59')
    expect([early, closing].map(({ orderId }) => broker.path(orderId).at(-1))).toEqual(['IAV', 'IAV'])
    broker.to('14:20')
    expect(broker.path(closing.orderId).at(-1)).toBe('IAV')
    broker.to('14:31')
    expect(broker.path(closing.orderId).at(-1)).toBe('QU')
    broker.to('14:46')
    expect(broker.path(closing.orderId).at(-1)).toBe('FF')
  })

  test.each([
    ['2025-11-20', '15:10', '2025-11-21'],
    ['2025-11-22', '10:00', '2025-11-24'],
  ])('on %s at %s waits for the session of %s, by its limits', (day, time, session) => {
    const broker = openTestBroker(day, time)
    const listing = broker.market.upcoming('FPT')
    expect(listing).toMatchObject({ day: session, phase: 'before' })
    const above = (listing?.ceiling ?? 0) + 50
    expect(faultOf(() => broker.desk.place(order(broker, { price: above })))).toBe('aboveCeiling')
    const { orderId } = broker.desk.place(order(broker, { price: listing?.ceiling }))
    broker.to('08:59', session)
    expect(broker.path(orderId)).toEqual(['PD', 'IAV'])
    broker.to('09:20')
    expect(broker.path(orderId).at(-1)).toBe('FF')
  })

  test('at the closing price trades after it, at that price only, and cannot be taken back', () => {
    const broker = openTestBroker(DAY, '14:46')
    const close = priceOf(broker, 'SHS')
    const placed = broker.desk.place(order(broker, { symbol: 'SHS', orderType: 'PLO' }))
    const large = broker.desk.place(
      order(broker, { symbol: 'SHS', orderType: 'PLO', accountNo: OTHERS[0], quantity: 3_000 }),
    )
    broker.to('14:50')
    expect(broker.desk.find(placed.orderId)).toMatchObject({ status: 'FF', filledAmount: 100 * close })
    const partly = broker.desk.find(large.orderId)
    expect(partly).toMatchObject({ status: 'PF', price: close, filledAmount: (partly?.filled ?? 0) * close })
    const by = { accountNo: OTHERS[0], orderId: large.orderId }
    expect(faultOf(() => broker.desk.cancel(by))).toBe('cannotCancel')
    broker.to('15:00')
    expect(broker.desk.find(large.orderId)?.status).toBe('FFPC')
  })

  test('of more than 100 million VND waits a minute for approval', () => {
    const broker = openTestBroker(DAY, '09:30')
    const large = broker.desk.place(order(broker, { accountNo: OTHERS[0], quantity: 450_000 }))
    broker.to('09:30:30')
    expect(broker.path(large.orderId)).toEqual(['PD', 'WA'])
    broker.to('09:31:05')
    expect(broker.path(large.orderId).slice(0, 5)).toEqual(['PD', 'WA', 'RS', 'SD', 'QU'])
  })

  test('that arrives after its phase is rejected with a reason', () => {
    const broker = openTestBroker(DAY, '09:14')
    broker.agenda.advanceTo(broker.agenda.now() + 59_850)
    const late = broker.desk.place(order(broker, { orderType: 'ATO' }))
    broker.to('09:16')
    expect(broker.path(late.orderId).at(-1)).toBe('RJ')
    expect(broker.desk.find(late.orderId)?.message).toContain('not allowed in this session')
    expect(broker.ledger.holds.size).toBe(0)
  })
})

describe('matching', () => {
  test('trades in the opening auction at its single price, market orders first', () => {
    const broker = openTestBroker(DAY, '09:01')
    const { ceiling } = broker.market.listing('FPT') ?? { ceiling: 0 }
    const [limit, market] = [
      broker.desk.place(order(broker, { price: ceiling })),
      broker.desk.place(order(broker, { orderType: 'ATO' })),
    ]
    broker.to('09:15')
    const [a, b] = [limit, market].map(({ orderId }) => broker.desk.find(orderId))
    expect([a?.status, b?.status]).toEqual(['FF', 'FF'])
    expect(a?.filledAmount).toBe(b?.filledAmount)
    expect(a?.filledAmount).toBe(priceOf(broker, 'FPT') * 100)
  })

  test.each([
    ['ATO', '09:01', 9 * 60 + 15, 'open'],
    ['ATC', '14:31', 14 * 60 + 45, 'close'],
  ] as const)(
    '%s fills in the minute of the candle of its auction, at its price',
    (orderType, time, minute, field) => {
      const broker = openTestBroker(DAY, time)
      const { orderId } = broker.desk.place(order(broker, { orderType }))
      broker.to('15:00')
      const filled = broker.desk.find(orderId)
      const at = broker.world.find('FPT')
      const bars = emptyBars()
      if (at) broker.world.bars(at, broker.world.time.at(DAY), bars)
      const bar = bars.minute.indexOf(minute)
      expect(filled?.filledAmount).toBe(100 * (bars[field][bar] ?? 0))
      const minutes = ((filled?.modifiedAt ?? 0) - instantOf(DAY)) / 60_000
      expect(minutes).toBe(minute)
    },
  )

  test.each([
    ['2025-04-29', true],
    ['2025-11-20', false],
  ])('on %s orders of an auction go before earlier limit orders: %s', (day, first) => {
    const broker = openTestBroker(day, '09:01')
    const { ceiling, auctionOrdersFirst } = broker.market.listing('FPT') ?? { ceiling: 0 }
    expect(auctionOrdersFirst).toBe(first)
    const large = { accountNo: OTHERS[0], quantity: 400_000, price: ceiling }
    const limit = broker.desk.place(order(broker, large))
    broker.to('09:05')
    const auction = broker.desk.place(order(broker, { ...large, orderType: 'ATO', accountNo: OTHERS[1] }))
    broker.to('09:15')
    const [early = 0, late = 0] = [limit, auction].map(({ orderId }) => broker.desk.find(orderId)?.filled)
    expect(early + late).toBeGreaterThan(0)
    expect(late > early).toBe(first)
  })

  test('between two clients trades at the price of the older order', () => {
    const broker = openTestBroker(DAY, '09:30')
    const { bid = 0, ask = 0 } = broker.market.quote('FPT') ?? {}
    expect(bid).toBeLessThan(ask)
    const resting = broker.desk.place(order(broker, { price: bid, quantity: 300 }))
    broker.to('09:30:01')
    const taking = broker.desk.place(
      order(broker, { accountNo: OTHERS[0], side: 'S', price: bid, quantity: 200 }),
    )
    broker.agenda.advanceTo(broker.agenda.now() + 300)
    expect(broker.desk.find(resting.orderId)).toMatchObject({
      filled: 200,
      filledAmount: 200 * bid,
      status: 'PF',
    })
    expect(broker.desk.find(taking.orderId)).toMatchObject({ filled: 200, status: 'FF' })
  })

  test('at a limit far from the market trades at prices of the market, whoever waits at that limit', () => {
    const broker = openTestBroker(DAY, '09:30')
    const { floor } = broker.market.listing('FPT') ?? { floor: 0 }
    const waiting = broker.desk.place(order(broker, { price: floor, quantity: 300 }))
    broker.to('09:30:01')
    const { bid = 0 } = broker.market.quote('FPT') ?? {}
    const accountNo = OTHERS[0]
    const taking = broker.desk.place(order(broker, { accountNo, side: 'S', price: floor, quantity: 20_000 }))
    broker.to('15:10')
    expect(broker.desk.find(waiting.orderId)).toMatchObject({ status: 'EX', filled: 0 })
    const sold = broker.desk.find(taking.orderId)
    expect(sold?.status).toBe('FF')
    const fpt = broker.world.find('FPT')
    const { low = 0, high = 0 } = (fpt && broker.world.daily(fpt, broker.world.time.at(DAY))) ?? {}
    const average = (sold?.filledAmount ?? 0) / (sold?.filled ?? 1)
    expect(average).toBeGreaterThanOrEqual(low)
    expect(average).toBeLessThanOrEqual(high)
    expect(bid).toBeGreaterThanOrEqual(low)
    expect(low).toBeGreaterThan(floor)
  })

  test('a limit that the market never reaches expires and frees its reservation', () => {
    const broker = openTestBroker(DAY, '09:30')
    const { orderId } = broker.desk.place(order(broker, { price: broker.market.listing('FPT')?.floor }))
    broker.to('15:10')
    const expired = instantOf(DAY, '14:45')
    expect(broker.desk.find(orderId)).toMatchObject({
      status: 'EX',
      filled: 0,
      cancelled: 100,
      modifiedAt: expired,
    })
    expect(broker.ledger.holds.size).toBe(0)
  })

  test('match or kill fills completely or not at all; match and kill keeps partial fills; match to limit stays in the queue', () => {
    const broker = openTestBroker(DAY, '10:00')
    // Below what a dealer has to approve.
    const big = { accountNo: OTHERS[0], symbol: 'SHS', quantity: 3_000 } as const
    const [mok, mak, mtl] = (['MOK', 'MAK', 'MTL'] as const).map(
      (orderType) => broker.desk.place(order(broker, { ...big, orderType })).orderId,
    )
    broker.to('10:00:01')
    expect(broker.desk.find(mok ?? '')).toMatchObject({ status: 'CL', filled: 0 })
    expect(broker.desk.find(mak ?? '')).toMatchObject({ status: 'FFPC' })
    expect(broker.desk.find(mtl ?? '')).toMatchObject({ status: 'PF', orderType: 'MTL' })
    expect(broker.desk.find(mtl ?? '')?.price).toBeGreaterThan(0)
  })
})

describe('changes and cancels', () => {
  function resting(dialect: 'spec' | 'live' = 'spec') {
    const broker = openTestBroker(DAY, '09:30', dialect)
    const { floor } = broker.market.listing('FPT') ?? { floor: 0 }
    const { orderId, clientRequestId } = broker.desk.place(order(broker, { price: floor, quantity: 300 }))
    broker.to('09:30:01')
    return { broker, floor, by: { accountNo: CASH, orderId }, orderId, clientRequestId }
  }

  test('use the client identifier when both are given, and need at least one', () => {
    const { broker, by, clientRequestId } = resting()
    const wrong = { ...by, clientRequestId: 'not mine' }
    expect(faultOf(() => broker.desk.cancel(wrong))).toBe('noSuchOrder')
    expect(faultOf(() => broker.desk.cancel({ accountNo: CASH }))).toBe('notIdentified')
    expect(broker.desk.cancel({ accountNo: CASH, orderId: 'wrong', clientRequestId }).status).toBe('WC')
  })

  test('a cancel is first on its way, then done; an order that is over cannot be cancelled', () => {
    const { broker, by, orderId } = resting()
    expect(broker.desk.cancel(by).clientCancelId).toBe(`X${orderId}`)
    broker.to('09:30:02')
    expect(broker.path(orderId).slice(-2)).toEqual(['WC', 'CL'])
    expect(faultOf(() => broker.desk.cancel(by))).toBe('cannotCancel')
    expect(faultOf(() => broker.desk.modify({ ...by, quantity: 100 }))).toBe('cannotAmend')
  })

  test('a change is first on its way, then applied; a smaller quantity reserves less', () => {
    const { broker, by, floor, orderId } = resting()
    broker.desk.modify({ ...by, price: floor + 100, quantity: 200 })
    broker.to('09:30:02')
    expect(broker.path(orderId).slice(-2)).toEqual(['WM', 'QU'])
    expect(broker.desk.find(orderId)).toMatchObject({ price: floor + 100, quantity: 200 })
    expect(broker.ledger.holds.get(orderId)).toMatchObject({ quantity: 200, price: floor + 100 })
  })

  test.each([
    [{ price: 1 }, 'belowFloor'],
    [{ quantity: 150 }, 'badLot'],
    [{ quantity: 300 }, 'nothingChanged'],
    [{ quantity: 400_000 }, 'overBuyingPower'],
  ] as const)('a change to %j is turned down: %s', (change, fault) => {
    const { broker, by } = resting()
    expect(faultOf(() => broker.desk.modify({ ...by, ...change }))).toBe(fault)
  })

  test('live, a change is of price or quantity, never both', () => {
    const { broker, by, floor } = resting('live')
    expect(faultOf(() => broker.desk.modify({ ...by, price: floor + 50, quantity: 200 }))).toBe(
      'priceOrQuantity',
    )
    expect(faultOf(() => broker.desk.modify({ ...by, price: floor + 50 }))).toBe('none')
  })

  test('auctions are closed to both', () => {
    const { broker, by } = resting()
    broker.to('14:35')
    expect(faultOf(() => broker.desk.cancel(by))).toBe('cannotCancel')
    expect(faultOf(() => broker.desk.modify({ ...by, quantity: 200 }))).toBe('cannotAmend')
  })
})
