import { describe, expect, test } from 'vitest'
import type { Operator } from '../../src/broker/conditional/conditional-order.js'
import { AT, asked, PAIR, scripted } from './scripted-market.js'
import { CASH } from './test-broker.js'

describe('stop', () => {
  test('when the market price satisfies the operator against stopPrice, the order is sent at market price', () => {
    const at = scripted()
    const stop = asked({ type: 'stop', stopPrice: 12_800, operator: 'lesser_or_equal' })
    const { fcoId } = at.desk.place(stop)
    at.prints(12_900, 12_850)
    expect(at.states(fcoId)).toEqual(['INIT', 'WAIT'])
    at.prints(12_800)
    expect(at.children(fcoId)).toMatchObject([{ orderType: 'MP', side: 'S', quantity: 100 }])
    expect(at.states(fcoId)?.slice(0, 4)).toEqual(['INIT', 'WAIT', 'TRI', 'TRIT'])
    expect(at.desk.find(fcoId)?.isPlaceOrder).toBe(true)
  })

  test.each<[Operator, number, boolean]>([
    ['greater_or_equal', 13_000, true],
    ['greater_or_equal', 12_950, false],
    ['lesser_or_equal', 13_000, true],
    ['lesser_or_equal', 13_050, false],
    ['greater', 13_000, false],
    ['greater', 13_050, true],
    ['lesser', 13_000, false],
    ['lesser', 12_950, true],
    ['equal', 13_000, true],
    ['equal', 13_050, false],
  ])('operator %s at a market of %d against 13000: %s', (operator, price, triggers) => {
    const at = scripted()
    const { fcoId } = at.desk.place(asked({ stopPrice: 13_000, operator }))
    at.prints(price)
    expect(at.children(fcoId)).toHaveLength(triggers ? 1 : 0)
  })
})

test('stop_limit: as stop, but sent to the exchange at the given limit price', () => {
  const at = scripted()
  const { fcoId } = at.desk.place(
    asked({ type: 'stop_limit', price: 12_750, stopPrice: 12_800, operator: 'lesser_or_equal' }),
  )
  at.prints(12_800)
  expect(at.children(fcoId)).toMatchObject([{ orderType: 'LO', price: 12_750 }])
  at.prints(12_800, 12_900)
  expect(at.desk.find(fcoId)).toMatchObject({ status: 'FIS', matchedQuantity: 100 })
})

test.each([
  ['S', 12_749, 'badTick'],
  ['B', 13_049.5, 'badTick'],
  ['S', 1_000, 'belowFloor'],
  ['B', 1_000, 'belowFloor'],
  ['S', 99_900, 'aboveCeiling'],
  ['B', 99_900, 'aboveCeiling'],
] as const)(
  'a limit price that the exchange does not take is refused there: %s at %d',
  (side, price, detail) => {
    const at = scripted()
    const limit = { type: 'stop_limit', side, price, stopPrice: 13_000, operator: 'equal' } as const
    const { fcoId } = at.desk.place(asked(limit))
    at.prints(13_000)
    expect(at.desk.find(fcoId)).toMatchObject({ status: 'ERR', detail })
  },
)

test.each([
  ['B', 1_000, 'belowFloor'],
  ['S', 99_900, 'aboveCeiling'],
] as const)('no slippage makes a limit worse than it was given: %s at %d', (side, price, detail) => {
  const at = scripted()
  const limit = {
    type: 'stop_limit',
    side,
    price,
    priceSlip: 10,
    stopPrice: 13_000,
    operator: 'equal',
  } as const
  const { fcoId } = at.desk.place(asked(limit))
  at.prints(13_000)
  expect(at.desk.find(fcoId)).toMatchObject({ status: 'ERR', detail })
})

test('slippage beyond the limits of the day is sent at the limit, off the tick at the next one within it', () => {
  const at = scripted()
  at.limits(12_100, 13_900)
  const limit = { type: 'stop_limit', stopPrice: 13_000, operator: 'equal' } as const
  const beyond = at.desk.place(asked({ ...limit, price: 12_200, priceSlip: 500 }))
  const between = at.desk.place(asked({ ...limit, price: 12_200, priceSlip: 30 }))
  at.prints(13_000)
  expect(at.children(beyond.fcoId)).toMatchObject([{ price: 12_100 }])
  expect(at.children(between.fcoId)).toMatchObject([{ price: 12_200 }])
})

test('slippage moves a limit to the side that matches sooner', () => {
  const at = scripted()
  const limit = { type: 'stop_limit', price: 12_750, priceSlip: 100, stopPrice: 13_000 } as const
  const sell = at.desk.place(asked({ ...limit, operator: 'equal' }))
  at.prints(13_000)
  expect(at.children(sell.fcoId)).toMatchObject([{ price: 12_650 }])
})

describe('gtd: the order is triggered each day until one of', () => {
  const gtd = asked({ type: 'gtd', side: 'B', price: 12_500, quantity: 300, to: AT + 3 * 86_400_000 })

  test('the original quantity is fully matched', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(gtd)
    at.prints(13_000)
    expect(at.children(fcoId)).toMatchObject([{ price: 12_500, quantity: 300, status: 'QU' }])
    at.enters('after')
    expect(at.children(fcoId)).toMatchObject([{ status: 'EX' }])
    expect(at.desk.find(fcoId)?.status).toBe('WAIT')
    at.enters('ato')
    expect(at.children(fcoId)).toHaveLength(2)
    at.enters('continuous')
    at.prints(12_400)
    expect(at.desk.find(fcoId)).toMatchObject({ status: 'FIS', matchedQuantity: 300 })
  })

  test('a day whose limits leave its price out is passed over: a limit of a buy is never raised to the floor', () => {
    const at = scripted()
    at.limits(12_600, 14_000)
    const { fcoId } = at.desk.place(gtd)
    at.prints(12_600)
    expect(at.desk.find(fcoId)?.status).toBe('WAIT')
    expect(at.children(fcoId)).toEqual([])
    at.enters('after')
    at.limits(11_800, 13_400)
    at.enters('ato')
    expect(at.children(fcoId)).toMatchObject([{ price: 12_500, quantity: 300 }])
  })

  test('the user cancels it', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(gtd)
    at.prints(13_000)
    at.desk.cancel(fcoId)
    at.prints(13_000)
    expect(at.states(fcoId)?.slice(-2)).toEqual(['WC', 'TER'])
    expect(at.children(fcoId)).toMatchObject([{ status: 'CL' }])
  })

  test('the validity end date has passed', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(gtd)
    at.prints(13_000)
    at.enters('after')
    at.agenda.advanceTo(AT + 4 * 86_400_000)
    expect(at.desk.find(fcoId)?.status).toBe('EXP')
  })
})

describe('bullbear', () => {
  const main = asked({ type: 'bullbear', side: 'B', price: 12_900, ...PAIR, quantity: 200 })

  test('when the main order is matched, the system creates one OCO order of opposite side to the main order', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(main)
    at.prints(13_000)
    expect(at.children(fcoId)).toMatchObject([{ side: 'B', price: 12_900, status: 'QU' }])
    expect(at.desk.ofAccount(CASH)).toHaveLength(1)
    at.prints(12_850)
    expect(at.desk.find(fcoId)?.status).toBe('FIS')
    const ocoOrders = at.desk.ofAccount(CASH).filter(({ parent }) => parent === fcoId)
    expect(ocoOrders).toMatchObject([
      { type: 'oco', side: 'S', quantity: 200, status: 'WAIT', tpPrice: 13_500 },
    ])
  })

  test('without a match no OCO order is created', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(main)
    at.prints(13_000)
    at.enters('after')
    expect(at.desk.find(fcoId)?.status).toBe('TER')
    expect(at.desk.ofAccount(CASH)).toHaveLength(1)
  })
})

describe('oco', () => {
  const oco = asked({ type: 'oco', side: 'S', quantity: 1_000, ...PAIR })

  test('the trigger of one leg sends its order', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(oco)
    at.prints(13_100, 13_500)
    expect(at.children(fcoId)).toMatchObject([{ orderType: 'LO', price: 13_500, quantity: 1_000 }])
  })

  test('if the other leg was already activated, its child is cancelled first, then its open quantity is sent', () => {
    const at = scripted()
    const { fcoId } = at.desk.place({ ...oco, tpPrice: 13_600 })
    at.prints(13_500)
    const [first] = at.children(fcoId)
    expect(first).toMatchObject({ price: 13_600, status: 'QU' })
    at.prints(13_600)
    const filled = at.children(fcoId)[0]?.filled ?? 0
    at.prints(12_500)
    at.prints(12_550)
    expect(at.children(fcoId)).toMatchObject([{ status: filled > 0 ? 'FFPC' : 'CL' }, { orderType: 'MTL' }])
    expect(at.children(fcoId)[1]?.quantity).toBe(1_000 - filled)
    expect(at.states(fcoId)).toEqual(
      expect.arrayContaining(['INIT', 'WAIT', 'TRI', 'TRIT', 'WC', 'TRI', 'TRIT']),
    )
  })

  test('closes an existing position and not more than it', () => {
    expect(() => scripted('spec', 900).desk.place(oco)).toThrow('noPosition')
  })

  test.each([
    ['MP', 'spec', 'MP'],
    ['MP', 'live', 'MTL'],
    ['MTL', 'spec', 'MTL'],
    ['MOK', 'spec', 'MTL'],
    ['MAK', 'spec', 'MTL'],
  ] as const)(
    'a leg may be sent as %s, which HOSE takes as its market order (%s): %s',
    (word, dialect, sent) => {
      const at = scripted(dialect)
      const { fcoId } = at.desk.place({ ...oco, slPrice: word })
      at.prints(12_400)
      expect(at.children(fcoId)).toMatchObject([{ orderType: sent }])
    },
  )
})

describe('trailing_stop', () => {
  const trailing = asked({ type: 'trailing_stop', activePrice: 13_200, trailingAmount: 300 })

  test('its stop price moves with the market trend, and never back; sent at market price', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(trailing)
    const stop = () => at.desk.find(fcoId)?.trailingStop
    at.prints(13_100)
    expect(stop()).toBeUndefined()
    at.prints(13_200)
    expect(stop()).toBe(12_900)
    at.prints(13_500, 13_300)
    expect(stop()).toBe(13_200)
    expect(at.children(fcoId)).toHaveLength(0)
    at.prints(13_200)
    expect(at.children(fcoId)).toMatchObject([{ orderType: 'MP', side: 'S' }])
  })

  test('of a buy follows a falling market', () => {
    const at = scripted()
    const { fcoId } = at.desk.place({ ...trailing, side: 'B', activePrice: 12_800 })
    at.prints(12_900, 12_800, 12_500, 12_700)
    expect(at.children(fcoId)).toHaveLength(0)
    at.prints(12_800)
    expect(at.children(fcoId)).toMatchObject([{ orderType: 'MP', side: 'B' }])
  })
})

test('trailing_stop_limit: the price sent is computed from the stop price', () => {
  const at = scripted()
  const { fcoId } = at.desk.place(
    asked({
      type: 'trailing_stop_limit',
      price: 13_000,
      priceSlip: 50,
      activePrice: 13_200,
      trailingAmount: 300,
    }),
  )
  at.prints(13_200, 13_400, 13_100)
  expect(at.children(fcoId)).toMatchObject([{ orderType: 'LO', price: 13_050 }])
})
