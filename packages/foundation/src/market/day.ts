import { UTCDateMini } from '@date-fns/utc/date/mini'
import { addDays as daysAfter } from 'date-fns/addDays'
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays'
import { getDay } from 'date-fns/getDay'
import { subYears } from 'date-fns/subYears'

/**
 * Calendar days and exchange time. Vietnam keeps UTC+7 the whole year, so exchange time is a fixed offset.
 * A day is calculated with as midnight UTC, so the zone of the machine never changes a result: date-fns gets dates whose fields
 * are those of UTC (docs/decisions/0072-date-fns-adds-days-in-utc.md).
 */

/** A calendar day in exchange time, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string

/** Exchange time ahead of UTC, in milliseconds. */
export const EXCHANGE_OFFSET_MS = 7 * 60 * 60 * 1000

export const DAY_MS = 24 * 60 * 60 * 1000

const SHAPE = /^\d{4}-\d{2}-\d{2}$/

/** True for a day that exists: false for `2025-02-29`. */
export function isDay(text: string): text is Day {
  if (!SHAPE.test(text)) return false
  const date = new Date(text)
  // Some engines read 29 February of any year as 1 March, so the text must come back unchanged.
  return !Number.isNaN(date.getTime()) && dayText(date) === text
}

/** @throws RangeError where `day` is not a day that exists */
export function addDays(day: Day, days: number): Day {
  return dayText(daysAfter(new UTCDateMini(day), days))
}

/** Calendar days of a range, both ends included; 0 or less where `to` is before `from`. */
export function dayCount(from: Day, to: Day): number {
  return differenceInCalendarDays(new UTCDateMini(to), new UTCDateMini(from)) + 1
}

/** 0 Sunday … 6 Saturday. */
export function weekday(day: Day): number {
  return getDay(new UTCDateMini(day))
}

/** The same date one year earlier; 29 February becomes 28 February. */
export function oneYearBefore(day: Day): Day {
  return dayText(subYears(new UTCDateMini(day), 1))
}

function dayText(utcMidnight: Date): Day {
  return utcMidnight.toISOString().slice(0, 10)
}

let latestDayNumber = Number.NaN
let latestDay: Day = ''

/** The exchange day an instant falls on. The latest day is remembered: the sandbox asks for it at every trade. */
export function dayOf(instantMs: number): Day {
  const dayNumber = Math.floor((instantMs + EXCHANGE_OFFSET_MS) / DAY_MS)
  if (dayNumber !== latestDayNumber) {
    latestDay = new Date(instantMs + EXCHANGE_OFFSET_MS).toISOString().slice(0, 10)
    latestDayNumber = dayNumber
  }
  return latestDay
}

let latestMidnightOf: Day = ''
let latestMidnight = Number.NaN

/** Epoch milliseconds of a time of day (`HH:mm`) in exchange time. The latest day is remembered, as for `dayOf`. */
export function instantOf(day: Day, time?: string): number {
  if (time !== undefined) return Date.parse(`${day}T${time}:00+07:00`)
  if (day !== latestMidnightOf) {
    latestMidnight = Date.parse(`${day}T00:00:00+07:00`)
    latestMidnightOf = day
  }
  return latestMidnight
}

/** `2025-03-14 18:30:05`, in exchange time. */
export function exchangeTime(instantMs: number): string {
  return new Date(instantMs + EXCHANGE_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')
}

/** `2025-03-14 18:30:05 UTC+7` for an instant in ISO 8601, as people read it; any other text unchanged. */
export function shownInstant(instant: string): string {
  const at = Date.parse(instant)
  return Number.isNaN(at) ? instant : `${exchangeTime(at)} UTC+7`
}

/** `HH:mm` as minutes after midnight. */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** Minutes after midnight as `HH:mm`. */
export function timeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
