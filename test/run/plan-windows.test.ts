import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import { planWindows } from '../../src/run/repair/rounds.js'
import { emptyWarehouse } from '../support/memory.js'

test('windows of two days in a row and of one weeks later are two requests', async () => {
  const days = ['2025-03-10', '2025-03-11', '2025-03-28']
  const about = { dataset: 'ohlc', key: 'FPT', timeframe: '1m', why: 'failed', exact: true } as const
  const windows = days.map((day) => ({ ...about, day }))
  const { plans } = await planWindows(windows, '2025-03-28', await emptyWarehouse(), loadCalendar())
  const ranges = plans.flatMap(({ requests }) => requests.map(({ key, from, to }) => [key, from, to]))
  expect(ranges).toEqual([
    ['FPT', '2025-03-10', '2025-03-11'],
    ['FPT', '2025-03-28', '2025-03-28'],
  ])
})
