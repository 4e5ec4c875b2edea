import { addDays, type Day, dayCount } from 'candlehouse-foundation/market/day'
import { date } from '../figures.js'
import { type Drawing, LINE, MUTED, type Room, text } from './draw.js'

export interface Line {
  readonly name: string
  /** Beside the last point. */
  readonly label: string
  readonly color: string
  /** Pixels drawn and left out in turn where it is a list. */
  readonly dash: 'solid' | 'dashed' | 'dotted' | readonly number[]
  /** By day of the chart; null where there is none. */
  readonly values: readonly (number | null)[]
}

const TOP = 14
const BOTTOM = 26

/** Pixels between the names of two lines that end at the same height. */
const LABEL = 15

/**
 * Lines over days, each named at its end. Days stand as far apart as they are in the calendar: a week without a snapshot is a long step.
 *
 * @param format of the axis, for a range of values: neighbouring marks must not read the same
 */
export function namedLines(
  days: readonly Day[],
  lines: readonly Line[],
  format: (range: number) => (value: number) => string,
  { isNarrow }: Room,
  height = 230,
): Drawing {
  const { min, max } = valueBounds(lines)
  const [firstDay] = days
  const places = days.map((day) => dayCount(firstDay ?? day, day) - 1)
  const shifts = shiftsOf(lines, (max - min) / (height - TOP - BOTTOM))
  return {
    height,
    option: {
      grid: { left: isNarrow ? 52 : 64, right: isNarrow ? 88 : 150, top: TOP, bottom: BOTTOM },
      xAxis: {
        type: 'value',
        min: 0,
        max: places.at(-1) ?? 0,
        minInterval: 1,
        splitLine: { show: false },
        axisLine: { onZero: false, lineStyle: { color: LINE } },
        axisTick: { show: false },
        axisLabel: {
          ...text(MUTED, 11),
          formatter: (place: number) => shortDate(dayAt(firstDay, place)),
          hideOverlap: true,
        },
      },
      yAxis: {
        type: 'value',
        min,
        max,
        splitNumber: isNarrow ? 3 : 4,
        splitLine: { showMinLine: false, showMaxLine: false, lineStyle: { color: LINE } },
        axisLabel: {
          ...text(MUTED, 11),
          formatter: format(max - min),
          showMinLabel: false,
          showMaxLabel: false,
        },
      },
      series: lines.map(({ name, label, color, dash, values }, index) => ({
        name,
        type: 'line',
        silent: true,
        data: values.map((value, index) => [places[index] ?? null, value]),
        connectNulls: true,
        symbol: days.length < 12 ? 'circle' : 'none',
        symbolSize: 5,
        itemStyle: { color },
        lineStyle: { color, width: 2, type: dash },
        endLabel: {
          show: true,
          formatter: () => (isNarrow && lines.length > 1 ? name : label),
          distance: 6,
          offset: [0, shifts[index] ?? 0],
          ...text(color, 12),
        },
      })),
    },
  }
}

/** The day that many days after the first one. */
function dayAt(first: Day | undefined, place: number): string {
  return first ? addDays(first, place) : ''
}

/** A little more room than the values need. */
export function valueBounds(lines: readonly Pick<Line, 'values'>[]): { min: number; max: number } {
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const room = (most - least) * 0.08 || Math.abs(most) * 0.01 || 1
  return { min: least - room, max: most + room }
}

/** How far down each name moves so that none is written over another. */
function shiftsOf(lines: readonly Line[], valuePerPixel: number): number[] {
  const heights = lines.map(
    ({ values }) => -(values.findLast((value) => value !== null) ?? 0) / valuePerPixel,
  )
  const order = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0))
  const shifts = heights.map(() => 0)
  let free = Number.NEGATIVE_INFINITY
  for (const index of order) {
    const height = heights[index] ?? 0
    const place = Math.max(height, free)
    shifts[index] = place - height
    free = place + LABEL
  }
  return shifts
}

/** 20 Nov */
export function shortDate(day: string): string {
  return date(day).split(' ').slice(0, 2).join(' ')
}
