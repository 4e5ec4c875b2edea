import { SettingsError } from 'candlehouse-foundation/errors'
import { knownUntil } from 'candlehouse-foundation/market/calendar'
import { dayCount, dayOf } from 'candlehouse-foundation/market/day'
import type { Effects } from '../effects.js'
import { calendarFile, readCalendarDays } from './calendar-file.js'

/** Days before the end of the calendar from which on its end is a warning. */
const WARNING_DAYS = 60

/** How far ahead the closed days of the exchanges are known. */
export interface CalendarStatus {
  /** Last day of the years whose closed days are listed, by the packaged calendar or the user's own. */
  readonly knownUntil: string
  /** Days until then; negative after it. */
  readonly daysLeft: number
  /** Whether that is near: the closed days of the next year should be written to `file`. */
  readonly isEnding: boolean
  /** The user's own calendar, whether it exists or not. */
  readonly file: string
  /** Days that it lists. */
  readonly userDays: number
  /** Why the file cannot be used; null where it can, or where there is none. */
  readonly problem: string | null
}

/** Reads the calendar as planning would; a fault in the user's file is a finding, not a failure. */
export function readCalendarStatus(home: string, effects: Pick<Effects, 'now'>): CalendarStatus {
  const file = calendarFile(home)
  const today = dayOf(effects.now())
  const viewOf = (until: string, userDays: number, problem: string | null): CalendarStatus => {
    const daysLeft = dayCount(today, until) - 1
    return { knownUntil: until, daysLeft, isEnding: daysLeft < WARNING_DAYS, file, userDays, problem }
  }
  try {
    const days = readCalendarDays(home)
    return viewOf(knownUntil(days), days.length, null)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return viewOf(knownUntil(), 0, [error.message, error.hint].filter(Boolean).join(': '))
  }
}

/** Which lines the user should write to the calendar file, and what happens without them. */
export function calendarAdvice({ knownUntil: until, daysLeft, file }: CalendarStatus): string {
  const year = Number(until.slice(0, 4)) + 1
  const when = daysLeft < 0 ? `ended on ${until}` : `ends on ${until}, in ${daysLeft} days`
  return (
    `the trading calendar ${when}: write the closed days of ${year} to ${file}, ` +
    'columns day,closed_for,source (example: 2027-02-08,Lunar New Year,exchange). ' +
    'Without these lines, every closed day costs a few requests until candlehouse has learned it from the service'
  ).replace('2027-', `${year}-`)
}
