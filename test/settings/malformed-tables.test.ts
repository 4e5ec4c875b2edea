import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { firstSession } from 'candlehouse-foundation/market/calendar'
import { isDay } from 'candlehouse-foundation/market/day'
import { wrongRule } from 'candlehouse-foundation/market/rule-form'
import { marketRules } from 'candlehouse-foundation/market/rulebook'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCalendarDays } from '../../src/settings/calendar-file.js'
import { readMarketRules } from '../../src/settings/market-rules-file.js'
import { temporaryFolder } from '../support/folder.js'

const home = temporaryFolder()

/** The text as a table of the home, read; or the refusal. */
function readingOf<T>(name: string, text: string, read: (home: string) => T): T | SettingsError {
  writeFileSync(join(home, name), text)
  try {
    return read(home)
  } catch (error) {
    if (error instanceof SettingsError) return error
    throw error
  }
}

const RULE_COLUMNS = ['rule', 'scope', 'valid_from', 'valid_to', 'value', 'unit', 'source', 'certainty']
const RULE_LINES = [
  'price_band,HOSE,2027-01-04,2027-06-30,10,percent,notice,published',
  'price_band,HOSE,2027-07-01,,12.5,percent,notice,published',
  'price_band,HOSE/covered_warrant,2027-01-04,,underlying,,notice,inferred',
  'lot_size,HNX,2027-01-04,,10,shares,"notice, page 2",measured',
  'multiplier,DERIVATIVE/X9,2026-01-05,,5000,VND a point,,',
  'settlement_cycle,UPCOM,2027-01-04,,1,,,',
  'settlement_time,HOSE,2027-01-04,,11:30,,,',
  'fixed_holidays,*,2027-01-01,,01-01;04-30;05-01;09-02;11-24,,,',
  'board_open,DERIVATIVE/X9,2026-01-05,,2026-01-05,day,,',
  'tick,HOSE/stock,2027-01-04,,10,from 0,,',
  'tick,HOSE/stock,2027-01-04,,50,from 10000,,',
  'phase,HNX,2027-01-04,,continuous 09:00-11:30,,,',
  'phase,HNX,2027-01-04,,continuous 13:00-14:30,,,',
  'custody_fee,*,2027-01-04,,0.27,VND a share and month,my broker,',
]
/** Cells that no line may have in that column, whatever its rule. */
const WRONG_CELLS: Readonly<Record<string, readonly string[]>> = {
  rule: ['', 'price_bands', 'PRICE_BAND', 'prise_band', 'price band', 'lot-size', 'Mehrwert', '7', 'ticks'],
  scope: [
    '',
    'hose',
    'HSX',
    'NYSE',
    'HOSE/',
    'HOSE/ETF',
    'HOSE/bond',
    'HOSE/etf/1',
    'DERIVATIVE/vn30',
    '/',
    '**',
    'VN30',
  ],
  valid_from: [
    '',
    '04/01/2027',
    '2027-1-4',
    '2027-02-30',
    '20270104',
    'today',
    '2027-01-04T00:00',
    '46026',
    '2028-13-01',
  ],
  valid_to: ['never', '2027-02-29', '31.12.2027', '1999-12-31', '9999-99-99', '-'],
  certainty: ['sure', 'Published', 'yes', '100%'],
}
/** Cells that a rule of a line may not have as its value. */
const WRONG_VALUES: Readonly<Record<string, readonly string[]>> = {
  price_band: ['', '10%', 'ten', '-7', '1e1', '101', '7,5', '١٠', 'NaN', 'Underlying'],
  lot_size: ['', '0', '10.5', '100 shares', '-100', '1000001', '0x10'],
  multiplier: ['', '0', '100000.5', '2147483648', '1e5', 'unknown'],
  settlement_cycle: ['', 'T+2', '1.5', '16', '-1'],
  settlement_time: ['', '11', '24:00', '11:30:00', '1 pm'],
  fixed_holidays: ['', '1-1', '01-01,04-30', '02-30', '01-01;', '2027-01-01'],
  board_open: ['', '2026', '05/01/2026'],
  tick: ['', '0', 'ten', '-10'],
  phase: ['', 'ato', 'lunch 11:30-13:00', 'ato 09:15-09:00', 'ato 9:00-9:15', 'continuous 09:00 - 11:30'],
}

const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const cellsOf = (line: string): string[] => line.replace('"notice, page 2"', 'notice').split(',')

/** Every malformed cell in every line that it is wrong in. */
const MALFORMED = RULE_LINES.flatMap((line, at) => {
  const cells = cellsOf(line)
  const replaced = (column: string, cell: string) => ({
    cell,
    text: [
      RULE_COLUMNS.join(','),
      ...RULE_LINES.with(at, cells.with(RULE_COLUMNS.indexOf(column), quoted(cell)).join(',')),
    ].join('\n'),
    line: at + 2,
  })
  return [
    ...Object.entries(WRONG_CELLS).flatMap(([column, wrong]) => wrong.map((cell) => replaced(column, cell))),
    ...(WRONG_VALUES[cells[0] ?? ''] ?? []).map((cell) => replaced('value', cell)),
  ]
})

test('market_rules.csv as written above has no mistake', () => {
  const rules = readingOf(
    'market_rules.csv',
    [RULE_COLUMNS.join(','), ...RULE_LINES].join('\r\n'),
    readMarketRules,
  )
  expect(rules).toHaveLength(RULE_LINES.length)
})

test('each malformed cell of market_rules.csv is refused with its file, its line, and what to write', () => {
  expect(MALFORMED.length).toBeGreaterThan(500)
  for (const { text, line, cell } of MALFORMED) {
    const refusal = readingOf('market_rules.csv', text, readMarketRules)
    if (!(refusal instanceof SettingsError)) throw new Error(`'${cell}' is accepted in line ${line}: ${text}`)
    expect(refusal.message).toContain(`market_rules.csv:${line}: `)
    expect(refusal.message).toContain(cell === '' ? ' is empty' : cell)
    expect(refusal.hint).toMatch(/write|leave|end the earlier/)
  }
})

const CALENDAR_LINES = [
  'day,closed_for,source,is_session',
  '2027-02-05,Lunar New Year,exchange,false',
  '2027-02-08,"Tet, ""big""",exchange,',
  '2027-02-13,,exchange,true',
  '2027-04-16',
]

test.each([
  '',
  '05/02/2027',
  '2027-2-5',
  '2027-02-29',
  '0227-02-05',
  '20270205',
  '2207-02-05',
  'Tet',
  '46058',
  '2027-02-05 00:00',
  '1999-01-04',
])("'%s' is refused as a day of calendar.csv, with its line", (day) => {
  for (const at of [1, 2, 3, 4]) {
    const cells = (CALENDAR_LINES[at] ?? '').split(',').with(0, quoted(day))
    const text = CALENDAR_LINES.with(at, cells.length === 1 ? `${cells[0]},` : cells.join(',')).join('\n')
    const refusal = readingOf('calendar.csv', text, readCalendarDays)
    expect(refusal).toBeInstanceOf(SettingsError)
    expect(String(refusal)).toContain(`calendar.csv:${at + 1}: `)
    expect((refusal as SettingsError).hint).toContain('2027-02-08')
  }
})

/** Letters that spreadsheets, editors and disks put into files. */
const ODD = [
  '"',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  ' ',
  '\u00a0',
  '\ufeff',
  '\u0000',
  '/',
  '-',
  '0',
  '9',
  'x',
  'é',
  '٣',
  '😀',
]

/** The text with some letters replaced, inserted or removed, and lines doubled. */
const damaged = (text: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({
        at: fc.nat(text.length),
        remove: fc.nat(3),
        put: fc.oneof(fc.constantFrom(...ODD, ''), fc.constantFrom(...text.split('\n'))),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((edits) =>
      edits.reduce((now, { at, remove, put }) => now.slice(0, at) + put + now.slice(at + remove), text),
    )

/** A refusal names a line of the file and says what to write; nothing else may be thrown. */
function expectWords(refusal: SettingsError, name: string, text: string): void {
  const [, line = ''] = new RegExp(`${name}:(\\d+): .`).exec(refusal.message) ?? []
  expect(Number(line)).toBeGreaterThanOrEqual(1)
  expect(Number(line)).toBeLessThanOrEqual(text.split(/\r\n|\n|\r/).length)
  expect(refusal.hint).toBeTruthy()
}

test('a damaged market_rules.csv is refused with words, or has rules of the right form that do not overlap', () => {
  const text = [RULE_COLUMNS.join(','), ...RULE_LINES].join('\n')
  fc.assert(
    fc.property(damaged(text), (file) => {
      const read = readingOf('market_rules.csv', file, readMarketRules)
      if (read instanceof SettingsError) return expectWords(read, 'market_rules.csv', file)
      for (const [at, rule] of read.entries()) {
        expect(wrongRule(rule)).toBeUndefined()
        expect(isDay(rule.validFrom) && (rule.validTo === '' || isDay(rule.validTo))).toBe(true)
        const others = read
          .slice(at + 1)
          .filter((other) => other.rule === rule.rule && other.scope === rule.scope)
        for (const other of others.filter(({ rule: name }) => !['tick', 'phase'].includes(name)))
          expect(
            (rule.validTo || '9999') < other.validFrom || (other.validTo || '9999') < rule.validFrom,
          ).toBe(true)
      }
    }),
    { numRuns: 1_500, seed: 29 },
  )
})

test('a damaged calendar.csv is refused with words, or has days since the first session', () => {
  fc.assert(
    fc.property(damaged(CALENDAR_LINES.join('\n')), (file) => {
      const read = readingOf('calendar.csv', file, readCalendarDays)
      if (read instanceof SettingsError) return expectWords(read, 'calendar.csv', file)
      expect(read.filter(({ day }) => !isDay(day) || day < firstSession())).toEqual([])
      expect(new Set(read.map(({ day }) => day)).size).toBe(read.length)
    }),
    { numRuns: 1_500, seed: 29 },
  )
})

test('the packaged rules have the form that is asked of others', () => {
  expect(marketRules().filter((rule) => wrongRule(rule))).toEqual([])
})
