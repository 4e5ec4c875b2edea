import { expect, test } from 'vitest'
import { timeAxis } from '../../src/console/pages/time-axis.js'

const at = (text: string) => Date.parse(`${text}Z`) / 1000

/** Words of the ticks at these times. */
function words(isOfDays: boolean, ...times: string[]): unknown {
  const { values } = timeAxis({}, isOfDays)
  return (values as (...given: unknown[]) => unknown)(undefined, times.map(at))
}

test('between days nothing is written, and no tick stands there', () => {
  expect(words(true, '2026-11-19T00:00', '2026-11-20T00:00')).toEqual(['19 Nov', '20 Nov'])
  const incrs = timeAxis({}, true).incrs as number[]
  expect(Math.min(...incrs)).toBe(86_400)
})

test('within a day the time is written, and over years the month', () => {
  expect(words(false, '2026-11-20T00:00', '2026-11-20T09:15')).toEqual(['20 Nov', '09:15'])
  expect(words(true, '2024-01-01T00:00', '2026-01-01T00:00')).toEqual(['Jan 2024', 'Jan 2026'])
})
