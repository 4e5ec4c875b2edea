import { type Calendar, expectedCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'

/**
 * First day of the sandbox's market: nothing trades before, so daily history starts here. Prices are functions of the number of a
 * session, so a day more or less before it changes all of them: move this day by as many sessions the other way.
 */
export const WORLD_BEGINS: Day = '2019-11-04'
const WORLD_ENDS: Day = '2030-12-31'

/** Sessions numbered from the first day of the market: prices are functions of that number. */
export interface Timeline {
  calendar: Calendar
  /** Sessions, ascending. */
  days: readonly Day[]
  /** Number of the last session on or before a day; -1 before the first. */
  at(day: Day): number
  /** Number of the first session on or after a day. */
  from(day: Day): number
}

let read: Timeline | undefined

/** The sessions of the packaged calendar, read once. Days on which the exchanges are probably closed have none. */
export function timeline(): Timeline {
  read ??= readTimeline()
  return read
}

function readTimeline(): Timeline {
  const calendar = expectedCalendar()
  const days = calendar.sessionsBetween(WORLD_BEGINS, WORLD_ENDS)
  const from = (day: Day): number => {
    let low = 0
    let high = days.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((days[middle] ?? '') < day) low = middle + 1
      else high = middle
    }
    return low
  }
  const at = (day: Day): number => {
    const next = from(day)
    return days[next] === day ? next : next - 1
  }
  return { calendar, days, at, from }
}
