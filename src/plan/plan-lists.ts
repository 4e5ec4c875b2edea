import { BOARDS } from 'candlehouse-foundation/market/board'
import type { Coverage } from './coverage.js'
import type { Goal } from './goal.js'
import type { PlannedRequests, WindowRequest } from './request.js'

/**
 * Plans the lists that all other requests depend on: four requests, sent by every run. Whether a symbol that a user typed exists
 * is looked up in the lists, whatever the goal wants.
 */
export function planLists(goal: Goal, { typed }: Coverage): PlannedRequests {
  const day = { from: goal.tradingDate, to: goal.tradingDate, timeframe: '' as const, pages: 1 }
  const requests: WindowRequest[] = []
  if (goal.datasets.includes('securities') || typed.unknown.length > 0) {
    for (const key of BOARDS)
      requests.push({ dataset: 'securities', key, ...day, why: 'listed securities, as of now' })
  }
  if (goal.datasets.includes('indexes')) {
    requests.push({ dataset: 'indexes', key: '*', ...day, why: 'list of indexes' })
  }
  return { requests, skipped: [] }
}
