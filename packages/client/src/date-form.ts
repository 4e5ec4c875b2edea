import { exchangeTime } from 'candlehouse-foundation/market/day'
import type { Query } from './contract.js'

/**
 * How a day is written in `from` and `to`: `slash` 2025/01/02, `slash-time` 2025/01/02 00:00:00, `dash`
 * 2025-01-02, `iso` 2025-01-02T00:00:00. Exchange time, no offset (docs/market-facts.md#dates-and-times); with
 * a time, `to` is the day's last second, so that both ends are inclusive in every form.
 */
export type DateForm = 'slash' | 'slash-time' | 'dash' | 'iso'

const DAY = /^(\d{4})[-/](\d{2})[-/](\d{2})/

/** A day and a time of day of it, perhaps with an offset. */
const DATE_TIME = /^(\d{4}[-/]\d{2}[-/]\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/

const START = '00:00:00'
const END = '23:59:59'

/** Writes a whole day; text that does not start with a day stays unchanged. */
export function writeDay(day: string, form: DateForm, end: 'from' | 'to'): string {
  const parts = DAY.exec(day)
  if (!parts) return day
  const time = end === 'from' ? START : END
  const slashed = `${parts[1]}/${parts[2]}/${parts[3]}`
  const dashed = `${parts[1]}-${parts[2]}-${parts[3]}`
  if (form === 'slash') return slashed
  if (form === 'slash-time') return `${slashed} ${time}`
  return form === 'dash' ? dashed : `${dashed}T${time}`
}

/**
 * Writes a bound: a day as a whole day, an instant within a day with its time. A form with slashes has no offset: an
 * instant with an offset becomes exchange time there. Undefined where the form has no time of day.
 */
function writeBound(text: string, form: DateForm, end: 'from' | 'to'): string | undefined {
  const [, day = '', time = '', seconds = '00', offset] = DATE_TIME.exec(text) ?? []
  const isWholeDay = offset === undefined && `${time}:${seconds}` === (end === 'from' ? START : END)
  if (day === '' || isWholeDay) return writeDay(text, form, end)
  const dashed = day.replaceAll('/', '-')
  if (form === 'iso') return text.includes('T') ? text : `${dashed}T${time}:${seconds}`
  if (form !== 'slash-time') return undefined
  if (offset === undefined) return `${dashed.replaceAll('-', '/')} ${time}:${seconds}`
  const instant = Date.parse(`${dashed}T${time}:${seconds}${offset}`)
  return Number.isNaN(instant) ? undefined : exchangeTime(instant).replaceAll('-', '/')
}

/** The same query with `from` and `to` written in another form; undefined where that form cannot express them. */
export function withDateForm(query: Query, form: DateForm): Query | undefined {
  const from = query.from === undefined ? undefined : writeBound(query.from, form, 'from')
  const to = query.to === undefined ? undefined : writeBound(query.to, form, 'to')
  if ((query.from !== undefined && from === undefined) || (query.to !== undefined && to === undefined))
    return undefined
  return { ...query, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** A bound of a range as the specification's ISO 8601 date-time: a day is a whole day, a date-time stays as it is. */
export function writeIsoBound(bound: string, end: 'from' | 'to'): string {
  return DATE_TIME.test(bound) ? bound : writeDay(bound, 'iso', end)
}
