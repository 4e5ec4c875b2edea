import { describe, expect, test } from 'vitest'
import { type DateForm, withDateForm, writeDay, writeIsoBound } from '../src/date-form.js'

const FORMS: readonly DateForm[] = ['slash', 'slash-time', 'dash', 'iso']

describe('a whole day', () => {
  test.each(['2025-01-02', '2025/01/02', '2025-01-02T10:15:00'])('of %s is written in each form', (day) => {
    expect(FORMS.map((form) => writeDay(day, form, 'from'))).toEqual([
      '2025/01/02',
      '2025/01/02 00:00:00',
      '2025-01-02',
      '2025-01-02T00:00:00',
    ])
    expect(FORMS.map((form) => writeDay(day, form, 'to'))).toEqual([
      '2025/01/02',
      '2025/01/02 23:59:59',
      '2025-01-02',
      '2025-01-02T23:59:59',
    ])
  })

  test.each(['', 'today', 'x2025-01-02', '2025-1-2', '20250102'])('%j stays as it is', (text) => {
    for (const form of FORMS) expect(writeDay(text, form, 'from')).toBe(text)
  })
})

describe('a query in another form', () => {
  const rewritten = (from: string, form: DateForm, to = '2025-01-02'): unknown => {
    const query = withDateForm({ symbol: 'FPT', from, to }, form)
    return query && [query.from, query.to]
  }

  test('keeps its other parts, and has bounds only where it had them', () => {
    expect(withDateForm({ symbol: 'FPT' }, 'iso')).toStrictEqual({ symbol: 'FPT' })
    expect(withDateForm({ from: '2025-01-02' }, 'slash')).toStrictEqual({ from: '2025/01/02' })
    expect(withDateForm({ to: '2025-01-02' }, 'iso')).toStrictEqual({ to: '2025-01-02T23:59:59' })
  })

  test('writes whole days, also where their ends are written out', () => {
    for (const [from, to] of [
      ['2025/01/01 00:00:00', '2025/01/02 23:59:59'],
      ['2025-01-01T00:00', '2025-01-02T23:59:59.999'],
      ['2025-01-01', '2025-01-02'],
    ] as const) {
      expect(rewritten(from, 'slash', to)).toEqual(['2025/01/01', '2025/01/02'])
      expect(rewritten(from, 'iso', to)).toEqual(['2025-01-01T00:00:00', '2025-01-02T23:59:59'])
    }
  })

  test('writes an instant within a day with its time', () => {
    expect(rewritten('2025/01/01 09:15', 'iso')).toEqual(['2025-01-01T09:15:00', '2025-01-02T23:59:59'])
    expect(rewritten('2025-01-01T09:15:30', 'iso')).toEqual(['2025-01-01T09:15:30', '2025-01-02T23:59:59'])
    expect(rewritten('2025-01-01T09:15:30', 'slash-time')).toEqual([
      '2025/01/01 09:15:30',
      '2025/01/02 23:59:59',
    ])
    // The end of a day is no whole day where it is the first bound.
    expect(rewritten('2025-01-01T23:59:59', 'slash-time')).toEqual([
      '2025/01/01 23:59:59',
      '2025/01/02 23:59:59',
    ])
  })

  test('writes an instant with an offset in exchange time', () => {
    for (const [instant, time] of [
      ['2025-01-01T00:00:00Z', '07:00:00'],
      ['2025-01-01T10:00:00+07:00', '10:00:00'],
      ['2025-01-01T10:00:00+0700', '10:00:00'],
      ['2025-01-01T00:00:00-01:00', '08:00:00'],
    ] as const) {
      expect(rewritten(instant, 'slash-time')).toEqual([`2025/01/01 ${time}`, '2025/01/02 23:59:59'])
      expect(rewritten(instant, 'iso')).toEqual([instant, '2025-01-02T23:59:59'])
    }
  })

  test('is none where the form has no time of day, for either bound', () => {
    for (const form of ['slash', 'dash'] as const) {
      expect(rewritten('2025-01-01T09:15:00', form)).toBeUndefined()
      expect(rewritten('2025-01-01', form, '2025-01-02T09:15:00')).toBeUndefined()
    }
    expect(rewritten('2025-01-41T09:15:00Z', 'slash-time')).toBeUndefined()
  })
})

test('a bound of a range is a date-time', () => {
  expect([writeIsoBound('2025-01-02', 'from'), writeIsoBound('2025/01/02', 'to')]).toEqual([
    '2025-01-02T00:00:00',
    '2025-01-02T23:59:59',
  ])
  for (const bound of ['2025-01-02T10:00', '2025-01-02T10:00:00.5+07:00', '2025-01-02T10:00:00Z'])
    expect(writeIsoBound(bound, 'from')).toBe(bound)
  expect(writeIsoBound('2025-01-02T10', 'from')).toBe('2025-01-02T00:00:00')
})
