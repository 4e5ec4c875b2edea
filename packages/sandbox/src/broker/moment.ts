import { type Day, EXCHANGE_OFFSET_MS, instantOf, isDay } from 'candlehouse-foundation/market/day'

/** A day, perhaps with a time of day and an offset, as requests write it. */
export interface WrittenMoment {
  readonly day: Day
  /** Seconds after midnight, when a time was given. */
  readonly second: number | undefined
  /** Written with slashes. */
  readonly slashed: boolean
  /** Epoch milliseconds: exchange time unless the text has an offset; the start of a day without a time. */
  readonly instant: number
  readonly offset: string | undefined
}

const MOMENT =
  /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[ T]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/

/**
 * Reads `YYYY-MM-DD` or `YYYY/MM/DD`, alone or with `HH:mm`, seconds, a fraction and an offset. Days and times that do not
 * exist (`2025-02-29`, `24:00`, `23:60`, `10:00:99`) and other forms of ISO 8601 (basic, week and ordinal dates) are none.
 */
export function readMoment(text: string): WrittenMoment | undefined {
  const match = MOMENT.exec(text)
  if (!match) return undefined
  const [, year, dash, month, date, hour, minute, seconds, fraction, offset] = match
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) return undefined
  const second =
    hour === undefined ? undefined : Number(hour) * 3600 + Number(minute) * 60 + Number(seconds ?? 0)
  const midnight = offset ? Date.parse(`${day}T00:00:00${offset}`) : instantOf(day)
  return {
    day,
    second,
    offset,
    slashed: dash === '/',
    instant: midnight + (second ?? 0) * 1000 + Math.floor(Number(fraction ?? 0) * 1000),
  }
}

/** An instant in exchange time as the order answers write it: `YYYY/MM/DD HH:mm:ss`. */
export function writeMoment(instant: number): string {
  const text = new Date(instant + EXCHANGE_OFFSET_MS).toISOString()
  return `${text.slice(0, 10).replaceAll('-', '/')} ${text.slice(11, 19)}`
}

/**
 * The same as live deployments write the history of conditional orders
 * (docs/market-facts.md#conditional-orders): `DD/MM/YYYY HH:MM:SS`.
 */
export function writeMomentDayFirst(instant: number): string {
  const [date = '', time = ''] = writeMoment(instant).split(' ')
  return `${date.split('/').reverse().join('/')} ${time}`
}
