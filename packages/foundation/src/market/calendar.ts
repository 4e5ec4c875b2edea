import { StorageError } from '../errors.js'
import { addDays, type Day, dayOf, isDay, weekday } from './day.js'
import { cell, holdsOn, readReference } from './reference.js'
import { type Certainty, marketRules } from './rulebook.js'
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

/** The day on which the first board opened: nothing was traded before it. */
export function firstSession(): Day {
  const opened = marketRules().flatMap(({ rule, value }) => (rule === 'board_open' ? [value] : []))
  return opened.sort()[0] ?? ''
}

/** Longer than any closure: bounds the search for the next session. */
const LONGEST_CLOSURE_DAYS = 60

/**
 * A year is announced when that many closed weekdays of it are listed beside the fixed holidays: Tet alone takes five since 2013.
 */
const LEAST_ANNOUNCED_DAYS = 5

/** A line of `data/reference/calendar.csv`: a closed weekday. */
interface ClosedDay {
  readonly day: Day
  readonly closedFor: string
  /** `inferred`: computed from the lunar calendar, or stated by a single source. The exchanges may trade. */
  readonly certainty: Certainty
}

/**
 * The packaged calendar (`data/reference/calendar.csv`: closed weekdays; weekends are closed without being listed; fixed holidays are
 * closed in every year), extended by the user's own days. Days that are only inferred are sessions here: the service decides.
 *
 * Planning, trading dates and schedules use both. Loading, replay and rules use the packaged calendar alone, since their
 * results must follow from what is stored (docs/decisions/0043-a-result-follows-from-what-is-stored.md).
 */
export function loadCalendar(userDays: readonly CalendarDay[] = []): Calendar {
  const packaged = new Set(
    packagedDays().flatMap(({ day, certainty }) => (certainty === 'inferred' ? [] : [day])),
  )
  const closed = new Set(userDays.flatMap(({ day, isSession }) => (isSession ? [] : [day])))
  const open = new Set(userDays.flatMap(({ day, isSession }) => (isSession ? [day] : [])))
  return calendarOf(
    (day) =>
      open.has(day) || (isWeekday(day) && !closed.has(day) && !packaged.has(day) && !isFixedHoliday(day)),
  )
}

/** The days on which a market most likely trades: days that are only inferred are closed. For the sandbox. */
export function expectedCalendar(): Calendar {
  const closed = new Set(packagedDays().map(({ day }) => day))
  return calendarOf((day) => isWeekday(day) && !closed.has(day) && !isFixedHoliday(day))
}

/** The last day of the years whose closed days are announced, by the packaged calendar or the user's, without a gap. */
export function knownUntil(userDays: readonly CalendarDay[] = []): Day {
  const packaged = packagedDays().filter(
    ({ day, certainty }) => certainty !== 'inferred' && !isFixedHoliday(day),
  )
  const listed = new Set(
    [...packaged, ...userDays.filter(({ isSession }) => !isSession)].map(({ day }) => day),
  )
  const years = [...listed].filter((day) => isWeekday(day) && !isFixedHoliday(day)).map(yearOf)
  const isAnnounced = (year: number): boolean =>
    years.filter((each) => each === year).length >= LEAST_ANNOUNCED_DAYS
  let year = Math.max(...packaged.map(({ day }) => yearOf(day)))
  while (isAnnounced(year + 1)) year += 1
  return `${year}-12-31`
}

/**
 * Why nobody knows whether a planned session is one, by its day; undefined where a calendar decides it. The user's calendar decides
 * about its days, and about every day of a year that it announces.
 */
export function doubtsWith(userDays: readonly CalendarDay[]): (day: Day) => string | undefined {
  const decided = new Set(userDays.map(({ day }) => day))
  const listed = new Map(packagedDays().map((row) => [row.day, row]))
  const [packagedUntil, until] = [knownUntil(), knownUntil(userDays)]
  return (day) => {
    if (!isWeekday(day) || isFixedHoliday(day) || decided.has(day)) return undefined
    const row = listed.get(day)
    if (row && row.certainty !== 'inferred') return undefined
    if (row && (day <= packagedUntil || day > until))
      return `the exchanges may be closed for ${row.closedFor}`
    return day <= until ? undefined : `the closed days of ${yearOf(day)} are not in the calendar`
  }
}

let table: readonly ClosedDay[] | undefined

/** The packaged calendar, ascending. */
function packagedDays(): readonly ClosedDay[] {
  table ??= readReference('calendar', ['day', 'closed_for', 'source', 'certainty']).map((row) => {
    const day = cell(row, 'day')
    if (!isDay(day)) throw new StorageError(`calendar.csv lists '${day}', which is not a day`)
    return { day, closedFor: cell(row, 'closed_for'), certainty: cell(row, 'certainty') as Certainty }
  })
  return table
}

let fixedHolidays: readonly { days: ReadonlySet<string>; validFrom: Day; validTo: Day | '' }[] | undefined

/** True for the public holidays that have the same date in every year (rule `fixed_holidays`: `01-01;04-30;…`). */
function isFixedHoliday(day: Day): boolean {
  fixedHolidays ??= marketRules()
    .filter(({ rule }) => rule === 'fixed_holidays')
    .map(({ value, validFrom, validTo }) => ({ days: new Set(value.split(';')), validFrom, validTo }))
  return fixedHolidays.some((each) => each.days.has(day.slice(5)) && holdsOn(each, day))
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4))
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
