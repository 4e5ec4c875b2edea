import { expect, test } from 'vitest'
import { html } from '../../src/report/html.js'
import type { AccountDay, AccountMargin, Position } from '../../src/report/model/accounts.js'
import { accountsSection } from '../../src/report/sections/accounts.js'

const [BEFORE, DAY] = ['2025-03-13', '2025-03-14'] as const

const day: AccountDay = {
  account_no: '0691234561',
  account_type: null,
  trading_date: DAY,
  state: 'complete',
  missing: null,
  before_of: BEFORE,
  net_cash: 50,
  position_value: 50,
  net_asset_value: 110,
  total_equity: null,
  total_debt: null,
  priced_on: DAY,
  change: 10,
  price_gain: 10,
  unexplained_cash: 0,
  costs_most: 0,
  income_most: 0,
  unexplained_positions: 0,
  return_without_flows: null,
  key_name: 'main',
}

const position: Position = {
  account_no: day.account_no,
  trading_date: DAY,
  symbol: 'FPT',
  quantity: 1,
  average_price: 1,
  price: 50,
  priced_on: DAY,
  is_current: true,
  market_value: 50,
  unrealised_pnl: 49,
  weight: null,
  dividend_quantity: 0,
}

const MARGIN: AccountMargin = {
  account_no: day.account_no,
  account_type: 'MARGIN',
  trading_date: DAY,
  action: 'NONE',
  ratio: 0.42,
  margin_call: 0,
  call_ratio: 0.4,
  force_ratio: 0.3,
  call_distance: 3,
  call_fall: 0.034,
  force_distance: 13,
  warning_level_1: null,
  warning_level_2: null,
  warning_level_3: null,
  fall: 0.07,
  ratio_after: 0.376,
  action_after: 'CALL',
  warning: { level: 'look', text: 'a fall leads to a margin call' },
}

/** The section of an account with one position. */
function sectionOf(
  ofDay: Partial<AccountDay>,
  ofPosition: Partial<Position>,
  margin: AccountMargin | null = null,
): string {
  const latest = { ...day, ...ofDay }
  const residual = { state: 'unknown', cash: null, positions: null } as const
  const account = { account: day.account_no, latest, curve: [], residual, margin }
  return accountsSection(
    [{ ...account, positions: [{ ...position, ...ofPosition }] }],
    () => html``,
  ).text.replaceAll('\u202f', ' ')
}

const STALE = /the change is not known|later closes are not known|no trade since/g

test('an account valued at an older close names it, and has no change; a position says why its close is older', () => {
  expect(sectionOf({}, {})).toContain('since 13 Mar 2025')
  expect(sectionOf({}, {}).match(STALE)).toBeNull()
  const withheld = sectionOf({ priced_on: BEFORE, change: null }, { priced_on: BEFORE, is_current: false })
  expect(withheld).toContain('at the close of 13 Mar 2025: the change is not known')
  expect(withheld).toContain('13 Mar 2025, later closes are not known')
  expect(sectionOf({}, { priced_on: BEFORE }).match(STALE)).toEqual(['no trade since'])
})

test('an account near a margin level has a warning at its place, and the section counts it', () => {
  const text = sectionOf({}, {}, MARGIN)
  expect(text).toContain('<p class="warning look">Margin: a fall leads to a margin call</p>')
  expect(text).toContain('1 account at or near a margin level.')
  expect(text).toContain('call at 40.0 %, a fall of 3.4 %; after a fall of all prices by 7 %: 37.6 %')
})

test('an account far from every level shows its margin without a warning, and one that has none shows none', () => {
  const calm = sectionOf({}, {}, { ...MARGIN, warning: null })
  expect(calm).toContain('Margin ratio')
  expect(calm).not.toContain('warning')
  expect(calm).not.toContain('near a margin level')
  expect(sectionOf({}, {})).not.toContain('Margin')
})

test('a profit that is not known because shares are to come says so', () => {
  expect(sectionOf({}, { unrealised_pnl: null, dividend_quantity: 1100 })).toContain(
    'not known, 1 100 shares to come',
  )
  expect(sectionOf({}, {})).not.toContain('to come')
})

test('the margin of contracts shows its limits', () => {
  const contracts = { ...MARGIN, account_type: 'DERIVATIVE', ratio: 0.962, warning_level_1: 0.8 }
  const text = sectionOf({}, {}, { ...contracts, warning_level_2: 0.9, warning_level_3: 1 })
  expect(text).toContain('of assets; limits 80 %, 90 %, 100 %; after a fall of all prices by 7 %: 37.6 %')
})
