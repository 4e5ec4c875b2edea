import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantOf } from '../../../src/market/day.js'
import { createAgenda } from '../../../src/sandbox/agenda.js'
import { conditionalEntry, eventEntry } from '../../../src/sandbox/conditional/conditional-answers.js'
import { ConditionalDesk } from '../../../src/sandbox/conditional/conditional-desk.js'
import {
  CONDITIONAL_TYPES,
  type ConditionalFault,
  ConditionalRefused,
  type Operator,
  type PlaceConditional,
} from '../../../src/sandbox/conditional/conditional-order.js'
import { CONDITIONAL_MOVES } from '../../../src/sandbox/conditional/conditional-states.js'
import type { Listing, Market, Phase, Print } from '../../../src/sandbox/exchange/market-view.js'
import { OrderDesk } from '../../../src/sandbox/orders/order-desk.js'
import { CASH, DAY, openTestBroker } from './test-broker.js'

const AT = instantOf(DAY, '10:00')

/** A market whose prices a test writes: each price is one print, a second after the one before. */
function scripted(dialect: 'spec' | 'live' = 'spec', held = 1_000, phase: Phase = 'continuous') {
  const real = openTestBroker(DAY, '10:00')
  const agenda = createAgenda(AT)
  const hearing = new Set<(print: Print) => void>()
  const phaseHearing: ((board: 'HOSE', phase: Phase, day: string) => void)[] = []
  const listing = { ...(real.market.listing('FPT') as Listing), phase }
  let price = 13_000
  const market: Market = {
    listing: (symbol) => (symbol === 'FPT' ? listing : undefined),
    last: () => price,
    // Nothing stands there: child orders trade only when a test prints through them.
    quote: () => undefined,
    watch: (_, hear) => {
      hearing.add(hear)
      return () => {
        hearing.delete(hear)
      }
    },
    onPhase: (hear) => {
      phaseHearing.push(hear as (typeof phaseHearing)[number])
    },
  }
  const custody = {
    account: (accountNo: string) =>
      accountNo === CASH ? { accountNo, accountType: 'CASH' as const, clientId: '123456' } : undefined,
    hold: () => undefined,
    changeHold: () => undefined,
    fill: () => undefined,
    release: () => undefined,
  }
  const orders = new OrderDesk({ agenda, market, custody, dialect })
  const desk = new ConditionalDesk({
    ...{ agenda, market, custody, orders, dialect, username: 'demo', position: () => held },
  })
  return {
    desk,
    orders,
    agenda,
    /** Prices one after another; `volume` shares trade at each. */
    prints(...prices: number[]) {
      for (const next of prices) {
        price = next
        agenda.advanceTo(agenda.now() + 1_000)
        const print: Print = { symbol: 'FPT', at: agenda.now(), price, volume: 2_000, auction: undefined }
        for (const hear of [...hearing]) hear(print)
      }
      agenda.advanceTo(agenda.now() + 500)
    },
    enters(next: Phase) {
      listing.phase = next
      for (const hear of phaseHearing) hear('HOSE', next, DAY)
      agenda.advanceTo(agenda.now() + 500)
    },
    children: (fcoId: string) => (desk.find(fcoId)?.children ?? []).map((orderId) => orders.find(orderId)),
    states: (fcoId: string) => desk.find(fcoId)?.history.map(({ state }) => state),
  }
}

const NOTHING: PlaceConditional = {
  ...{ accountNo: CASH, symbol: 'FPT', side: 'S', type: 'stop', quantity: 100, price: undefined },
  ...{ priceSlip: undefined, from: undefined, to: undefined, clientRequestId: undefined },
  ...{ stopPrice: undefined, activePrice: undefined, trailingAmount: undefined, operator: undefined },
  ...{ tpActivePrice: undefined, slActivePrice: undefined, tpPrice: undefined, slPrice: undefined },
  ...{ tpSlip: undefined, slSlip: undefined },
}
const asked = (change: Partial<PlaceConditional>): PlaceConditional => ({ ...NOTHING, ...change })
const PAIR = {
  tpActivePrice: 13_500,
  tpPrice: 13_500,
  tpSlip: 0,
  slActivePrice: 12_500,
  slPrice: 'MTL',
  slSlip: 0,
} as const

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

  test.each(['MP', 'MOK', 'MTL', 'MAK'] as const)('a leg may be sent as %s', (word) => {
    const at = scripted()
    const { fcoId } = at.desk.place({ ...oco, slPrice: word })
    at.prints(12_400)
    expect(at.children(fcoId)).toMatchObject([{ orderType: word }])
  })
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

describe('validity', () => {
  test('begins with its creation and lasts 24 hours', () => {
    const at = scripted()
    const ocoOrders = at.desk.place(asked({ stopPrice: 1, operator: 'equal' }))
    expect([ocoOrders.from, ocoOrders.to]).toEqual([AT, AT + 86_400_000])
    at.agenda.advanceTo(ocoOrders.to)
    expect(at.states(ocoOrders.fcoId)).toEqual(['INIT', 'WAIT', 'EXP'])
  })

  test('that begins later waits for it', () => {
    const at = scripted()
    const later = asked({ stopPrice: 13_000, operator: 'equal', from: AT + 60_000 })
    const { fcoId } = at.desk.place(later)
    at.prints(13_000)
    expect(at.states(fcoId)).toEqual(['INIT'])
    at.agenda.advanceTo(AT + 60_000)
    at.prints(13_000)
    expect(at.children(fcoId)).toHaveLength(1)
  })

  test('is at most 31 days after its start; live deployments do not check', () => {
    const long = asked({ stopPrice: 1, operator: 'equal', to: AT + 31 * 86_400_000 + 1 })
    expect(() => scripted().desk.place(long)).toThrow('validityTooLong')
    expect(scripted('live').desk.place(long).status).toBe('WAIT')
  })
})

test.each<[Partial<PlaceConditional>, ConditionalFault, string]>([
  [{ accountNo: 'x' }, 'unknownAccount', 'accountNo'],
  [{ symbol: 'x' }, 'unknownSymbol', 'symbol'],
  [{ quantity: 0 }, 'badQuantity', 'quantity'],
  [{}, 'missingField', 'stopPrice'],
  [{ stopPrice: 1 }, 'missingField', 'operator'],
  [{ type: 'stop_limit', stopPrice: 1, operator: 'equal' }, 'missingField', 'price'],
  [{ type: 'stop_limit', price: 'MP', stopPrice: 1, operator: 'equal' }, 'badPrice', 'price'],
  [{ type: 'trailing_stop', activePrice: 1 }, 'missingField', 'trailingAmount'],
  [{ type: 'trailing_stop_limit', activePrice: 1, trailingAmount: 1 }, 'missingField', 'price'],
  [{ type: 'bullbear' }, 'missingField', 'tpActivePrice'],
  [{ type: 'bullbear', ...PAIR, tpPrice: 'MAK' }, 'badPrice', 'tpPrice'],
  [{ type: 'oco', ...PAIR, slActivePrice: 14_000 }, 'badPrice', 'tpActivePrice'],
  [{ stopPrice: 1, operator: 'equal', to: AT }, 'badValidity', 'to'],
  [{ stopPrice: -1, operator: 'equal' }, 'badPrice', 'stopPrice'],
])('%j is turned down: %s %s', (change, fault, field) => {
  let refused: unknown
  try {
    scripted().desk.place(asked(change))
  } catch (error) {
    refused = error
  }
  expect(refused).toBeInstanceOf(ConditionalRefused)
  expect(refused).toMatchObject({ fault, field })
})

describe('a child order', () => {
  test('that is refused ends its conditional order with an error and its reason', () => {
    const at = scripted()
    const { fcoId } = at.desk.place(asked({ stopPrice: 13_000, operator: 'equal', quantity: 150 }))
    at.prints(13_000)
    expect(at.desk.find(fcoId)).toMatchObject({ status: 'ERR', detail: 'badLot' })
    expect(at.desk.find(fcoId)?.history.at(-1)).toMatchObject({ code: 1 })
    expect(() => at.desk.cancel(fcoId)).toThrow('cannotCancel')
  })

  test.each<[Phase, string]>([
    ['ato', 'ATO'],
    ['atc', 'ATC'],
    ['lunch', 'LO'],
  ])('at market price in %s is sent as %s', (phase, orderType) => {
    const at = scripted('spec', 1_000, phase)
    const { fcoId } = at.desk.place(asked({ stopPrice: 13_000, operator: 'equal' }))
    at.prints(13_000)
    expect(at.children(fcoId)).toMatchObject([{ orderType }])
  })
})

test('the wire: as specified, and as live deployments differ', () => {
  const at = scripted()
  const { fcoId } = at.desk.place(asked({ type: 'stop', stopPrice: 12_800, operator: 'lesser' }))
  const order = at.desk.find(fcoId)
  if (!order) throw new RangeError(fcoId)
  expect(conditionalEntry(order, 'spec')).toEqual({
    ...{
      fcoId,
      username: 'demo',
      accountNo: CASH,
      price: '',
      priceSlip: '0',
      symbol: 'FPT',
      orderType: 'MP',
    },
    ...{
      from: '2025/11/20 10:00:00',
      to: '2025/11/21 10:00:00',
      detail: '',
      quantity: 100,
      matchedQuantity: 0,
    },
    ...{ type: 'stop', isPlaceOrder: false, status: 'WAIT' },
    params: { stopPrice: 12_800, side: 'S', operator: 'lesser' },
  })
  expect(conditionalEntry(order, 'live')).toMatchObject({
    Username: 'demo',
    IsPlaceOrder: false,
    params: { operator: 3 },
  })
  const [first] = order.history
  if (!first) throw new RangeError('history')
  expect(eventEntry(first, 'spec')).toEqual({
    state: 'INIT',
    time: '2025/11/20 10:00:00',
    code: 0,
    detail: '',
  })
  expect(eventEntry(first, 'live').time).toBe('20/11/2025 10:00:00')
})

test('random conditional orders: histories follow the allowed moves, children never sell more than the order', () => {
  const tick = (lo: number, hi: number) =>
    fc.integer({ min: lo / 50, max: hi / 50 }).map((steps) => steps * 50)
  const order = fc
    .record({
      type: fc.constantFrom(...CONDITIONAL_TYPES),
      side: fc.constantFrom('B' as const, 'S' as const),
      lots: fc.integer({ min: 1, max: 5 }),
      price: fc.oneof(tick(12_400, 13_600), fc.constantFrom('MP' as const, 'MTL' as const)),
      near: tick(12_800, 13_200),
      far: tick(50, 600),
      operator: fc.constantFrom<Operator>(
        'greater_or_equal',
        'lesser_or_equal',
        'greater',
        'lesser',
        'equal',
      ),
    })
    .map(({ type, side, lots, price, near, far, operator }) => {
      const closing = type === 'bullbear' ? (side === 'B' ? 'S' : 'B') : side
      const up = closing === 'S' ? far : -far
      return asked({
        ...{
          type,
          side,
          operator,
          quantity: lots * 100,
          stopPrice: near,
          activePrice: near,
          trailingAmount: far,
        },
        price: type === 'stop_limit' || type === 'trailing_stop_limit' ? near : price,
        ...{
          tpActivePrice: near + up,
          tpPrice: near + up,
          tpSlip: 0,
          slActivePrice: near - up,
          slPrice: 'MTL',
          slSlip: 50,
        },
      })
    })
  const step = fc.oneof(
    { weight: 3, arbitrary: order.map((place) => ({ place })) },
    { weight: 8, arbitrary: tick(12_300, 13_700).map((price) => ({ price })) },
    { weight: 2, arbitrary: fc.nat(20).map((cancel) => ({ cancel })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<Phase>('lunch', 'continuous', 'atc', 'after', 'ato')
        .map((phase) => ({ phase })),
    },
  )
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 60, maxLength: 120 }), (steps) => {
      const at = scripted('spec', 100_000)
      const ids: string[] = []
      for (const one of steps) {
        try {
          if ('place' in one) ids.push(at.desk.place(one.place).fcoId)
          else if ('price' in one) at.prints(one.price)
          else if ('phase' in one) at.enters(one.phase)
          else at.desk.cancel(ids[one.cancel % ids.length] ?? '')
        } catch (error) {
          if (!(error instanceof ConditionalRefused)) throw error
        }
      }
      for (const { history, matchedQuantity, quantity } of at.desk.ofAccount(CASH)) {
        expect(matchedQuantity).toBeLessThanOrEqual(quantity)
        history.forEach(({ state }, index) => {
          seen.add(state)
          const before = history[index - 1]?.state
          if (before) expect(CONDITIONAL_MOVES[before], `${before} to ${state}`).toContain(state)
        })
      }
    }),
    { numRuns: 60, seed: 20251120 },
  )
  expect([...seen].sort()).toEqual(
    Object.keys(CONDITIONAL_MOVES)
      .filter((state) => state !== 'EXP')
      .sort(),
  )
})
