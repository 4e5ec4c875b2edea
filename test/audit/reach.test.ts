import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addDays } from 'candlehouse-foundation/market/day'
import { describe, expect, test } from 'vitest'
import { reachOf } from '../../src/audit/index.js'
import { parseRule, readRules } from '../../src/audit/rule.js'
import { LONG } from '../support/long.js'
import { snapshot } from './accounts.js'
import { bar, checkOne, covered, day, index, limit, type RuleCase, SESSION, warehouseOf } from './world.js'

const folder = join(import.meta.dirname, 'cases')
const cases: RuleCase[] = []
for (const name of readdirSync(folder).sort())
  cases.push(((await import(join(folder, name))) as { default: RuleCase }).default)

test('a rule has to state its reach', () => {
  const head = [
    'rule: 1',
    'title: t',
    'severity: warn',
    'about: market',
    'needs: n',
    'why: w',
    'evidence: none measured',
    'tolerance: none',
  ]
  const text = (reach: string): string => [...head, reach].map((line) => `-- ${line}`).join('\n')
  expect(() => parseRule('01_x.sql', text('grain: one'))).toThrow(/does not state its reach/)
  expect(() => parseRule('01_x.sql', text('reach: back 45 days, forward 3 days'))).toThrow(/reach/)
  expect(() => parseRule('01_x.sql', text('reach: back 0 days, forward 0 days, holidays'))).toThrow(/reach/)
  expect(parseRule('01_x.sql', text('reach: back 45 days, forward 0 days, securities')).reach).toEqual({
    back: 45,
    snapshots: 0,
    lists: ['securities'],
  })
})

/** Rows of a session that no result may depend on. */
function strange(trading_date: string): Parameters<typeof warehouseOf>[0] {
  const symbols = ['HPG', 'FPT', 'VCB', 'E1VFVN30', 'VN30F2503']
  const prices = { open: '31000', high: '31500', low: '30500', close: '31100', average: '31050' }
  return {
    'market.daily_summary': symbols.map((symbol) =>
      day({
        symbol,
        trading_date,
        ...prices,
        open_interest: '7',
        settlement_price: '9',
        remain_foreign_room: '3',
      }),
    ),
    'market.price_limit': symbols.map((symbol) => limit({ symbol, trading_date, ref_price: '31000' })),
    'market.index_summary': ['VNINDEX', 'VN30'].map((index_code) =>
      index({ index_code, trading_date, index_value: '900', total_trade: '2100001' }),
    ),
    'market.candle': symbols.map((symbol) =>
      bar({ symbol, trading_date, opened_at: `${trading_date} 00:00:00+07`, volume: '5' }),
    ),
    'ops.coverage': ['securitiesSummary', 'masterdata'].map((dataset) =>
      covered(dataset, { window_from: trading_date, window_to: trading_date, request_id: 'q-000001' }),
    ),
  }
}

describe('a result depends on nothing beyond the reach that the rule states', () => {
  for (const { number, reach } of readRules()) {
    const ruleCase = cases.find(({ rule }) => rule === number)
    const situations = [ruleCase?.breaks[0] ?? ruleCase?.flags?.[0]].filter((each) => each !== undefined)
    test(`rule ${number}`, async () => {
      const on = ruleCase?.on ?? SESSION
      for (const { given } of situations) {
        const alone = await checkOne(await warehouseOf(given), number, on, ruleCase?.strict ?? [])
        // The day before the reach, and the next session.
        const beyond = [addDays(on, -reach.back - 1), addDays(on, 3)]
        if (LONG) beyond.push(addDays(on, -reach.back - 9), addDays(on, 1))
        const among: Record<string, unknown[]> = { ...given } as Record<string, unknown[]>
        for (const date of beyond)
          for (const [relation, rows] of Object.entries(strange(date)))
            among[relation] = [...(among[relation] ?? []), ...rows]
        const others = await checkOne(
          await warehouseOf(among as typeof given),
          number,
          on,
          ruleCase?.strict ?? [],
        )
        expect(others).toEqual(alone)
      }
    })
  }
})

describe('what runs brought reaches', () => {
  const given = {
    'market.daily_summary': ['2025-01-10', '2025-03-10', '2025-03-13', '2025-03-14'].map((trading_date) => ({
      ...day({ trading_date }),
      request_id: trading_date === '2025-03-10' ? 'r2-000001' : 'r1-000001',
    })),
    'recon.finding': ['2025-01-10', '2025-03-10', '2025-03-13', '2025-03-14'].map((trading_date) => ({
      rule: '5',
      subject: 'market',
      trading_date,
      state: 'pass',
    })),
  }
  const scope = { runs: ['r2'], snapshots: [] }

  test('the sessions that look back at it', async () => {
    const reached = await reachOf(await warehouseOf(given), { ...scope, days: ['2025-03-10'] })
    expect(reached).toEqual({ days: ['2025-03-13', '2025-03-14'], snapshots: [] })
  })

  test('the snapshots that a fee rate is carried to, a year at most', async () => {
    const dates = ['2024-03-13', '2025-03-10', '2025-03-13', '2025-03-14']
    const taken = dates.map((as_of) => ({ ...snapshot({ as_of, snapshot_id: as_of }) }))
    const database = await warehouseOf({ 'account.snapshot': taken })
    const reachedFrom = (as_of: string) =>
      reachOf(database, { ...scope, days: [], snapshots: [as_of] }).then(({ snapshots }) => snapshots)
    expect(await reachedFrom('2025-03-10')).toEqual(['2025-03-13', '2025-03-14'])
    // 366 days later is beyond it; the next complete one is not.
    expect(await reachedFrom('2024-03-13')).toEqual(['2025-03-10', '2025-03-13'])
  })

  test('nothing where it is the latest session, or came back as it was', async () => {
    for (const days of [['2025-03-14'], ['2025-03-13']])
      expect(await reachOf(await warehouseOf(given), { ...scope, days })).toEqual({ days: [], snapshots: [] })
  })

  test('every session from the day of a list that changed something', async () => {
    const listed = {
      ...given,
      'market.security_history': [{ symbol: 'HPG', board: 'HNX', valid_from: '2025-03-12', valid_to: null }],
    }
    const reached = await reachOf(await warehouseOf(listed), { ...scope, days: [], lists: ['2025-03-12'] })
    expect(reached.days).toEqual(['2025-01-10', '2025-03-10', '2025-03-13', '2025-03-14'])
  })
})
