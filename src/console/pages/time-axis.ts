import type uPlot from 'uplot'

const DAY = 86_400

/** Distances of ticks where every value is of a day: there is nothing between two days. */
const DAYS = [1, 2, 7, 14, 30, 60, 90, 180, 365, 2 * 365, 5 * 365, 10 * 365].map((days) => days * DAY)

/** Room at the right of a drawing: the label of its last tick stands half beside it. */
export const LABEL_ROOM: uPlot.Padding = [null, 32, null, null]

/** An axis of time for values in seconds that UTC writes as exchange time. */
export function timeAxis(axis: uPlot.Axis, isOfDays: boolean): uPlot.Axis {
  return {
    ...axis,
    ...(isOfDays ? { incrs: DAYS } : {}),
    values: (_, values) => values.map(dayWords(values, isOfDays)),
  }
}

/** `2 Oct` where a day begins, `09:15` within it; over more than a year `Oct 2025`. */
function dayWords(values: readonly number[], isOfDays: boolean): (seconds: number) => string {
  const isLong = (values.at(-1) ?? 0) - (values[0] ?? 0) > 400 * DAY
  return (seconds) => {
    const at = new Date(seconds * 1000)
    const time = at.toISOString().slice(11, 16)
    if (time !== '00:00' && !isOfDays) return time
    const parts = isLong
      ? ({ month: 'short', year: 'numeric' } as const)
      : ({ day: 'numeric', month: 'short' } as const)
    return at.toLocaleDateString('en-GB', { ...parts, timeZone: 'UTC' })
  }
}
