import type { Day } from 'candlehouse-foundation/market/day'
import { groupsBy } from './groups.js'

/** Neighbouring sessions that one page walk requests. */
export interface SessionRange {
  from: Day
  to: Day
  /** Number of wanted sessions. */
  wanted: number
  /** Number of all sessions, wanted or not: the response contains all of them. */
  sessions: number
}

/**
 * Joins wanted sessions into ranges that take as few pages as possible. A range may contain stored sessions: rows received
 * twice cost less than a request.
 *
 * @param wanted ascending
 * @param sessions all sessions from the first to the last wanted one, ascending
 * @param isCheaper whether one request over `together` sessions is cheaper than two over the sessions of `apart`;
 *   `() => true` joins everything
 */
export function joinSessions(
  wanted: readonly Day[],
  sessions: readonly Day[],
  isCheaper: (together: number, apart: readonly [number, number]) => boolean,
): SessionRange[] {
  const position = new Map(sessions.map((day, index) => [day, index]))
  const ranges: SessionRange[] = []
  for (const day of wanted) {
    const last = ranges.at(-1)
    const single: SessionRange = { from: day, to: day, wanted: 1, sessions: 1 }
    if (!last) {
      ranges.push(single)
      continue
    }
    const together = (position.get(day) ?? 0) - (position.get(last.from) ?? 0) + 1
    if (isCheaper(together, [last.sessions, 1])) {
      last.to = day
      last.wanted += 1
      last.sessions = together
    } else ranges.push(single)
  }
  return ranges
}

/** Days grouped by calendar month, in order. */
export function months(days: readonly Day[]): Day[][] {
  return [...groupsBy(days, (day) => day.slice(0, 7)).values()]
}
