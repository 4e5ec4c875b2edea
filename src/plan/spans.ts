import type { Day } from '../market/day.js'

/** Neighbouring sessions asked in one walk. */
export interface Span {
  from: Day
  to: Day
  /** Sessions wanted in it. */
  days: number
  /** Sessions in all, wanted or not: what the answer will hold. */
  sessions: number
}

/**
 * Joins wanted sessions into as few pages as possible. Two neighbours are joined, over held sessions between
 * them too, when one answer takes no more pages than two: rows received twice cost less than a request.
 *
 * @param cost pages of an answer over that many sessions; `() => true` joins everything
 */
export function spans(
  wanted: readonly Day[],
  sessions: readonly Day[],
  joins: (together: number, apart: readonly [number, number]) => boolean,
): Span[] {
  const position = new Map(sessions.map((day, index) => [day, index]))
  const spans: Span[] = []
  for (const day of wanted) {
    const last = spans.at(-1)
    const single: Span = { from: day, to: day, days: 1, sessions: 1 }
    if (!last) {
      spans.push(single)
      continue
    }
    const together = (position.get(day) ?? 0) - (position.get(last.from) ?? 0) + 1
    if (joins(together, [last.sessions, 1])) {
      last.to = day
      last.days += 1
      last.sessions = together
    } else spans.push(single)
  }
  return spans
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
