import { BOARDS } from '../market/board.js'
import type { Goal } from './goal.js'
import type { SkippedWindows, WindowRequest } from './request.js'

/** The lists everything else starts from; four requests, asked again by every run. */
export function planLists(goal: Goal): { requests: WindowRequest[]; skipped: SkippedWindows[] } {
  const day = { from: goal.tradingDate, to: goal.tradingDate, timeframe: '' as const, pages: 1 }
  const requests: WindowRequest[] = []
  if (goal.datasets.includes('securities')) {
    for (const key of BOARDS)
      requests.push({ dataset: 'securities', key, ...day, why: 'what is listed, as now' })
  }
  if (goal.datasets.includes('indexes')) {
    requests.push({ dataset: 'indexes', key: '*', ...day, why: 'which indexes there are' })
  }
  return { requests, skipped: [] }
}
