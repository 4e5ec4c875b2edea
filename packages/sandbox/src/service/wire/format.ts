import type { Day } from 'candlehouse-foundation/market/day'
import { decimal } from '../../broker/decimal.js'
import type { DateFormat } from '../../options.js'

/** A day as the deployment writes it. */
export function writeDay(day: Day, format: DateFormat): string {
  if (format === 'iso') return day
  const [year = '', month = '', date = ''] = day.split('-')
  return format === 'YYYY/MM/DD' ? `${year}/${month}/${date}` : `${date}/${month}/${year}`
}

/** Separator between day and time of day: a letter in ISO form only. */
export function daySeparator(format: DateFormat): string {
  return format === 'iso' ? 'T' : ' '
}

/** Per cent with two digits. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '0' : decimal((part / whole) * 100, 2)
}

/** A JSON object of string values; null stays null. */
export function jsonRecord(fields: Readonly<Record<string, string | null>>): string {
  return JSON.stringify(fields)
}

/** What stands before each value of a record in JSON, for `jsonOf`. */
export function jsonHeads(fields: readonly string[]): readonly string[] {
  return fields.map((field, place) => `${place === 0 ? '{' : ','}"${field}":`)
}

/**
 * The same as `jsonRecord` for values that need no escape: pages of 1,000 records took twice as long as JSON of objects.
 *
 * @param heads of the fields, in the order of the values
 */
export function jsonOf(heads: readonly string[], values: readonly (string | number | null)[]): string {
  let text = ''
  for (let i = 0; i < heads.length; i++) {
    const value = values[i] ?? null
    text += value === null ? `${heads[i]}null` : `${heads[i]}"${value}"`
  }
  return `${text}}`
}
