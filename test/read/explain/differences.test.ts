import { describe, expect, test } from 'vitest'
import type {
  Cash,
  Entitlement,
  Fill,
  Interval,
  PositionChange,
} from '../../../src/read/explain/account-history.js'
import { cashChange, feeRate } from '../../../src/read/explain/cash-change.js'
import { cashDifferences } from '../../../src/read/explain/cash-differences.js'
import { positionDifferences } from '../../../src/read/explain/position-differences.js'

const [FROM, TO] = ['2025-03-13', '2025-03-14']

const CASH: Cash = {
  balance: 1_000_000,
  debt: 0,
  interest: 0,
  dividend: 0,
  sell_t0: 0,
  sell_t1: 0,
  sell_t2: 0,
  buy_t0: 0,
  buy_t1: 0,
  buy_t2: 0,
}

function interval(
  parts: Partial<Interval>,
  then: Partial<Cash> = {},
  now: Partial<Cash> = {},
  sessions = 1,
): Interval {
  const day = { account_type: 'CASH', sessions }
  return {
    before: { ...day, trading_date: FROM, cash: { ...CASH, ...then } },
    after: { ...day, trading_date: TO, cash: { ...CASH, ...now } },
    fills: [],
    changes: [],
    entitlements: [],
    earlierEntitlements: [],
    ended: [],
    ...parts,
  }
}

function fill(order_id: string, parts: Partial<Fill>): Fill {
  const { quantity = 100, price = 10_000 } = parts
  return {
    order_id,
    reported_on: TO,
    trading_date: TO,
    changed_at: `${TO}T02:30:00Z`,
    symbol: 'HPG',
    side: 'B',
    quantity,
    price,
    value: quantity * (price ?? 0),
    ...parts,
  }
}

function change(parts: Partial<PositionChange>): PositionChange {
  return {
    trading_date: TO,
    symbol: 'HPG',
    is_contract: false,
    is_warrant: false,
    last_trading_date: null,
    quantity_before: 1_000,
    bought: 0,
    sold: 0,
    from_dividends: 0,
    announced: 0,
    expired: 0,
    quantity: 1_000,
    unexplained: 0,
    service_bought: 0,
    service_sold: 0,
    ...parts,
  }
}

function entitlement(parts: Partial<Entitlement>): Entitlement {
  return {
    trading_date: TO,
    ex_date: TO,
    symbol: 'HPG',
    quantity: 1_000,
    amount: 500,
    new_shares: 50,
    tick: 50,
    declared_amount: null,
    ...parts,
  }
}

describe('a position', () => {
  test('that orders explain has no difference', () => {
    const bought = change({ bought: 100, quantity: 1_100, service_bought: 100 })
    expect(positionDifferences(interval({ fills: [fill('1', {})], changes: [bought] }))).toEqual([])
  })

  test('of a contract that ended and is still held parts at its expiry', () => {
    const held = change({
      symbol: '41I1F3000',
      is_contract: true,
      quantity_before: 2,
      expired: 2,
      quantity: 2,
      unexplained: 2,
    })
    expect(positionDifferences(interval({ changes: [held] }))).toMatchObject([
      { kind: 'expiry', seenIn: 'market', unit: 'contracts', expected: 0, actual: 2, residual: 2 },
    ])
  })

  test('of contracts names the order whose fill is just what is missing', () => {
    const fills = [
      fill('7', { symbol: '41I1F4000', quantity: 3 }),
      fill('8', { symbol: '41I1F4000', quantity: 1, side: 'S' }),
    ]
    const short = change({
      symbol: '41I1F4000',
      is_contract: true,
      service_bought: null,
      quantity_before: 0,
      bought: 3,
      sold: 1,
      quantity: -1,
      unexplained: -3,
    })
    expect(positionDifferences(interval({ fills, changes: [short] }))).toMatchObject([
      { kind: 'fill', seenIn: 'orders', orderId: '7', at: `${TO}T02:30:00Z` },
    ])
  })

  test('names no order where two fit', () => {
    const fills = [fill('7', {}), fill('8', {})]
    const lacking = change({ bought: 200, quantity: 1_100, unexplained: -100, service_bought: 100 })
    expect(positionDifferences(interval({ fills, changes: [lacking] }))).toMatchObject([
      { kind: 'fill', seenIn: 'orders', orderId: null, candidates: ['7', '8'] },
    ])
  })

  test('that changed without any order is a change that nothing explains', () => {
    expect(
      positionDifferences(interval({ changes: [change({ quantity: 1_050, unexplained: 50 })] })),
    ).toMatchObject([
      { kind: 'position', seenIn: 'service', expected: 1_000, actual: 1_050, residual: 50, orderId: null },
    ])
  })

  test('with shares of an ex-date that came at once has no difference', () => {
    const entitlements = [entitlement({ amount: 910, new_shares: 100.2 })]
    const more = change({ quantity: 1_100, unexplained: 100 })
    expect(positionDifferences(interval({ changes: [more], entitlements }))).toEqual([])
  })
})

describe('cash', () => {
  const sale = fill('s', { side: 'S', quantity: 1_000 })
  /** Fee of 0.15 % and tax of 0.1 %. */
  const rate = feeRate([interval({ fills: [sale] }, {}, { sell_t0: 9_975_000 })])

  test('is charged at the rate that the own sales show', () => {
    expect(rate).toBeCloseTo(0.0015, 10)
    expect(feeRate([interval({})])).toBeUndefined()
  })

  test('cannot be followed over three sessions', () => {
    expect(cashChange(interval({}, {}, {}, 3), rate)).toBeUndefined()
    expect(cashDifferences(interval({}, {}, { balance: 1 }, 3), rate, [])).toEqual([])
  })

  test('cannot be followed where trades settle after more sessions than a balance has fields for', () => {
    const inDays = (from: string, to: string): Interval => {
      const { before, after, ...parts } = interval({})
      return { ...parts, before: { ...before, trading_date: from }, after: { ...after, trading_date: to } }
    }
    expect(cashChange(inDays('2015-12-30', '2015-12-31'), rate)).toBeUndefined()
    expect(cashChange(inDays('2016-01-04', '2016-01-05'), rate)).toMatchObject({ expected: 1_000_000 })
  })

  test('parts at the order whose fee was charged twice, and at none where two orders have that fee', () => {
    const lower = { balance: 1_000_000 - 3_000, buy_t0: 1_000_000 }
    const one = fill('b', {})
    expect(cashDifferences(interval({ fills: [one] }, {}, lower), rate, [])).toMatchObject([
      { kind: 'fee', orderId: 'b', residual: -1_500, seenIn: 'both' },
    ])
    const two = [one, fill('c', { symbol: 'VCB' })]
    const lowerByThree = { balance: 1_000_000 - 4_500, buy_t0: 2_000_000 }
    expect(cashDifferences(interval({ fills: two }, {}, lowerByThree), rate, [])).toMatchObject([
      { kind: 'fee', orderId: null, candidates: ['b', 'c'] },
    ])
  })

  test('without a known rate is not said to be wrong for a fee', () => {
    const lower = { balance: 1_000_000 - 3_000, buy_t0: 1_000_000 }
    expect(cashDifferences(interval({ fills: [fill('b', {})] }, {}, lower), undefined, [])).toEqual([])
  })

  test('parts at sales that settled and did not arrive', () => {
    expect(cashDifferences(interval({}, { sell_t1: 500_000 }, {}), rate, [])).toMatchObject([
      { kind: 'settlement', residual: -500_000 },
    ])
  })

  test('that two events would explain is named after neither', () => {
    const [then, now] = [{ sell_t1: 500_000, dividend: 500_000 }, { balance: 1_500_000 }]
    expect(cashDifferences(interval({}, then, now), rate, [])).toMatchObject([
      { kind: 'cash', residual: -500_000 },
    ])
  })

  test('of a dividend that was paid less its income tax is as expected; a tenth less is not', () => {
    const paid = (balance: number) =>
      cashDifferences(interval({}, { dividend: 200_000 }, { balance }), rate, [])
    expect([paid(1_200_000), paid(1_190_000)]).toEqual([[], []])
    expect(paid(1_180_000)).toMatchObject([{ kind: 'cash', residual: -20_000 }])
  })

  test('of a dividend that was paid on the day of another ex-date is as expected', () => {
    const entitlements = [entitlement({})]
    const now = { dividend: 500_000, balance: 1_200_000 }
    expect(
      cashDifferences(
        interval({ entitlements, changes: [change({})] }, { dividend: 200_000 }, now),
        rate,
        [],
      ),
    ).toEqual([])
  })
})

describe('cash that no order moved is named by its cause:', () => {
  const of = (parts: Partial<Interval>, balance: number) =>
    cashDifferences(interval(parts, {}, { balance }), 0.0015, [])
  const exDate = (parts: Partial<Entitlement>) =>
    entitlement({ trading_date: '2025-03-03', ex_date: '2025-03-03', ...parts })

  test('the declared dividend of an earlier ex-date, less 5 % of tax', () => {
    // 1,000 shares at 480 VND are 480,000; less 5 % 456,000. The reference fell by 500, which is not it.
    const earlierEntitlements = [exDate({ declared_amount: 480 })]
    expect(of({ earlierEntitlements }, 1_456_000)).toMatchObject([
      { kind: 'dividend', symbol: 'HPG', residual: 456_000, seenIn: 'market' },
    ])
    expect(of({ earlierEntitlements }, 1_500_000)).toMatchObject([{ kind: 'cash' }])
  })

  test('the dividend that the break of a reference price shows, to a tick a share', () => {
    const earlierEntitlements = [exDate({})]
    expect(of({ earlierEntitlements }, 1_480_000)).toMatchObject([{ kind: 'dividend', symbol: 'HPG' }])
    // 500,000 less tax is 475,000, and a tick a share 50,000.
    expect(of({ earlierEntitlements }, 1_420_000)).toMatchObject([{ kind: 'cash' }])
  })

  test('none of two ex-dates that both fit', () => {
    const earlierEntitlements = [exDate({}), exDate({ symbol: 'VCB' })]
    expect(of({ earlierEntitlements }, 1_500_000)).toMatchObject([{ kind: 'cash', symbol: null }])
  })

  test('a declared dividend that was neither announced nor paid', () => {
    const entitlements = [entitlement({ declared_amount: 480 })]
    expect(of({ entitlements }, 1_000_000)).toMatchObject([
      { kind: 'dividend', day: TO, symbol: 'HPG', expected: 480_000, residual: -480_000 },
    ])
  })

  test('probably interest, where a small share of the balance came that is not round', () => {
    // Of 1,000,000 VND 2 % a year are 1,698 VND in 31 days.
    const [interest] = of({}, 1_000_417)
    expect(interest).toMatchObject({ kind: 'interest', residual: 417 })
    expect(interest?.reason).toMatch(/^probably interest: the balance grew by 0\.042 %/)
    expect(of({}, 1_001_000)).toMatchObject([{ kind: 'cash' }])
    expect(of({}, 1_001_700)).toMatchObject([{ kind: 'cash' }])
    expect(of({ fills: [fill('s', { side: 'S' })] }, 1_000_417)).not.toMatchObject([{ kind: 'interest' }])
  })

  test('the settlement of a warrant that expired, and no transfer', () => {
    const ended = [change({ symbol: 'CHPG2501', is_warrant: true, expired: 1_000, quantity: 0 })]
    const [settlement] = of({ ended }, 1_250_000)
    expect(settlement).toMatchObject({ kind: 'expiry', symbol: 'CHPG2501', residual: 250_000 })
    expect(settlement?.reason).not.toContain('transfer')
  })

  test('a transfer or other, where nothing is known', () => {
    const [unknown] = of({}, 6_000_000)
    expect(unknown).toMatchObject({ kind: 'cash', residual: 5_000_000 })
    expect(unknown?.reason).toContain('a transfer or other')
  })
})

test('fees at a rate that is not known are not zero, and the reason says what is missing', () => {
  const bought = interval({ fills: [fill('b', {})] }, {}, { buy_t0: 1_000_000, balance: 900_000 })
  expect(cashChange(bought, undefined)).toMatchObject({ fees: null, below: 5_011 })
  expect(cashChange(bought, 0.0015)).toMatchObject({ fees: 1_500, below: 11 })
  expect(cashChange(interval({}), undefined)).toMatchObject({ fees: 0 })
  const [difference] = cashDifferences(bought, undefined, [])
  expect(difference?.reason).toContain('the rate of fees is not known: no snapshot of an evening with sales')
})

test('a warrant that is gone and whose last trading date is not stored may have expired', () => {
  const gone = change({ symbol: 'CHPG2501', is_warrant: true, quantity: 0, unexplained: -1_000 })
  const [difference] = positionDifferences(interval({ changes: [gone] }))
  expect(difference?.reason).toContain('it may have expired')
})
