import { describe, expect, it } from 'vitest'
import { addDays, dayOf, instantOf, isDay, oneYearBefore, weekday } from '../../src/market/day.js'

describe('days in exchange time', () => {
  it('turns over at 17:00 UTC', () => {
    expect(dayOf(Date.UTC(2025, 0, 1, 16, 59, 59))).toBe('2025-01-01')
    expect(dayOf(Date.UTC(2025, 0, 1, 17))).toBe('2025-01-02')
  })
  it('reads a time of day as UTC+7', () => {
    expect(instantOf('2025-11-20', '15:00')).toBe(Date.UTC(2025, 10, 20, 8))
    expect(dayOf(instantOf('2025-11-20'))).toBe('2025-11-20')
  })
  it('walks over month ends, year ends and leap days', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2025-01-01', -1)).toBe('2024-12-31')
  })
  it('knows weekdays, also before 1970', () => {
    expect(weekday('2025-11-20')).toBe(4)
    expect(weekday('1969-12-28')).toBe(0)
  })
  it('takes 29 February one year back to 28 February', () => {
    expect(oneYearBefore('2024-02-29')).toBe('2023-02-28')
    expect(oneYearBefore('2025-11-20')).toBe('2024-11-20')
  })
  it('refuses days that do not exist', () => {
    expect(isDay('2025-02-29')).toBe(false)
    expect(isDay('2025-13-01')).toBe(false)
    expect(isDay('2025-1-1')).toBe(false)
    expect(isDay('2025-04-31')).toBe(false)
    expect(isDay('2024-02-29')).toBe(true)
  })
})
