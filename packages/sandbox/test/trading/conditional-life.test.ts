import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LONG } from '../../../../test/support/long.js'
import {
  CONDITIONAL_TYPES,
  type ConditionalFault,
  ConditionalRefused,
  type Operator,
  type PlaceConditional,
} from '../../src/broker/conditional/conditional-order.js'
import { CONDITIONAL_MOVES } from '../../src/broker/conditional/conditional-states.js'
import type { Phase } from '../../src/market/exchange/market-view.js'
import { AT, asked, PAIR, scripted } from './scripted-market.js'
import { CASH } from './test-broker.js'

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

const tick = (lo: number, hi: number) => fc.integer({ min: lo / 50, max: hi / 50 }).map((steps) => steps * 50)

/** Conditional orders of every type near the price at which the scripted market begins. */
const anyOrder = fc
  .record({
    type: fc.constantFrom(...CONDITIONAL_TYPES),
    side: fc.constantFrom('B' as const, 'S' as const),
    lots: fc.integer({ min: 1, max: 5 }),
    price: fc.oneof(tick(12_400, 13_600), fc.constantFrom('MP' as const, 'MTL' as const)),
    near: tick(12_800, 13_200),
    far: tick(50, 600),
    operator: fc.constantFrom<Operator>('greater_or_equal', 'lesser_or_equal', 'greater', 'lesser', 'equal'),
  })
  .map(({ type, side, lots, price, near, far, operator }) => {
    const closing = type === 'bullbear' ? (side === 'B' ? 'S' : 'B') : side
    const up = closing === 'S' ? far : -far
    return asked({
      type,
      side,
      operator,
      quantity: lots * 100,
      stopPrice: near,
      activePrice: near,
      trailingAmount: far,
      price: type === 'stop_limit' || type === 'trailing_stop_limit' ? near : price,
      tpActivePrice: near + up,
      tpPrice: near + up,
      tpSlip: 0,
      slActivePrice: near - up,
      slPrice: 'MTL',
      slSlip: 50,
    })
  })

const anyStep = fc.oneof(
  { weight: 3, arbitrary: anyOrder.map((place) => ({ place })) },
  { weight: 8, arbitrary: tick(12_300, 13_700).map((price) => ({ price })) },
  { weight: 2, arbitrary: fc.nat(20).map((cancel) => ({ cancel })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Phase>('lunch', 'continuous', 'atc', 'after', 'ato')
      .map((phase) => ({ phase })),
  },
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** The market after these steps; orders may be refused on the way. */
function marketAfter(steps: readonly Step[]): ReturnType<typeof scripted> {
  const at = scripted('spec', 100_000)
  const ids: string[] = []
  for (const step of steps) {
    try {
      if ('place' in step) ids.push(at.desk.place(step.place).fcoId)
      else if ('price' in step) at.prints(step.price)
      else if ('phase' in step) at.enters(step.phase)
      else at.desk.cancel(ids[step.cancel % ids.length] ?? '')
    } catch (error) {
      if (!(error instanceof ConditionalRefused)) throw error
    }
  }
  return at
}

test('random conditional orders: histories follow the allowed moves, children never sell more than the order', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 60, maxLength: 120 }), (steps) => {
      for (const { history, matchedQuantity, quantity } of marketAfter(steps).desk.ofAccount(CASH)) {
        expect(matchedQuantity).toBeLessThanOrEqual(quantity)
        history.forEach(({ state }, index) => {
          seen.add(state)
          const before = history[index - 1]?.state
          if (before) expect(CONDITIONAL_MOVES[before], `${before} to ${state}`).toContain(state)
        })
      }
    }),
    { numRuns: LONG ? 60 : 25, seed: 20251120 },
  )
  expect([...seen].sort()).toEqual(
    Object.keys(CONDITIONAL_MOVES)
      .filter((state) => state !== 'EXP')
      .sort(),
  )
})
