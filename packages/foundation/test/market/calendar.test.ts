import { describe, expect, it } from 'vitest'
import { loadCalendar, withLearned } from '../../src/market/calendar.js'
import { instantOf } from '../../src/market/day.js'

const calendar = loadCalendar()

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
