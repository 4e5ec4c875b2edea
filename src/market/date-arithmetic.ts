/**
 * Calendar arithmetic beyond counting days: weekends and years, by date-fns. In a file of its own, since the client package
 * ships `day.ts` and must not install date-fns (28 MB) for it.
 */
import { utc } from '@date-fns/utc'
// One by one: the whole of date-fns costs every start 70 ms.
import { formatISO } from 'date-fns/formatISO'
import { getDay } from 'date-fns/getDay'
import { parseISO } from 'date-fns/parseISO'
import { subYears } from 'date-fns/subYears'
import type { Day } from './day.js'

// Its sibling @date-fns/tz asks Intl for the offset of every date: 223 ms against 36 for 4,000 days.
const UTC = { in: utc }

/** 0 Sunday … 6 Saturday. */
export function weekday(day: Day): number {
  return getDay(parseISO(day, UTC))
}

/** The same date one year earlier; 29 February becomes 28 February. */
export function oneYearBefore(day: Day): Day {
  return formatISO(subYears(parseISO(day, UTC), 1), { representation: 'date' })
}
