import { StorageError } from '../errors.js'
import { addDays, type Day, dayOf, isDay, weekday } from './day.js'
import { cell, readReference } from './reference.js'
import { closeInstant } from './sessions.js'

/** A day of the user's own calendar. */
export interface CalendarDay {
  readonly day: Day
  /** True for a day that is a session although the packaged table or the weekend closes it. */
  readonly isSession: boolean
  readonly closedFor: string
  readonly source: string
}

/**
 * Which days are trading sessions. The table only saves requests for closed days. If it is wrong, rows that arrive for
 * such a day correct it.
 */
export interface Calendar {
  isSession(day: Day): boolean
  /** Sessions from `from` to `to`, both included, ascending. */
  sessionsBetween(from: Day, to: Day): Day[]
  /** The last session before `day`. */
  previousSession(day: Day): Day
  /** The first session after `day`. */
  nextSession(day: Day): Day
  /** The latest session whose closing time has passed at `nowMs` (epoch milliseconds). */
  latestClosedSession(nowMs: number): Day
}

/** The first session of the exchange (HOSE, 28 July 2000): nothing was traded before it. */
export const FIRST_SESSION: Day = '2000-07-28'

/** Longer than any closure: bounds the search for the next session. */
const LONGEST_CLOSURE_DAYS = 60

/** A year of which fewer closed weekdays are listed is not known: Vietnam has eleven public holidays or more. */
const LEAST_CLOSED_DAYS = 5

/**
 * The packaged calendar (`data/reference/calendar.csv`: closed weekdays; weekends are closed without being listed),
 * extended by the user's own days.
 *
 * Planning, trading dates and schedules use both. Loading, replay and rules use the packaged calendar alone, since their
 * results must follow from what is stored (docs/decisions/0043-a-result-follows-from-what-is-stored.md).
 */
export function loadCalendar(userDays: readonly CalendarDay[] = []): Calendar {
  const closed = closedDays(userDays)
  const open = new Set(userDays.filter(({ isSession }) => isSession).map(({ day }) => day))
  return calendarOf((day) => open.has(day) || (isWeekday(day) && !closed.has(day)))
}

/** The last day of the years of which closed days are known, without a gap between them. */
export function knownUntil(userDays: readonly CalendarDay[] = []): Day {
  const years = [...closedDays(userDays)].filter(isWeekday).map((day) => Number(day.slice(0, 4)))
  const isKnown = (year: number): boolean => years.filter((each) => each === year).length >= LEAST_CLOSED_DAYS
  let year = Math.min(...years)
  while (isKnown(year + 1)) year += 1
  return `${year}-12-31`
}

/** Weekdays that either table closes, without those that the user opens; and closed days of the user on weekends. */
function closedDays(userDays: readonly CalendarDay[]): ReadonlySet<Day> {
  const closed = new Set<Day>()
  for (const row of readReference('calendar', ['day', 'closed_for', 'source'])) {
    const day = cell(row, 'day')
    if (!isDay(day)) throw new StorageError(`calendar.csv lists '${day}', which is not a day`)
    closed.add(day)
  }
  for (const { day, isSession } of userDays)
    if (isSession) closed.delete(day)
    else closed.add(day)
  return closed
}

function isWeekday(day: Day): boolean {
  const dayOfWeek = weekday(day)
  return dayOfWeek !== 0 && dayOfWeek !== 6
}

/** Days of which responses show whether they are sessions, whatever the calendar has. */
export interface LearnedDays {
  /** Days for which the service returned nothing although a later session has data. */
  readonly learnedClosed: readonly Day[]
  /** Days with data: sessions, even if the calendar has them as closed. */
  readonly learnedOpen: readonly Day[]
}

/** A calendar corrected by observed days; open takes precedence over closed. */
export function withLearned(calendar: Calendar, { learnedClosed, learnedOpen }: LearnedDays): Calendar {
  const closed = new Set(learnedClosed)
  const open = new Set(learnedOpen)
  return calendarOf((day) => open.has(day) || (!closed.has(day) && calendar.isSession(day)))
}

function calendarOf(isSession: (day: Day) => boolean): Calendar {
  const step = (day: Day, by: 1 | -1): Day => {
    let candidate = day
    for (let i = 0; i < LONGEST_CLOSURE_DAYS; i++) {
      candidate = addDays(candidate, by)
      if (isSession(candidate)) return candidate
    }
    throw new StorageError(`no session within ${LONGEST_CLOSURE_DAYS} days of ${day}: calendar.csv is wrong`)
  }
  return {
    isSession,
    sessionsBetween(from, to) {
      const days: Day[] = []
      for (let day = from; day <= to; day = addDays(day, 1)) if (isSession(day)) days.push(day)
      return days
    },
    previousSession: (day) => step(day, -1),
    nextSession: (day) => step(day, 1),
    latestClosedSession(nowMs) {
      const today = dayOf(nowMs)
      return isSession(today) && closeInstant(today) <= nowMs ? today : step(today, -1)
    },
  }
}
