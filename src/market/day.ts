/**
 * Calendar days and exchange time. Vietnam keeps UTC+7 the whole year, so exchange time is a fixed offset
 * and the host's own zone never enters a calculation.
 */

/** A calendar day in exchange time, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string

/** Exchange time ahead of UTC, in milliseconds. */
const EXCHANGE_OFFSET_MS = 7 * 60 * 60 * 1000

const DAY_MS = 24 * 60 * 60 * 1000
const SHAPE = /^\d{4}-\d{2}-\d{2}$/

/** True for a day that exists: `2025-02-29` does not. */
export function isDay(text: string): text is Day {
  return SHAPE.test(text) && fromOrdinal(ordinalOf(text)) === text
}

/** Days since 1970-01-01. */
function ordinalOf(day: Day): number {
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10))) / DAY_MS
}

/** The day that many days after 1970-01-01. */
function fromOrdinal(ordinal: number): Day {
  return Number.isFinite(ordinal) ? new Date(ordinal * DAY_MS).toISOString().slice(0, 10) : ''
}

export function addDays(day: Day, days: number): Day {
  return fromOrdinal(ordinalOf(day) + days)
}

/** 0 Sunday … 6 Saturday. */
export function weekday(day: Day): number {
  return (((ordinalOf(day) + 4) % 7) + 7) % 7
}

/** The exchange day an instant falls on. */
export function dayOf(instantMs: number): Day {
  return new Date(instantMs + EXCHANGE_OFFSET_MS).toISOString().slice(0, 10)
}

/** Epoch milliseconds of a time of day (`HH:mm`) in exchange time. */
export function instantOf(day: Day, time = '00:00'): number {
  return ordinalOf(day) * DAY_MS - EXCHANGE_OFFSET_MS + minuteOfDay(time) * 60_000
}

/** `HH:mm` as minutes after midnight. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** Minutes after midnight as `HH:mm`. */
export function timeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** The same date one year earlier; 29 February becomes 28 February. */
export function oneYearBefore(day: Day): Day {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0')
  const same = `${year}${day.slice(4)}`
  return isDay(same) ? same : `${year}-02-28`
}
