import { addDays, dayCount, isDay, oneYearBefore, weekday } from 'candlehouse-foundation/market/day'
import { afterAll, expect, test } from 'vitest'

const DAY_MS = 86_400_000
const [FIRST, LAST] = [Date.UTC(1990, 0, 1) / DAY_MS, Date.UTC(2100, 11, 31) / DAY_MS]
/** From the first day on. */
const DAYS = Array.from({ length: LAST - FIRST + 1 }, (_, index) =>
  new Date((FIRST + index) * DAY_MS).toISOString().slice(0, 10),
)

const host = process.env.TZ
afterAll(() => {
  if (host === undefined) delete process.env.TZ
  else process.env.TZ = host
})

/** Whether all functions say of a day what its place in the list says. */
function isRight(day: string, index: number): boolean {
  const before = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return (
    isDay(day) &&
    addDays(day, 1) === (DAYS[index + 1] ?? '2101-01-01') &&
    addDays(day, -index) === '1990-01-01' &&
    dayCount('1990-01-01', day) === index + 1 &&
    weekday(day) === (index + 1) % 7 &&
    oneYearBefore(day) === before.replace('02-29', '02-28')
  )
}

// São Paulo and Cairo have days without midnight, Apia has no 30 December 2011. A thread has the zone of its process, so
// these tests are not among the pure ones.
test.each([
  ['UTC', 0],
  ['America/Sao_Paulo', -2],
  ['Africa/Cairo', 2],
  ['Pacific/Apia', 14],
  ['America/New_York', -5],
])('the days of 1990 to 2100 do not depend on the zone of the machine: %s', (zone, hours) => {
  process.env.TZ = zone
  expect(new Date(2015, 0, 1).getTimezoneOffset()).toBe(hours * -60 || 0)
  expect(DAYS.filter((day, index) => !isRight(day, index))).toEqual([])
})
