import type { Calendar } from 'candlehouse-foundation/market/calendar'
import { addDays, type Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import { servedFrom } from '../plan/served.js'
import type { Unrequested } from './record.js'

interface RequestedSession {
  readonly dataset: string
  readonly day: Day
  readonly isEmpty: boolean
  /** Days after which the service no longer serves it; null where it serves it for ever. */
  readonly servedDays: number | null
}

/**
 * The sessions since the first nightly that lie between requested ones and that no run has requested: nobody ran it for longer
 * than the sessions of a nightly. No window of the ledger is incomplete for them, so that nothing else would name them. Those
 * that the service no longer serves are left out: nothing can be done about them. So are days without daily summaries: the
 * exchanges were closed, and candles are requested of sessions alone.
 */
export async function readUnrequested(
  warehouse: Database,
  tradingDate: Day,
  calendar: Pick<Calendar, 'sessionsBetween'>,
): Promise<Unrequested | null> {
  const requested = await warehouse.rows<RequestedSession>(sqlFile('night/requested_sessions.sql'))
  const served = servedFrom(tradingDate)
  const closed = new Set(
    requested.flatMap(({ dataset, day, isEmpty }) => (dataset === 'securitiesSummary' && isEmpty ? day : [])),
  )
  const datasets = [...new Set(requested.map(({ dataset }) => dataset))]
  const lacks = datasets.flatMap((dataset) => {
    const sessions = requested.filter((session) => session.dataset === dataset)
    const days = new Set(sessions.map(({ day }) => day))
    const [first, last] = [sessions[0]?.day, sessions.at(-1)?.day]
    const servedDays = sessions.findLast((session) => session.servedDays !== null)?.servedDays ?? null
    if (first === undefined || last === undefined) return []
    return calendar
      .sessionsBetween(first, last)
      .filter((day) => !days.has(day) && !closed.has(day) && (servedDays === null || day >= served))
      .map((day) => ({ dataset, day, expiresOn: servedDays === null ? null : addDays(day, servedDays) }))
  })
  const days = [...new Set(lacks.map(({ day }) => day))].sort()
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined) return null
  const expiries = lacks.flatMap(({ expiresOn }) => expiresOn ?? []).sort()
  return {
    datasets: [...new Set(lacks.map(({ dataset }) => dataset))].sort(),
    sessions: days.length,
    from,
    to,
    expiresOn: expiries[0] ?? null,
  }
}
