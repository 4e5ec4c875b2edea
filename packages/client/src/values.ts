import { isDay } from 'candlehouse-foundation/market/day'
import { withoutZeros } from 'candlehouse-foundation/number-text'

declare const form: unique symbol

/** A day that exists, `YYYY-MM-DD`: only `parseDay` makes one. Days compare as strings. */
export type Day = string & { readonly [form]: 'day' }

/** An exact number as plain text: no separators, no exponent, no zeros at the end of a fraction. Only `parseDecimal` makes one. */
export type Decimal = string & { readonly [form]: 'decimal' }

/** A text that is not what its parser reads. */
export class ParseError extends Error {
  constructor(text: string, expected: string) {
    super(`${JSON.stringify(text.slice(0, 40))} is not ${expected}`)
    this.name = 'ParseError'
  }
}

const YEAR_FIRST = /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/
const DAY_FIRST = /^(\d{2})\/(\d{2})\/(\d{4})(?: \d{2}:\d{2}(?::\d{2})?)?$/

/**
 * Reads a day in the forms that services write and programs need: `2025-01-02`, `2025/01/02`, `02/01/2025`, each perhaps with a time
 * of day in exchange time, which is left out (docs/market-facts.md#dates-and-times). A text with an offset is not one: its
 * day depends on the zone.
 *
 * @throws ParseError for any other text, and for a day that does not exist
 */
export function parseDay(text: string): Day {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  const [, lastDay, lastMonth, lastYear] = DAY_FIRST.exec(text) ?? []
  const read = year === undefined ? `${lastYear}-${lastMonth}-${lastDay}` : `${year}-${month}-${day}`
  if (!isDay(read)) throw new ParseError(text, 'a day like 2025-01-02, 2025/01/02 or 02/01/2025')
  return read as string as Day
}

const PLAIN = /^-?\d+(\.\d+)?$/
const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/

/**
 * Reads a number in the forms that services write: `13300`, `13300.0`, `6,003,500` (docs/market-facts.md#numbers-and-nulls).
 * Nothing is rounded. Commas count only where they separate thousands.
 *
 * @throws ParseError for any other text, such as `NaN`, `1e5`, `1,23` and an empty one
 */
export function parseDecimal(text: string): Decimal {
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text
  if (!PLAIN.test(plain)) throw new ParseError(text, 'a number like 13300, 13300.0 or 6,003,500')
  const [, sign = '', digits = ''] = /^(-?)0*(?=\d)(.*)$/.exec(plain) ?? []
  const short = withoutZeros(digits)
  return (short === '0' ? short : sign + short) as Decimal
}
