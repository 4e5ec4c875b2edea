import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { type CalendarDay, firstSession } from 'candlehouse-foundation/market/calendar'
import { type Day, isDay } from 'candlehouse-foundation/market/day'
import { type HomeRow, readHomeTable } from './home-table.js'

const TABLE = {
  columns: ['day', 'closed_for', 'source', 'is_session'],
  needed: ['day'],
  example:
    'write the header day,closed_for,source,is_session and one line per day, as 2027-02-08,Lunar New Year,exchange,false',
}

/** Nobody announces a day of the next century: such a year is a typing mistake. */
const LAST_DAY: Day = '2099-12-31'

/** The user's own calendar, which extends the packaged one. */
export function calendarFile(home: string): string {
  return join(home, 'calendar.csv')
}

/**
 * Days of `calendar.csv` in the home, ascending; none where there is no such file.
 *
 * @throws SettingsError that names the file, the line, the value and what to write
 */
export function readCalendarDays(home: string): readonly CalendarDay[] {
  const days = new Map<Day, CalendarDay>()
  for (const line of readHomeTable(calendarFile(home), TABLE)) {
    const row = dayOfLine(line)
    if ((days.get(row.day)?.isSession ?? row.isSession) !== row.isSession)
      throw new SettingsError(`${line.place}: ${row.day} is listed twice, closed and as a session`, {
        hint: 'keep one of the two lines',
      })
    days.set(row.day, row)
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

function dayOfLine({ place, cell }: HomeRow): CalendarDay {
  const day = cell('day')
  if (!isDay(day))
    throw new SettingsError(`${place}: '${day}' is not a day`, { hint: 'write days as 2027-02-08' })
  if (day < firstSession() || day > LAST_DAY)
    throw new SettingsError(`${place}: ${day} is before the first session or after ${LAST_DAY}`, {
      hint: 'write days as 2027-02-08, with the year first',
    })
  return {
    day,
    isSession: truthOf(cell('is_session'), place),
    closedFor: cell('closed_for'),
    source: cell('source'),
  }
}

function truthOf(text: string, place: string): boolean {
  const word = text.toLowerCase()
  if (word === 'true') return true
  if (word === 'false' || word === '') return false
  throw new SettingsError(`${place}: is_session is '${text}'`, {
    hint: 'write true for a day that is a session, false or nothing for a closed day',
  })
}
