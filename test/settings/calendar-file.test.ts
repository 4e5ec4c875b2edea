import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { knownUntil, loadCalendar } from 'candlehouse-foundation/market/calendar'
import { describe, expect, it, test } from 'vitest'
import { readCalendarDays } from '../../src/settings/calendar-file.js'
import { temporaryFolder } from '../support/folder.js'

function homeWith(text: string | Buffer): string {
  const home = temporaryFolder()
  writeFileSync(join(home, 'calendar.csv'), text)
  return home
}

const daysOf = (text: string) => readCalendarDays(homeWith(text))

describe("the user's own calendar", () => {
  it('is optional', () => {
    expect(readCalendarDays(temporaryFolder())).toEqual([])
  })

  it('is read as spreadsheets write it: byte order mark, CRLF, quotes, columns in any order', () => {
    const text =
      '\uFEFF"source","Day","closed_for"\r\n"the exchange, ""HOSE""",2027-02-08,"Lunar New Year"\r\n\r\n,2027-02-05,\r\n'
    expect(daysOf(text)).toEqual([
      { day: '2027-02-05', isSession: false, closedFor: '', source: '' },
      { day: '2027-02-08', isSession: false, closedFor: 'Lunar New Year', source: 'the exchange, "HOSE"' },
    ])
  })

  it('closes days, and opens days that the packaged calendar or the weekend closes', () => {
    const text = 'day,is_session\n2027-02-08,false\n2027-02-13,TRUE\n2026-04-27,true\n'
    const calendar = loadCalendar(daysOf(text))
    expect(['2027-02-08', '2027-02-13', '2026-04-27'].map((day) => calendar.isSession(day))).toEqual([
      false,
      true,
      true,
    ])
    expect(calendar.isSession('2026-09-02')).toBe(false)
    expect(loadCalendar().isSession('2027-02-08')).toBe(true)
  })

  test.each([
    ['day\n2027-02-30\n', ":2: '2027-02-30' is not a day", '2027-02-08'],
    ['day\n08/02/2027\n', ":2: '08/02/2027' is not a day", '2027-02-08'],
    ['date,closed_for\n', ":1: 'date' is not one of its columns", 'day,closed_for,source,is_session'],
    ['closed_for\nTet\n', ":1: there is no column 'day'", 'day,closed_for,source,is_session'],
    ['day,day\n', ":1: 'day' is not one of its columns", 'day,closed_for,source,is_session'],
    ['', ":1: '' is not one of its columns", 'day,closed_for,source,is_session'],
    ['day,is_session\n2027-02-08,maybe\n', ":2: is_session is 'maybe'", 'write true'],
    ['day\n2027-02-08,Tet\n', ':2: 2 values for 1 columns', 'double quotes'],
    ['day,closed_for\n2027-02-08,"Tet\n', ':2: a double quote is not closed', 'close each quoted value'],
    [
      'day,is_session\n2027-02-08,\n2027-02-08,true\n',
      ':3: 2027-02-08 is listed twice, closed and as a session',
      'keep one',
    ],
  ])('%j is refused with file, line, value and what to write', (text, message, hint) => {
    const home = homeWith(text)
    const failing = () => readCalendarDays(home)
    expect(failing).toThrow(SettingsError)
    expect(failing).toThrow(`${join(home, 'calendar.csv')}${message}`)
    expect(failing).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }))
  })

  it('that is not text, or not a file, is refused', () => {
    expect(() => readCalendarDays(homeWith(Buffer.from([0x64, 0x61, 0x79, 0xff])))).toThrow('not UTF-8 text')
    const home = temporaryFolder()
    mkdirSync(join(home, 'calendar.csv'))
    expect(() => readCalendarDays(home)).toThrow(SettingsError)
  })
})

describe('a year is known', () => {
  const closed = (year: number, days: number) =>
    Array.from({ length: days }, (_, at) => ({
      day: `${year}-02-0${at + 1}`,
      isSession: false,
      closedFor: '',
      source: '',
    }))

  it('from five closed weekdays on', () => {
    expect(knownUntil()).toBe('2026-12-31')
    // 1 to 5 February 2027 are weekdays, the 6th is a Saturday.
    expect(knownUntil(closed(2027, 5))).toBe('2027-12-31')
    expect(knownUntil(closed(2027, 4))).toBe('2026-12-31')
  })

  it('only after years that are', () => {
    expect(knownUntil(closed(2028, 9))).toBe('2026-12-31')
  })
})
