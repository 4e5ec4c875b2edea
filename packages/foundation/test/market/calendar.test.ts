import { describe, expect, it } from 'vitest'
import {
  type CalendarDay,
  doubtsWith,
  expectedCalendar,
  loadCalendar,
  withLearned,
} from '../../src/market/calendar.js'
import { instantOf } from '../../src/market/day.js'

const calendar = loadCalendar()
const doubtOf = (day: string, userDays: readonly CalendarDay[] = []) => doubtsWith(userDays)(day)

describe('the calendar', () => {
  it('closes weekends and the listed weekdays', () => {
    expect(calendar.isSession('2025-11-22')).toBe(false)
    expect(calendar.isSession('2025-01-29')).toBe(false)
    expect(calendar.isSession('2026-08-31')).toBe(false)
    expect(calendar.isSession('2025-11-20')).toBe(true)
  })
  it('steps over the lunar new year', () => {
    expect(calendar.nextSession('2025-01-24')).toBe('2025-02-03')
    expect(calendar.previousSession('2025-02-03')).toBe('2025-01-24')
    expect(calendar.sessionsBetween('2025-01-24', '2025-02-04')).toEqual([
      '2025-01-24',
      '2025-02-03',
      '2025-02-04',
    ])
  })
  it('closes fixed holidays in every year, and those that are only inferred in none', () => {
    const days = ['2027-01-01', '2027-04-30', '2035-05-01', '2049-09-02', '2027-02-08', '2026-11-24']
    expect(days.map((day) => calendar.isSession(day))).toEqual([false, false, false, false, true, true])
    const expected = expectedCalendar()
    expect(days.map((day) => expected.isSession(day))).toEqual([false, false, false, false, false, false])
  })
  it('doubts days that are only inferred, and days of years that nobody has announced', () => {
    expect(doubtOf('2026-11-24')).toBe('the exchanges may be closed for Culture Day')
    expect(doubtOf('2027-02-08')).toBe('the exchanges may be closed for Lunar New Year')
    expect(doubtOf('2027-03-10')).toBe('the closed days of 2027 are not in the calendar')
    expect(doubtOf('2026-03-10')).toBeUndefined()
    expect(doubtOf('2027-01-01')).toBeUndefined()
    expect(doubtOf('2027-02-06')).toBeUndefined()
  })
  it("does not doubt days that the user's calendar lists, nor days of a year that it announces", () => {
    const closed = (day: string) => ({ day, isSession: false, closedFor: '', source: '' })
    const open = (day: string) => ({ ...closed(day), isSession: true })
    expect(doubtOf('2027-02-08', [closed('2027-02-08')])).toBeUndefined()
    expect(doubtOf('2026-11-24', [open('2026-11-24')])).toBeUndefined()
    const year = ['02-05', '02-09', '02-10', '02-11', '02-12'].map((day) => closed(`2027-${day}`))
    expect(['2027-02-08', '2027-03-10', '2028-03-08'].map((day) => doubtOf(day, year))).toEqual([
      undefined,
      undefined,
      'the closed days of 2028 are not in the calendar',
    ])
  })
  it('counts a session as closed from 15:00 on', () => {
    expect(calendar.latestClosedSession(instantOf('2025-11-20', '14:59'))).toBe('2025-11-19')
    expect(calendar.latestClosedSession(instantOf('2025-11-20', '15:00'))).toBe('2025-11-20')
    expect(calendar.latestClosedSession(instantOf('2025-11-23', '12:00'))).toBe('2025-11-21')
  })
  it('learns closed days, and opens a day on which rows arrived', () => {
    const learned = withLearned(calendar, {
      learnedClosed: ['2025-11-20', '2025-11-19'],
      learnedOpen: ['2025-01-29', '2025-11-19'],
    })
    expect(learned.isSession('2025-11-20')).toBe(false)
    expect(learned.isSession('2025-01-29')).toBe(true)
    expect(learned.isSession('2025-11-19')).toBe(true)
    expect(learned.previousSession('2025-11-21')).toBe('2025-11-19')
  })
})
