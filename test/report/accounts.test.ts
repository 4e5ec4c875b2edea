import { expect, test } from 'vitest'
import { html } from '../../src/report/html.js'
import type { AccountDay, Position } from '../../src/report/model/accounts.js'
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
}

/** The section of an account with one position. */
function sectionOf(ofDay: Partial<AccountDay>, ofPosition: Partial<Position>): string {
  const latest = { ...day, ...ofDay }
  const residual = { state: 'unknown', cash: null, positions: null } as const
  const account = { account: day.account_no, latest, curve: [], residual }
  return accountsSection([{ ...account, positions: [{ ...position, ...ofPosition }] }], () => html``).text
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
