import type { Day } from '../market/day.js'

/** Neighbouring sessions requested in one page walk. */
export interface Span {
  from: Day
  to: Day
  /** Number of wanted sessions. */
  days: number
  /** Number of all sessions, wanted or not: the response contains all of them. */
  sessions: number
}

/**
 * Joins wanted sessions into spans that take as few pages as possible. A span may contain stored sessions: rows received
 * twice cost less than a request.
 *
 * @param joins whether one request over `together` sessions is cheaper than two over the sessions of `apart`;
 *   `() => true` joins everything
 */
export function spans(
  wanted: readonly Day[],
  sessions: readonly Day[],
  joins: (together: number, apart: readonly [number, number]) => boolean,
): Span[] {
  const position = new Map(sessions.map((day, index) => [day, index]))
  const joined: Span[] = []
  for (const day of wanted) {
    const last = joined.at(-1)
    const single: Span = { from: day, to: day, days: 1, sessions: 1 }
    if (!last) {
      joined.push(single)
      continue
    }
    const together = (position.get(day) ?? 0) - (position.get(last.from) ?? 0) + 1
    if (joins(together, [last.sessions, 1])) {
      last.to = day
      last.days += 1
      last.sessions = together
    } else joined.push(single)
  }
  return joined
}

/** Days grouped by calendar month, in order. */
export function months(days: readonly Day[]): Day[][] {
  const groups = new Map<string, Day[]>()
  for (const day of days) {
    const month = day.slice(0, 7)
    const group = groups.get(month)
    if (group) group.push(day)
    else groups.set(month, [day])
  }
  return [...groups.values()]
}
