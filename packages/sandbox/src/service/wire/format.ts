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
