import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import type { CalendarDay } from 'candlehouse-foundation/market/calendar'
import { type Day, isDay } from 'candlehouse-foundation/market/day'
import { reasonOf } from 'candlehouse-foundation/system-fault'

/** Columns of the file; `day` is needed. */
const COLUMNS = ['day', 'closed_for', 'source', 'is_session']

const EXAMPLE =
  'write the header day,closed_for,source,is_session and one line per day, as 2027-02-08,Lunar New Year,exchange,false'

/** The user's own calendar, which extends the packaged one. */
export function calendarFile(home: string): string {
  return join(home, 'calendar.csv')
}

/**
 * Days of `calendar.csv` in the home, ascending; none where there is no such file. A byte order mark, CRLF and quotes are
 * read as spreadsheets write them.
 *
 * @throws SettingsError that names the file, the line, the value and what to write
 */
export function readCalendarDays(home: string): readonly CalendarDay[] {
  const file = calendarFile(home)
  if (!existsSync(file)) return []
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is not UTF-8 text' : reasonOf(cause)
    throw new SettingsError(`${file} cannot be read: ${why}`, { hint: EXAMPLE, cause })
  }
  const lines = text.split(/\r\n|\n|\r/)
  const header = cellsOf(lines[0] ?? '', `${file}:1`).map((name) => name.toLowerCase())
  const unknown = header.find((name, at) => !COLUMNS.includes(name) || header.indexOf(name) !== at)
  if (unknown !== undefined || !header.includes('day')) {
    const wrong =
      unknown === undefined ? "there is no column 'day'" : `'${unknown}' is not one of its columns`
    throw new SettingsError(`${file}:1: ${wrong}`, { hint: EXAMPLE })
  }
  const days = new Map<Day, CalendarDay>()
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue
    const place = `${file}:${index + 1}`
    const row = dayOfLine(header, cellsOf(line, place), place)
    if ((days.get(row.day)?.isSession ?? row.isSession) !== row.isSession)
      throw new SettingsError(`${place}: ${row.day} is listed twice, closed and as a session`, {
        hint: 'keep one of the two lines',
      })
    days.set(row.day, row)
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

function dayOfLine(header: readonly string[], cells: readonly string[], place: string): CalendarDay {
  if (cells.length > header.length)
    throw new SettingsError(`${place}: ${cells.length} values for ${header.length} columns`, {
      hint: 'write a value that contains a comma in double quotes',
    })
  const cell = (column: string): string => cells[header.indexOf(column)] ?? ''
  const day = cell('day')
  if (!isDay(day))
    throw new SettingsError(`${place}: '${day}' is not a day`, { hint: 'write days as 2027-02-08' })
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

/** The values of a line, without the spaces around them; a quoted value may contain commas and doubled quotes. */
function cellsOf(line: string, place: string): string[] {
  const cells: string[] = []
  let rest = line
  for (;;) {
    const [whole, quoted, plain] = /^\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(?=,|$)/.exec(rest) ?? []
    if (whole === undefined)
      throw new SettingsError(`${place}: a double quote is not closed, or stands within a value: ${rest}`, {
        hint: 'close each quoted value on its line, and double the quotes within it',
      })
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
    rest = rest.slice(whole.length)
    if (rest === '') return cells
    rest = rest.slice(1)
  }
}
