import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import { loadBatch } from '../../src/load/batch.js'
import type { Window } from '../../src/plan/datasets.js'
import { temporaryFolder } from '../support/folder.js'
import { landWalks, openTestWarehouse } from '../support/landed.js'

const window: Window = {
  dataset: 'indexSummary',
  key: 'VN30',
  timeframe: '',
  from: '2025-03-14',
  to: '2025-03-14',
}

async function coverageOf(figures: Record<string, string>) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const record = { tradingDate: '2025/03/14', indexValue: '1380.12', indexChange: '1.5', ...figures }
  const walks = await landWalks(home, [{ window, bodies: [[record]] }], {
    receivedAt: '2025-03-14T12:00:00.000Z',
  })
  await loadBatch(warehouse, home, 'indexSummary', walks, loadCalendar(), { verify: true })
  const [coverage] = await warehouse.rows('SELECT state, reason FROM ops.coverage')
  return coverage
}

const MATCHED = { totalMatch: '0', totalMatchValue: '0' }

test('what traded in all shows that the matched quantity and value of an index are not zero, though both say so', async () => {
  const totals = {
    totalTrade: '500000',
    totalTradeValue: '9000000000',
    totalDeal: '2000',
    totalDealValue: '40000000',
  }
  expect(await coverageOf({ ...MATCHED, ...totals })).toEqual({
    state: 'incomplete',
    reason: 'field totalMatch is zero in 1 of 1 records; field totalMatchValue is zero in 1 of 1 records',
  })
})

test('where all of it was put-through, nothing was matched', async () => {
  const totals = {
    totalTrade: '2000',
    totalTradeValue: '40000000',
    totalDeal: '2000',
    totalDealValue: '40000000',
  }
  expect(await coverageOf({ ...MATCHED, ...totals })).toMatchObject({ state: 'complete' })
})
