import { expect, test } from 'vitest'
import { renderExplanation } from '../../src/cli/render/explain.js'
import type { Explanation } from '../../src/read/explain/index.js'

const AGREES: Explanation = {
  account: '0690000011',
  snapshots: 3,
  agreesUpTo: '2025-03-14',
  partsOn: null,
  differences: [],
  interval: null,
  cash: null,
  cashUnknownOn: [],
}

test('an account that agrees is one line, and what could not be compared another', () => {
  expect(renderExplanation(AGREES)).toBe(
    'account 0690000011: fills, positions and cash agree over 3 complete snapshots, up to 2025-03-14',
  )
  expect(renderExplanation({ ...AGREES, cashUnknownOn: ['2025-03-11'] }).split('\n')[1]).toBe(
    'cash could not be compared on 1 day (2025-03-11)',
  )
  expect(renderExplanation({ ...AGREES, snapshots: 1 })).toContain('none before it to compare with')
})

test('the first event is a sentence with its order, time and figures; its rows are marked', () => {
  const day = { account_type: 'CASH', sessions: 1, cash: null }
  const text = renderExplanation({
    ...AGREES,
    agreesUpTo: '2025-03-13',
    partsOn: '2025-03-14',
    differences: [
      {
        kind: 'fill',
        day: '2025-03-14',
        at: '2025-03-14T02:35:00Z',
        symbol: 'HPG',
        orderId: '17',
        seenIn: 'orders',
        unit: 'shares',
        expected: 500,
        actual: 0,
        residual: -500,
        candidates: [],
        reason: 'the order book reports 500 more bought than the position',
      },
    ],
    interval: {
      before: { ...day, trading_date: '2025-03-13' },
      after: { ...day, trading_date: '2025-03-14' },
      fills: [
        {
          reported_on: '2025-03-14',
          trading_date: '2025-03-14',
          changed_at: '2025-03-14T02:35:00Z',
          order_id: '17',
          symbol: 'HPG',
          side: 'B',
          quantity: 500,
          price: 29_900,
          value: 14_950_000,
        },
      ],
      changes: [
        {
          trading_date: '2025-03-14',
          symbol: 'HPG',
          is_contract: false,
          is_warrant: false,
          last_trading_date: null,
          quantity_before: 4_300,
          bought: 500,
          sold: 0,
          from_dividends: 0,
          announced: 0,
          expired: 0,
          quantity: 4_300,
          unexplained: -500,
          service_bought: 0,
          service_sold: 0,
        },
      ],
      entitlements: [],
      earlierEntitlements: [],
      ended: [],
    },
  })
  expect(text).toContain(
    '2025-03-14 09:35 UTC+7  fill HPG of order 17: expected 500, is 0: -500 shares. the order book reports 500 more bought than the position',
  )
  expect(text).toMatch(/≠ {2}2025-03-14 09:35 {2}17 {5}HPG/)
  expect(text).toMatch(/≠ {2}HPG +4,300 +500/)
})
