import type { Day } from 'candlehouse-foundation/market/day'
import type { Coverage } from './coverage.js'
import type { DatasetName } from './datasets.js'
import type { Goal } from './goal.js'
import { PAGE_SIZE, type PlannedRequests, type WindowRequest } from './request.js'
import { joinSessions, months } from './session-ranges.js'

/** Plans index members, daily summaries, index summaries and price limits. */
export function planDaily(goal: Goal, sessions: readonly Day[], coverage: Coverage): PlannedRequests {
  const requests: WindowRequest[] = []
  const wants = (dataset: DatasetName): boolean => goal.datasets.includes(dataset)
  if (wants('indexMembers')) {
    const day = { from: goal.tradingDate, to: goal.tradingDate, timeframe: '' as const, pages: 1 }
    for (const key of coverage.indexes)
      requests.push({ dataset: 'indexMembers', key, ...day, why: 'members of the index, as of now' })
  }
  if (wants('securitiesSummary')) {
    for (const key of summaryKeys(goal, sessions, coverage)) {
      requests.push(...rangeRequests('securitiesSummary', key, goal, sessions, coverage))
    }
  }
  if (wants('indexSummary')) requests.push(...indexRequests(goal, sessions, coverage))
  if (wants('masterdata')) requests.push(...rangeRequests('masterdata', '*', goal, sessions, coverage))
  return { requests, skipped: [] }
}

/**
 * One request for the whole market if the service supports it, else one per symbol. If it was refused, or the service returned
 * nothing for all sessions, one symbol is requested too: if it has summaries, the service does not support requests for the
 * whole market.
 */
function summaryKeys(goal: Goal, sessions: readonly Day[], coverage: Coverage): readonly string[] {
  if (goal.symbols) return goal.symbols
  const symbols = coverage.listed.length > 0 ? [...coverage.listed, ...coverage.delisted] : []
  if (symbols.length === 0 || sessions.length === 0) return ['*']
  if (coverage.summaryForm === 'symbol') return symbols
  const isInDoubt = sessions.every(
    (day) =>
      coverage.isRefusedQuery('securitiesSummary', '*', day) ||
      coverage.stateOf('securitiesSummary', '*', '', day) === 'empty',
  )
  return isInDoubt ? ['*', ...symbols.slice(0, 1)] : ['*']
}

/** Requests by range of sessions: the whole range for a refresh, else the sessions not stored yet, by month. */
function rangeRequests(
  dataset: 'securitiesSummary' | 'masterdata',
  key: string,
  goal: Goal,
  sessions: readonly Day[],
  coverage: Coverage,
): WindowRequest[] {
  const isStored = (day: Day): boolean =>
    ['complete', 'empty'].includes(coverage.stateOf(dataset, key, '', day) ?? '')
  const isRefused = (day: Day): boolean => coverage.stateOf(dataset, key, '', day) === 'refused'
  if (goal.refresh && sessions.length > 0) {
    const served = sessions.slice(sessions.findLastIndex(isRefused) + 1)
    const [first] = served
    if (!first) return []
    // All days, not only known sessions: if a day that the calendar has as closed has rows, it was a session.
    const from = served.length < sessions.length ? first : goal.from
    return [rangeRequest(dataset, key, from, goal.to, served.length, coverage, 'may have been restated')]
  }
  const wanted = sessions.filter((day) => !isStored(day) && !isRefused(day))
  return months(wanted).flatMap((month) =>
    joinSessions(month, sessions, () => true).map(({ from, to, wanted: count }) =>
      rangeRequest(dataset, key, from, to, count, coverage, `${count} sessions not stored yet`),
    ),
  )
}

function rangeRequest(
  dataset: 'securitiesSummary' | 'masterdata',
  key: string,
  from: Day,
  to: Day,
  sessions: number,
  coverage: Coverage,
  why: string,
): WindowRequest {
  const rows = sessions * (key === '*' ? Math.max(1, coverage.listed.length) : 1)
  return { dataset, key, timeframe: '', from, to, why, pages: Math.max(1, Math.ceil(rows / PAGE_SIZE)) }
}

/** One request per index and session: a response for a whole board does not name the index of a record. */
function indexRequests(goal: Goal, sessions: readonly Day[], coverage: Coverage): WindowRequest[] {
  const requests: WindowRequest[] = []
  for (const day of sessions) {
    for (const key of coverage.indexes) {
      const state = coverage.stateOf('indexSummary', key, '', day)
      if (!goal.refresh && (state === 'complete' || state === 'empty' || state === 'refused')) continue
      const why = state === undefined ? 'not stored yet' : 'may have been restated'
      requests.push({ dataset: 'indexSummary', key, timeframe: '', from: day, to: day, why, pages: 1 })
    }
  }
  return requests
}
