import type { MarketRule } from 'candlehouse-foundation/market/rulebook'
import { expect, test } from 'vitest'
import { publish } from '../../src/publish/index.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { ask, candleWalk, evening } from '../support/published.js'

const own = (rule: Partial<MarketRule>): MarketRule => ({
  rule: 'lot_size',
  scope: 'HOSE',
  validFrom: '2027-01-04',
  validTo: '',
  value: '50',
  unit: 'shares',
  source: 'notice',
  certainty: 'published',
  ...rule,
})

test('rules of market_rules.csv replace what they overlap in every catalog, until they are gone; packaged rows go on around them', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-14', ['09:15:00'])])
  const published = async (userRules: readonly MarketRule[]): Promise<string[]> => {
    await publish(warehouse, home, { runId: 'run', retainDays: 7, userRules }, evening())
    const rows = await ask(
      home,
      `SELECT valid_from || ' ' || valid_to || ' ' || value AS row FROM mart.market_rule
       WHERE rule = 'lot_size' AND scope = 'HOSE' AND valid_to >= DATE '2021-01-04' ORDER BY valid_from`,
    )
    return rows.map(({ row }) => String(row))
  }
  expect(await published([])).toEqual(['2021-01-04 9999-12-31 100'])
  const rules = [
    own({ validFrom: '2022-01-04', validTo: '2022-06-30', value: '10' }),
    own({ validFrom: '2022-07-01', validTo: '2022-12-31', value: '20' }),
    own({}),
    own({ rule: 'multiplier', scope: 'DERIVATIVE/X9', value: '5000', validFrom: '2025-01-01' }),
  ]
  expect(await published(rules)).toEqual([
    '2021-01-04 2022-01-03 100',
    '2022-01-04 2022-06-30 10',
    '2022-07-01 2022-12-31 20',
    '2023-01-01 2027-01-03 100',
    '2027-01-04 9999-12-31 50',
  ])
  expect(
    await ask(home, "SELECT multiplier FROM mart.instrument_rule_as_of('41X9FC000', DATE '2025-11-03')"),
  ).toEqual([{ multiplier: 5000 }])
  expect(await published([])).toEqual(['2021-01-04 9999-12-31 100'])
})

test('a ladder of ticks and the phases of a day replace the packaged ones as a whole', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-14', ['09:15:00'])])
  const year = { validFrom: '2027-01-01', validTo: '2027-12-31' }
  const userRules = [
    own({ ...year, rule: 'tick', scope: 'HOSE/stock', value: '1', unit: 'from 0' }),
    own({ ...year, rule: 'tick', scope: 'HOSE/stock', value: '5', unit: 'from 20000' }),
    own({ ...year, rule: 'phase', scope: 'UPCOM', value: 'continuous 08:30-15:30', unit: '' }),
  ]
  await publish(warehouse, home, { runId: 'run', retainDays: 7, userRules }, evening())
  const onDay = async (rule: string, scope: string, day: string): Promise<string[]> => {
    const rows = await ask(
      home,
      `SELECT concat_ws(' ', value, unit) AS row FROM mart.market_rule
       WHERE rule = '${rule}' AND scope = '${scope}' AND DATE '${day}' BETWEEN valid_from AND valid_to
       ORDER BY length(value), value`,
    )
    return rows.map(({ row }) => String(row))
  }
  const packaged = ['10 from 0', '50 from 10000', '100 from 50000']
  expect(await onDay('tick', 'HOSE/stock', '2026-12-31')).toEqual(packaged)
  expect(await onDay('tick', 'HOSE/stock', '2027-06-01')).toEqual(['1 from 0', '5 from 20000'])
  expect(await onDay('tick', 'HOSE/stock', '2028-01-03')).toEqual(packaged)
  expect(await onDay('phase', 'UPCOM', '2027-06-01')).toEqual(['continuous 08:30-15:30'])
  expect(await onDay('phase', 'UPCOM', '2028-01-03')).not.toContain('continuous 08:30-15:30')
  expect((await onDay('phase', 'UPCOM', '2028-01-03')).length).toBeGreaterThan(1)
})
