import type { Query } from './contract.js'

/**
 * How a day is written in `from` and `to`: `slash` 2025/01/02, `slash-time` 2025/01/02 00:00:00, `dash`
 * 2025-01-02, `iso` 2025-01-02T00:00:00. Exchange time, no offset (docs/market-facts.md#dates-and-times); with
 * a time, `to` is the day's last second, so that both ends are inclusive in every form.
 */
export type DateForm = 'slash' | 'slash-time' | 'dash' | 'iso'

const DAY = /^(\d{4})[-/](\d{2})[-/](\d{2})/

/** Writes a day; text that does not start with a day stays unchanged. */
export function writeDay(day: string, form: DateForm, end: 'from' | 'to'): string {
  const parts = DAY.exec(day)
  if (!parts) return day
  const time = end === 'from' ? '00:00:00' : '23:59:59'
  const slashed = `${parts[1]}/${parts[2]}/${parts[3]}`
  const dashed = `${parts[1]}-${parts[2]}-${parts[3]}`
  if (form === 'slash') return slashed
  if (form === 'slash-time') return `${slashed} ${time}`
  return form === 'dash' ? dashed : `${dashed}T${time}`
}

/** The same query with `from` and `to` written in another form. */
export function withDateForm(query: Query, form: DateForm): Query {
  const { from, to } = query
  return {
    ...query,
    ...(from === undefined ? {} : { from: writeDay(from, form, 'from') }),
    ...(to === undefined ? {} : { to: writeDay(to, form, 'to') }),
  }
}
