import type { Calendar } from 'candlehouse-foundation/market/calendar'
import { addDays, type Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { closedWalks, isListWalk, journalledRuns } from '../land/journal.js'

export interface AuditScope {
  /** Runs whose pages are checked. */
  readonly runs: readonly string[]
  /** Days of the market, ascending; a day that is not a session is checked if it has rows. */
  readonly days: readonly Day[]
  /** Trading dates of account snapshots, ascending. */
  readonly snapshots: readonly Day[]
  /** Trading dates of the lists that the runs landed, ascending. */
  readonly lists?: readonly Day[]
  /** Sessions and snapshots of other runs whose results these runs can have changed: `reachOf`. */
  readonly reached?: Reached
  /** Whether sessions and snapshots that have not changed since their last check are checked too. */
  readonly checkUnchanged?: boolean
}

/** Sessions and trading dates of snapshots, ascending. */
export interface Reached {
  readonly days: readonly Day[]
  readonly snapshots: readonly Day[]
}

/** Jobs for which a missing snapshot is reported. */
const WITH_ACCOUNTS: readonly string[] = ['nightly', 'snapshot']

/**
 * The scope of runs, from their journals: every day of their windows, and the trading dates of their snapshots and lists. A
 * replay gives the same scope. @throws StorageError for an unreadable journal
 */
export function scopeOfRuns(home: string, runs: readonly string[]): AuditScope {
  const days = new Set<Day>()
  const snapshots = new Set<Day>()
  const lists = new Set<Day>()
  const journalled = new Set(journalledRuns(home))
  for (const run of runs.filter((id) => journalled.has(id))) {
    const { market, snapshots: parts } = closedWalks(home, run)
    for (const walk of market.filter(isListWalk))
      for (const { trading_date } of walk.pages) lists.add(trading_date)
    const windows = market
      .filter((walk) => !isListWalk(walk))
      .map(({ window }) => window)
      .sort((a, b) => (a.from < b.from ? -1 : 1))
    // A file may have thousands of windows over the same decades: each day is added once.
    let next: Day = ''
    for (const { from, to } of windows) {
      for (let day = from > next ? from : next; day <= to; day = addDays(day, 1)) days.add(day)
      const dayAfter = addDays(to, 1)
      if (dayAfter > next) next = dayAfter
    }
    const [page] = [...market, ...parts.flat()].flatMap((walk) => walk.pages)
    if (page && (parts.length > 0 || WITH_ACCOUNTS.includes(page.job))) snapshots.add(page.trading_date)
  }
  return { runs, days: [...days].sort(), snapshots: [...snapshots].sort(), lists: [...lists].sort() }
}

/** The sessions among some days: those of the calendar, and any day that has daily summaries. */
export async function sessionsAmong(
  database: Database,
  days: readonly Day[],
  calendar: Calendar,
): Promise<Day[]> {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const withSummaries = new Set(
    await database.column<Day>(
      `SELECT DISTINCT CAST(trading_date AS VARCHAR) AS day FROM market.daily_summary
     WHERE trading_date BETWEEN ${literal(first)}::DATE AND ${literal(last)}::DATE`,
    ),
  )
  return days.filter((day) => calendar.isSession(day) || withSummaries.has(day))
}

/** Runs whose pages were never checked: killed runs, and runs that ended with a failure of the service. */
export async function uncheckedRuns(database: Database, home: string): Promise<string[]> {
  const checkedIds = new Set(
    await database.column<string>('SELECT run_id FROM ops.run WHERE judged_at IS NOT NULL'),
  )
  return journalledRuns(home).filter((run) => !checkedIds.has(run))
}
