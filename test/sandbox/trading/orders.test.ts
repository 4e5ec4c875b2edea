import { describe, expect, test } from 'vitest'
import type { OrderFault, OrderType, PlaceOrder } from '../../../src/sandbox/orders/order.js'
import { OrderRefused } from '../../../src/sandbox/orders/order.js'
import { CASH, DAY, DERIVATIVE, type House, house, MARGIN, OTHERS, priceOf } from './house.js'

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
function order(made: House, change: Partial<PlaceOrder> = {}): PlaceOrder {
  const symbol = change.symbol ?? 'FPT'
  const price = made.market.listing(symbol)?.reference
  return { accountNo: CASH, symbol, side: 'B', orderType: 'LO', quantity: 100, price, ...change }
}

describe('an order is turned down', () => {
  const made = house(DAY, '09:30')
  const fpt = made.market.listing('FPT')
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
    expect(faultOf(() => made.desk.place(order(made, change)))).toBe(fault)
    expect(made.ledger.holds.size).toBe(0)
  })

  test('against an own one of the other side, of any account of the client', () => {
    const own = house(DAY, '09:30')
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
    ['FPT', 'LO', '14:50', 'marketClosed'],
    ['SHS', 'ATO', '08:30', 'typeNotAllowedNow'],
    ['SHS', 'ATC', '14:35', 'none'],
    ['ACV', 'ATC', '10:00', 'typeNotAllowedNow'],
    ['ACV', 'MP', '10:00', 'typeNotAllowedNow'],
    ['ACV', 'LO', '14:50', 'none'],
  ])('%s %s at %s: %s', (symbol, orderType, time, fault) => {
    const at = house(DAY, time)
    expect(faultOf(() => at.desk.place(order(at, { symbol, orderType })))).toBe(fault)
  })

  test('on a day without a session', () => {
    const sunday = house('2025-11-23', '10:00')
    expect(faultOf(() => sunday.desk.place(order(sunday)))).toBe('marketClosed')
  })

  test('live, for a client identifier of more than 20 characters or used the same day', () => {
    const live = house(DAY, '09:30', 'live')
    const of = (clientRequestId: string) => faultOf(() => live.desk.place(order(live, { clientRequestId })))
    expect(of('a'.repeat(21))).toBe('clientRequestIdTooLong')
    expect([of('mine'), of('mine')]).toEqual(['none', 'clientRequestIdUsed'])
    live.to('09:30', '2025-11-21')
    expect(of('mine')).toBe('none')
  })
})

describe('an order on its way', () => {
  test('goes through taken in, ready, sent, queued', () => {
    const made = house(DAY, '09:30')
    const { orderId } = made.desk.place(order(made, { price: made.market.listing('FPT')?.floor }))
    made.to('09:30:01')
    expect(made.path(orderId)).toEqual(['PD', 'RS', 'SD', 'QU'])
  })

  test('before the session waits for it; a closing order waits for the closing auction', () => {
    const made = house(DAY, '08:00')
    const early = made.desk.place(order(made))
    const closing = made.desk.place(order(made, { orderType: 'ATC' }))
    made.to('08:59')
    expect([early, closing].map(({ orderId }) => made.path(orderId).at(-1))).toEqual(['IAV', 'IAV'])
    made.to('14:20')
    expect(made.path(closing.orderId).at(-1)).toBe('IAV')
    made.to('14:31')
    expect(made.path(closing.orderId).at(-1)).toBe('QU')
    made.to('14:46')
    expect(made.path(closing.orderId).at(-1)).toBe('FF')
  })

  test('of more than 100 million VND waits a minute for approval', () => {
    const made = house(DAY, '09:30')
    const large = made.desk.place(order(made, { accountNo: OTHERS[0], quantity: 450_000 }))
    made.to('09:30:30')
    expect(made.path(large.orderId)).toEqual(['PD', 'WA'])
    made.to('09:31:05')
    expect(made.path(large.orderId).slice(0, 5)).toEqual(['PD', 'WA', 'RS', 'SD', 'QU'])
  })

  test('that comes after its phase is rejected, and says why', () => {
    const made = house(DAY, '09:14')
    made.agenda.advanceTo(made.agenda.now() + 59_850)
    const late = made.desk.place(order(made, { orderType: 'ATO' }))
    made.to('09:16')
    expect(made.path(late.orderId).at(-1)).toBe('RJ')
    expect(made.desk.find(late.orderId)?.message).toContain('not allowed in this session')
    expect(made.ledger.holds.size).toBe(0)
  })
})

describe('matching', () => {
  test('crosses the opening auction at its one price, market orders first', () => {
    const made = house(DAY, '09:01')
    const { ceiling } = made.market.listing('FPT') ?? { ceiling: 0 }
    const [limit, market] = [
      made.desk.place(order(made, { price: ceiling })),
      made.desk.place(order(made, { orderType: 'ATO' })),
    ]
    made.to('09:15')
    const [a, b] = [limit, market].map(({ orderId }) => made.desk.find(orderId))
    expect([a?.status, b?.status]).toEqual(['FF', 'FF'])
    expect(a?.filledAmount).toBe(b?.filledAmount)
    expect(a?.filledAmount).toBe(priceOf(made, 'FPT') * 100)
  })

  test('between two clients trades at the price of the one that stood first', () => {
    const made = house(DAY, '09:30')
    const { floor } = made.market.listing('FPT') ?? { floor: 0 }
    const resting = made.desk.place(order(made, { price: floor, quantity: 300 }))
    made.to('09:30:01')
    const taking = made.desk.place(
      order(made, { accountNo: OTHERS[0], side: 'S', price: floor, quantity: 200 }),
    )
    made.agenda.advanceTo(made.agenda.now() + 300)
    expect(made.desk.find(resting.orderId)).toMatchObject({
      filled: 200,
      filledAmount: 200 * floor,
      status: 'PF',
    })
    expect(made.desk.find(taking.orderId)).toMatchObject({ filled: 200, status: 'FF' })
  })

  test('a limit the market never reaches expires, and frees what it held', () => {
    const made = house(DAY, '09:30')
    const { orderId } = made.desk.place(order(made, { price: made.market.listing('FPT')?.floor }))
    made.to('15:10')
    expect(made.desk.find(orderId)).toMatchObject({ status: 'EX', filled: 0, cancelled: 100 })
    expect(made.ledger.holds.size).toBe(0)
  })

  test('match or kill takes all or nothing; match and kill keeps what it got; match to limit rests', () => {
    const made = house(DAY, '10:00')
    // Below what a dealer has to approve.
    const big = { accountNo: OTHERS[0], quantity: 7_000 } as const
    const [mok, mak, mtl] = (['MOK', 'MAK', 'MTL'] as const).map(
      (orderType) => made.desk.place(order(made, { ...big, orderType })).orderId,
    )
    made.to('10:00:01')
    expect(made.desk.find(mok ?? '')).toMatchObject({ status: 'CL', filled: 0 })
    expect(made.desk.find(mak ?? '')).toMatchObject({ status: 'FFPC' })
    expect(made.desk.find(mtl ?? '')).toMatchObject({ status: 'PF', orderType: 'MTL' })
    expect(made.desk.find(mtl ?? '')?.price).toBeGreaterThan(0)
  })
})

describe('changes and cancels', () => {
  function resting(dialect: 'spec' | 'live' = 'spec') {
    const made = house(DAY, '09:30', dialect)
    const { floor } = made.market.listing('FPT') ?? { floor: 0 }
    const { orderId, clientRequestId } = made.desk.place(order(made, { price: floor, quantity: 300 }))
    made.to('09:30:01')
    return { made, floor, by: { accountNo: CASH, orderId }, orderId, clientRequestId }
  }

  test('go by the client identifier when both are given, and need one of them', () => {
    const { made, by, clientRequestId } = resting()
    const wrong = { ...by, clientRequestId: 'not mine' }
    expect(faultOf(() => made.desk.cancel(wrong))).toBe('noSuchOrder')
    expect(faultOf(() => made.desk.cancel({ accountNo: CASH }))).toBe('notIdentified')
    expect(made.desk.cancel({ accountNo: CASH, orderId: 'wrong', clientRequestId }).status).toBe('WC')
  })

  test('a cancel is on its way, then done; what is over cannot be cancelled', () => {
    const { made, by, orderId } = resting()
    expect(made.desk.cancel(by).clientCancelId).toBe(`X${orderId}`)
    made.to('09:30:02')
    expect(made.path(orderId).slice(-2)).toEqual(['WC', 'CL'])
    expect(faultOf(() => made.desk.cancel(by))).toBe('cannotCancel')
    expect(faultOf(() => made.desk.modify({ ...by, quantity: 100 }))).toBe('cannotAmend')
  })

  test('a change is on its way, then holds; less keeps its hold in step', () => {
    const { made, by, floor, orderId } = resting()
    made.desk.modify({ ...by, price: floor + 100, quantity: 200 })
    made.to('09:30:02')
    expect(made.path(orderId).slice(-2)).toEqual(['WM', 'QU'])
    expect(made.desk.find(orderId)).toMatchObject({ price: floor + 100, quantity: 200 })
    expect(made.ledger.holds.get(orderId)).toMatchObject({ quantity: 200, price: floor + 100 })
  })

  test.each([
    [{ price: 1 }, 'belowFloor'],
    [{ quantity: 150 }, 'badLot'],
    [{ quantity: 300 }, 'nothingChanged'],
    [{ quantity: 400_000 }, 'overBuyingPower'],
  ] as const)('a change to %j is turned down: %s', (change, fault) => {
    const { made, by } = resting()
    expect(faultOf(() => made.desk.modify({ ...by, ...change }))).toBe(fault)
  })

  test('live, a change is of price or quantity, never both', () => {
    const { made, by, floor } = resting('live')
    expect(faultOf(() => made.desk.modify({ ...by, price: floor + 50, quantity: 200 }))).toBe(
      'priceOrQuantity',
    )
    expect(faultOf(() => made.desk.modify({ ...by, price: floor + 50 }))).toBe('none')
  })

  test('auctions are closed to both', () => {
    const { made, by } = resting()
    made.to('14:35')
    expect(faultOf(() => made.desk.cancel(by))).toBe('cannotCancel')
    expect(faultOf(() => made.desk.modify({ ...by, quantity: 200 }))).toBe('cannotAmend')
  })
})
