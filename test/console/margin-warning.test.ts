import { expect, test } from 'vitest'
import { type Margin, marginWarning } from '../../src/read/margin-warning.js'

/** Far from every level. */
const CALM: Margin = {
  account_no: '0881234566',
  account_type: 'MARGIN',
  trading_date: '2025-03-14',
  action: 'NONE',
  ratio: 0.64,
  margin_call: 0,
  call_ratio: 0.4,
  force_ratio: 0.3,
  call_distance: 267,
  force_distance: 324,
  warning_level_1: null,
  warning_level_2: null,
  warning_level_3: null,
  fall: 0.07,
  ratio_after: 0.613,
  action_after: 'NONE',
}

const CONTRACTS: Margin = {
  ...CALM,
  account_type: 'DERIVATIVE',
  action: null,
  ratio: 0.13,
  warning_level_1: 0.8,
  warning_level_2: 0.9,
  warning_level_3: 1,
  ratio_after: 0.128,
}

test('an account that is far from every level, or of which no level is known, has no warning', () => {
  expect(marginWarning(CALM)).toBeUndefined()
  expect(marginWarning(CONTRACTS)).toBeUndefined()
  const unknown = { call_distance: null, force_distance: null, action: null, action_after: null, ratio: null }
  expect(marginWarning({ ...CALM, ...unknown })).toBeUndefined()
})

test.each<[string, Partial<Margin>, string]>([
  [
    'the service states a call',
    { action: 'CALL', margin_call: 1_234_567, ratio: 0.38 },
    'margin call: its margin ratio is 38 % (call 40 %, forced sale 30 %). The service asks for 1,234,567 VND.',
  ],
  [
    'the service states another word than NONE',
    { action: 'WARN' },
    'margin call: its margin ratio is 64 % (call 40 %, forced sale 30 %).',
  ],
  [
    'its assets are below the level, whatever the service states',
    { call_distance: -1 },
    'margin call: its margin ratio is 64 % (call 40 %, forced sale 30 %).',
  ],
  [
    'its assets are below the level of sales',
    { call_distance: -58, force_distance: -1, ratio: 0.294 },
    'may be sold by force: its margin ratio is 29.4 % (call 40 %, forced sale 30 %).',
  ],
  [
    'no level is known',
    {
      action: 'FORCESELL',
      ratio: null,
      call_ratio: null,
      force_ratio: null,
      call_distance: null,
      force_distance: null,
    },
    'may be sold by force: its margin ratio is not known (call not known, forced sale not known).',
  ],
])('it is so now: %s', (_, change, text) => {
  expect(marginWarning({ ...CALM, ...change })).toEqual({ level: 'bad', text })
})

test.each<[string, string]>([
  ['CALL', 'a margin call'],
  ['FORCESELL', 'a forced sale'],
])('a fall would lead to %s', (action_after, words) => {
  expect(marginWarning({ ...CALM, ratio: 0.42, ratio_after: 0.381, action_after })).toEqual({
    level: 'look',
    text: `a fall of all prices by 7 % leads to ${words}: its margin ratio is 42 %, then 38.1 % (call 40 %, forced sale 30 %).`,
  })
})

test.each<[number, string]>([
  [0.801, 'contracts need 80.1 % of its assets as margin: beyond the first limit (80 %).'],
  [0.962, 'contracts need 96.2 % of its assets as margin: beyond the second limit (90 %).'],
  [1.3, 'contracts need 130 % of its assets as margin: beyond the third limit (100 %).'],
])('contracts that need %d of the assets are beyond a limit', (ratio, text) => {
  expect(marginWarning({ ...CONTRACTS, ratio, action_after: 'LEVEL3' })).toEqual({ level: 'bad', text })
})

test('contracts that a fall would bring beyond a limit', () => {
  expect(marginWarning({ ...CONTRACTS, ratio: 0.8, ratio_after: 0.95, action_after: 'LEVEL2' })).toEqual({
    level: 'look',
    text: 'a fall of all prices by 7 % leads beyond a limit (90 %): contracts need 80 % of its assets as margin, then 95 %.',
  })
})
