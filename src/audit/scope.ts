import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { closedWalks, journalledRuns } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import { addDays, type Day } from '../market/day.js'

/** What an audit judges. */
export interface AuditScope {
  /** Runs whose answers are judged. */
  readonly runs: readonly string[]
  /** Days of the market, ascending; those that are no sessions are judged where there are rows of them. */
  readonly days: readonly Day[]
  /** Trading dates of account snapshots, ascending. */
  readonly snapshots: readonly Day[]
}

/** Jobs that read accounts: for them it is told too that there was no snapshot. */
const WITH_ACCOUNTS: readonly string[] = ['nightly', 'snapshot']

/**
 * What runs have brought, from their journals: every day of their windows, and the trading date of their
 * snapshots. A replay finds the same.
 */
export function scopeOfRuns(home: string, runs: readonly string[]): AuditScope {
  const days = new Set<Day>()
  const snapshots = new Set<Day>()
  const journalled = new Set(journalledRuns(home))
  for (const run of runs.filter((each) => journalled.has(each))) {
    const { market, snapshot } = closedWalks(home, run)
    const windows = market
      .map(({ window }) => window)
      .filter(({ dataset }) => !LISTS.includes(dataset))
      .sort((a, b) => (a.from < b.from ? -1 : 1))
    // Thousands of windows over the same decades: each day is counted once.
    let next: Day = ''
    for (const { from, to } of windows) {
      for (let day = from > next ? from : next; day <= to; day = addDays(day, 1)) days.add(day)
      const behind = addDays(to, 1)
      if (behind > next) next = behind
    }
    const [page] = [...market, ...snapshot].flatMap((walk) => walk.pages)
    if (page && (snapshot.length > 0 || WITH_ACCOUNTS.includes(page.job))) snapshots.add(page.trading_date)
  }
  return { runs, days: [...days].sort(), snapshots: [...snapshots].sort() }
}

/** Which of some days are sessions: those of the calendar, and whatever day has daily summaries. */
export async function sessionsAmong(
  database: Database,
  days: readonly Day[],
  calendar: Calendar,
): Promise<Day[]> {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const open = await database.rows<{ day: Day }>(
    `SELECT DISTINCT CAST(trading_date AS VARCHAR) AS day FROM market.daily_summary
     WHERE trading_date BETWEEN ${literal(first)}::DATE AND ${literal(last)}::DATE`,
  )
  const learned = new Set(open.map((row) => row.day))
  return days.filter((day) => calendar.isSession(day) || learned.has(day))
}

const LISTS: readonly string[] = ['securities', 'indexes', 'indexMembers']

/** Runs with answers that were never judged: killed ones, and those that the service gave up on. */
export async function uncheckedRuns(database: Database, home: string): Promise<string[]> {
  const judged = await database.rows<{ run_id: string }>(
    'SELECT run_id FROM ops.run WHERE judged_at IS NOT NULL',
  )
  const known = new Set(judged.map((row) => row.run_id))
  return journalledRuns(home).filter((run) => !known.has(run))
}
