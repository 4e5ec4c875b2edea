import { describe, expect, test } from 'vitest'
import {
  betaWords,
  dayReason,
  gainWords,
  laterWords,
  levelFields,
  percentWords,
  priceSession,
  sectorWords,
  signedAmount,
  toComeWords,
  totalOf,
  unrealisedPart,
  unrealisedReason,
} from '../../src/console/pages/accounts/account-words.js'
import {
  accountsAddress,
  accountsParameters,
  accountsStateOf,
  usualPeriods,
} from '../../src/console/pages/accounts/accounts-address.js'
import { dayOf, growthColumns, periodOf } from '../../src/console/pages/accounts/period.js'
import {
  distanceWords,
  sentWords,
  triggerDistance,
  triggerWords,
} from '../../src/console/pages/accounts/trigger-words.js'

describe('the address', () => {
  test.each([
    ['', '#/accounts'],
    ['ALL/overview', '#/accounts'],
    ['0881234561', '#/accounts/0881234561'],
    ['0881234561/orders', '#/accounts/0881234561/orders'],
    ['ALL/sessions/2025-03-03', '#/accounts/ALL/sessions/2025-03-03'],
    ['ALL/overview/-/VN30', '#/accounts/ALL/overview/-/VN30'],
    ["x'y/orders/2025-03-03/A B", "#/accounts/x'y/orders/2025-03-03/A%20B"],
  ])('%j leads to %s and back', (words, address) => {
    const state = accountsStateOf(words.split('/'))
    expect(accountsAddress(state)).toBe(address)
    expect(accountsStateOf(address.split('/').slice(2).map(decodeURIComponent))).toEqual(state)
  })

  test.each(['x/constructor/2025-13-03', 'x/no', 'x//yesterday'])(
    'what is neither a tab nor a day is left out: %s',
    (words) => {
      expect(accountsStateOf(words.split('/'))).toEqual({
        account: 'x',
        tab: 'overview',
        since: '',
        benchmark: 'VNINDEX',
      })
    },
  )

  test('the main benchmarks are in every answer and are not asked for', () => {
    const state = { account: 'ALL', tab: 'overview', since: '' } as const
    expect(accountsParameters({ ...state, benchmark: 'VN30' })).toEqual({ ...state, benchmark: '' })
    expect(accountsParameters({ ...state, benchmark: 'FPT' })).toEqual({ ...state, benchmark: 'FPT' })
  })

  test('periods end with the last session; those from before the first one are left out', () => {
    expect(usualPeriods('2024-01-02', '2025-03-31')).toEqual([
      { name: '1 month', since: '2025-02-28' },
      { name: '3 months', since: '2024-12-31' },
      { name: 'this year', since: '2024-12-31' },
      { name: '1 year', since: '2024-03-31' },
      { name: 'all', since: '' },
    ])
    expect(usualPeriods('2025-01-15', '2025-03-14').map(({ name }) => name)).toEqual(['1 month', 'all'])
  })
})

const session = (trading_date: string, row: Record<string, unknown>) => ({
  account_no: 'A',
  from_session: '2025-03-10',
  trading_date,
  equity: null,
  change: null,
  flow: null,
  time_weighted: null,
  drawdown: null,
  vnindex_return: null,
  vn30_return: null,
  benchmark_return: null,
  reason: null,
  ...row,
})

const FIRST = session('2025-03-10', {
  equity: 1000,
  change: 0,
  flow: 0,
  time_weighted: 0,
  drawdown: 0,
  vnindex_return: 0,
  vn30_return: 0,
})
const SECOND = session('2025-03-11', {
  equity: 1190,
  change: 190,
  flow: 100,
  time_weighted: 0.08,
  drawdown: 0,
  vnindex_return: 0.01,
  vn30_return: -0.02,
  benchmark_return: 0.5,
})
const THIRD = session('2025-03-12', {
  equity: 1071,
  change: -119,
  flow: 0,
  time_weighted: -0.028,
  drawdown: -0.1,
  vnindex_return: 0.02,
})
const MISSING = session('2025-03-13', { reason: '2025-03-13: no snapshot of this session' })
const BROKEN = session('2025-03-14', {
  equity: 900,
  change: -171,
  reason: '2025-03-14: unreconciled: -2000000 VND; total_equity does not confirm it',
})
const AFTER = session('2025-03-17', { equity: 910, change: 10, flow: 0, reason: BROKEN.reason })

describe('a period', () => {
  test('has gain without flows, return, drawdown and the benchmark of its last known session', () => {
    expect(periodOf([FIRST, SECOND, THIRD, MISSING], 'VNINDEX')).toEqual({
      from: '2025-03-10',
      to: '2025-03-12',
      gain: -29,
      flow: 100,
      timeWeighted: -0.028,
      drawdown: -0.1,
      lowest: -0.1,
      benchmark: 0.02,
      reason: undefined,
      restart: undefined,
    })
    expect(periodOf([FIRST, SECOND], 'VN30').benchmark).toBe(-0.02)
    expect(periodOf([FIRST, SECOND], 'FPT').benchmark).toBe(0.5)
  })

  test('that a session breaks has a reason in place of figures, and the session to begin with instead', () => {
    expect(periodOf([FIRST, SECOND, BROKEN, AFTER], 'VNINDEX')).toMatchObject({
      timeWeighted: undefined,
      gain: undefined,
      drawdown: undefined,
      reason: BROKEN.reason,
      restart: '2025-03-14',
    })
    expect(periodOf([FIRST, BROKEN], 'VNINDEX').restart).toBeUndefined()
  })

  test('of one session, or of none, says so', () => {
    expect(periodOf([FIRST], 'VNINDEX').reason).toBe('no later session than 2025-03-10')
    expect(periodOf([MISSING], 'VNINDEX')).toMatchObject({
      from: undefined,
      reason: '2025-03-13: no snapshot of this session',
    })
    expect(periodOf([], 'VNINDEX')).toMatchObject({ from: undefined, reason: undefined })
  })

  test('is drawn by session, with gaps where nothing is known', () => {
    expect(growthColumns([FIRST, SECOND, BROKEN], 'VN30')).toEqual({
      days: ['2025-03-10', '2025-03-11', '2025-03-14'].map((day) => Date.parse(day) / 1000),
      own: [0, 0.08, null],
      benchmark: [0, -0.02, null],
      drawdown: [0, 0, null],
    })
  })
})

test('a day has what was gained without flows, and why it is not known', () => {
  const row = { trading_date: '2025-03-14', before_of: '2025-03-13', equity: 1190, change: 190, flow: 100 }
  expect(dayOf({ ...row, time_weighted: 0.08, reason: null })).toEqual({
    day: '2025-03-14',
    before: '2025-03-13',
    equity: 1190,
    gain: 90,
    part: 0.08,
    flow: 100,
    reason: undefined,
  })
  expect(dayOf({ ...row, flow: null, time_weighted: null, reason: 'unreconciled' })).toMatchObject({
    gain: undefined,
    part: undefined,
    reason: 'unreconciled',
  })
})

test('amounts have their sign, and are empty where they are not known', () => {
  expect([1234567.4, -1234567.6, 0, undefined].map(signedAmount)).toEqual([
    '+1,234,567',
    '−1,234,568',
    '0',
    '',
  ])
  expect([gainWords(100, 0.0123), gainWords(-100, undefined), gainWords(undefined, 0.1)]).toEqual([
    '+100 (+1.23 %)',
    '−100',
    '',
  ])
  expect([percentWords(0.3977), percentWords(undefined)]).toEqual(['39.8 %', ''])
})

test('a sum is not known where a part of it is not', () => {
  expect(totalOf([{ n: 1 }, { n: '2' }], 'n')).toBe(3)
  expect(totalOf([{ n: 1 }, { n: null }], 'n')).toBeUndefined()
})

test.each([
  [165_000, 12_000, 12_000 / 153_000],
  [-130_000_000, 1_000_000, 1_000_000 / 131_000_000],
  [null, null, undefined],
  [100, 100, undefined],
])('profit over cost: %s worth, %s of it gained', (market_value, unrealised_pnl, part) => {
  expect(unrealisedPart({ market_value, unrealised_pnl })).toEqual(part)
})

test('a price names its session, and says where it is an older one', () => {
  const row = { priced_on: '2025-03-14', trading_date: '2025-03-14', is_current: true }
  expect(priceSession(row)).toBe('2025-03-14')
  expect(priceSession({ ...row, priced_on: '2025-03-12' })).toBe('2025-03-12, no trade since')
  expect(priceSession({ ...row, priced_on: '2025-03-12', is_current: false })).toBe(
    '2025-03-12, later closes not known',
  )
  expect(priceSession({ ...row, priced_on: null })).toBe('')
})

test('a day that is not known says why', () => {
  const row = { day_gain: null, before_of: '2025-03-13', is_current: true, unexplained_quantity: '0' }
  expect(dayReason({ ...row, day_gain: 1 })).toBe('')
  expect(dayReason({ ...row, before_of: null })).toBe('')
  expect(dayReason({ ...row, is_current: false })).toBe('close not known')
  expect(dayReason({ ...row, unexplained_quantity: '-50' })).toBe('−50 that no fill explains')
  expect(dayReason(row)).toBe('not known')
})

test('a profit that is not known says why', () => {
  const row = { quantity: '1000', average_price: '12999', dividend_quantity: '1100' }
  expect(unrealisedReason(row)).toBe('not known: shares to come')
  expect(unrealisedReason({ ...row, dividend_quantity: '0', average_price: null })).toBe('no average price')
  expect(unrealisedReason({ ...row, dividend_quantity: null })).toBe('not known')
  expect(unrealisedReason({ ...row, quantity: '0' })).toBe('')
})

test('shares that cannot be sold yet say from when', () => {
  const row = {
    sellable_t0: '800',
    arriving_t1: '100',
    t1_date: '2025-03-17',
    arriving_t2: '600',
    t2_date: '2025-03-18',
    selling_quantity: '200',
    encumbered_quantity: '50',
  }
  expect(laterWords(row)).toBe(
    '100 from 13:00 on 2025-03-17; 600 from 13:00 on 2025-03-18; 200 in sell orders; 50 blocked or mortgaged',
  )
  const all = { ...row, arriving_t1: '0', arriving_t2: '0', selling_quantity: '0', encumbered_quantity: '0' }
  expect(laterWords(all)).toBe('')
  expect(laterWords({ ...all, arriving_t1: null, arriving_t2: '10', t2_date: null })).toBe(
    'next session: not known; 10 from 13:00 on a day not announced yet',
  )
  expect(laterWords({ ...row, sellable_t0: null })).toBe('')
})

test('dividends to come are shares and cash after tax, of the same account and symbol', () => {
  const row = { account_no: 'A', symbol: 'FPT', dividend_quantity: '20' }
  const dividends = [
    { account_no: 'A', symbol: 'FPT', net: 950_000 },
    { account_no: 'A', symbol: 'FPT', net: 50_000.4 },
    { account_no: 'A', symbol: 'VNM', net: 1 },
    { account_no: 'B', symbol: 'FPT', net: 1 },
  ]
  expect(toComeWords(row, dividends)).toBe('20 shares, 1,000,000 VND')
  expect(toComeWords({ ...row, dividend_quantity: null }, [])).toBe('')
})

describe('a conditional order', () => {
  const order = {
    close: '100',
    operator: null,
    order_type: 'MP',
    price: null,
    tp_price: null,
    sl_price: null,
  }

  test.each([
    [{ stop_price: '95.5', operator: 'lesser_or_equal' }, 'stop ≤ 95.5'],
    [{ stop_price: '95', operator: '3' }, 'stop 3 95'],
    [{ active_price: '27000.000000', trailing_amount: '500' }, 'follows from 27,000, at a distance of 500'],
    [{ tp_active_price: '120', sl_active_price: '80', stop_price: '0' }, 'take profit 120, stop loss 80'],
    [{}, ''],
  ])('says what it waits for: %j', (row, words) => {
    expect(triggerWords({ ...order, ...row })).toBe(words)
  })

  test('says what is sent then', () => {
    expect(sentWords(order)).toBe('MP')
    expect(sentWords({ ...order, price: '96.5', tp_price: '121', sl_price: 'MP' })).toBe(
      '96.5, profit 121, loss MP',
    )
  })

  test('is as far as its nearest trigger', () => {
    expect(triggerDistance({ ...order, tp_active_price: '120', sl_active_price: '90' })).toBeCloseTo(-0.1, 12)
    expect(distanceWords({ ...order, stop_price: '95' })).toBe('−5.00 % from 100')
    expect(distanceWords({ ...order, stop_price: '95', close: null })).toBe('')
    expect(distanceWords(order)).toBe('')
  })
})

describe('sectors and beta', () => {
  test.each([
    [{ kind: 'stock', icb_name: 'Banks' }, 'Banks'],
    [{ kind: 'stock', icb_name: null }, 'stocks without an industry in any list'],
    [{ kind: 'future', icb_name: null }, 'futures'],
    [{ kind: 'spread', icb_name: null }, 'spread'],
  ])('%j is %s', (row, words) => expect(sectorWords(row)).toBe(words))

  test.each([
    [1, 0, 0, 'the position has fewer than 60 returns beside the index'],
    [3, 0, 0, 'all 3 positions have fewer than 60 returns beside the index'],
    [3, 3, 1, 'all 3 positions'],
    [
      3,
      2,
      0.625,
      '2 of 3 positions, 62.5 % of their value; the others have fewer than 60 returns beside the index',
    ],
    [3, 2, null, 'a price is not known'],
  ])('%d positions, %d with a beta', (positions, positions_with_beta, covered_weight, words) => {
    expect(betaWords({ positions, positions_with_beta, covered_weight })).toBe(words)
  })
})

describe('the distance to a level', () => {
  test('above it is how far prices may fall, below it how far they must rise', () => {
    const row = {
      call_distance: -39_733_011,
      call_fall: -0.1322,
      force_distance: 20_148_952,
      force_fall: 0.067,
    }
    expect(levelFields(row, 'call', 'a call')).toEqual([
      ['below the level of a call, VND', '39,733,011'],
      ['rise of all prices that ends a call', '13.2 %'],
    ])
    expect(levelFields(row, 'force', 'a sale')).toEqual([
      ['above the level of a sale, VND', '20,148,952'],
      ['fall of all prices to a sale', '6.7 %'],
    ])
  })

  test('is empty where it is not known', () => {
    const row = { force_distance: null, force_fall: null }
    expect(levelFields(row, 'force', 'a sale').map(([, value]) => value)).toEqual(['', ''])
  })
})
