import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { BAR_COLUMNS, type ChartHead } from '../../bar-columns.js'
import { type Row, reach, read } from '../api.js'

/** Bars as columns: a year of minutes has 60,000, of which a screen shows some hundred. */
export interface Bars extends Readonly<Record<(typeof BAR_COLUMNS)[number], Float64Array>> {
  readonly length: number
  /** Seconds that the chart writes as exchange time: it knows no time zones. */
  readonly time: Float64Array
  /** In the order of time. */
  readonly sessions: readonly { tradingDate: string; first: number }[]
}

/** A bar of the chart. Prices and volume are adjusted where the selection is. */
export interface Bar {
  time: number
  /** `2025-03-14`, exchange time. */
  tradingDate: string
  open: number
  high: number
  low: number
  close: number
  volume: number | null
  /** VND. */
  value: number | null
}

/** What a chart shows. */
export interface Selection {
  symbol: string
  timeframe: Timeframe
  /** First trading date; empty: from the first bar on. */
  from: string
  isAdjusted: boolean
  /** A second symbol to compare with; empty: none. */
  other: string
}

export interface ChartData {
  selection: Selection
  bars: Bars
  otherBars: Bars
  /** One per session: limits, foreign flow, volume. */
  days: Row[]
  events: Row[]
  phases: Row[]
}

export async function loadChart(selection: Selection): Promise<ChartData> {
  const { symbol, timeframe, from, isAdjusted, other } = selection
  const query = new URLSearchParams({ symbol, timeframe, from, adjusted: String(isAdjusted), other })
  const response = await reach(`/api/chart?${query}`)
  if (!response.ok) return await read<never>(response)
  const bytes = await response.arrayBuffer()
  const length = new DataView(bytes).getUint32(0, true)
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length))
  const head = JSON.parse(text) as ChartHead<Row[]>
  const { bars, otherBars, days, events, phases } = head
  const end = 4 + length + bars * BAR_COLUMNS.length * Float64Array.BYTES_PER_ELEMENT
  return {
    selection,
    bars: barsOf(bytes, 4 + length, bars),
    otherBars: barsOf(bytes, end, otherBars),
    days,
    events,
    phases,
  }
}

const EXCHANGE_SECONDS = 7 * 3600
const DAY_SECONDS = 86_400

function barsOf(bytes: ArrayBuffer, from: number, length: number): Bars {
  const [time, open, high, low, close, volume, value] = BAR_COLUMNS.map(
    (_, index) => new Float64Array(bytes, from + index * length * Float64Array.BYTES_PER_ELEMENT, length),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  const sessions: { tradingDate: string; first: number }[] = []
  let nextDay = Number.NEGATIVE_INFINITY
  for (let index = 0; index < length; index += 1) {
    const seconds = (time[index] ?? 0) + EXCHANGE_SECONDS
    time[index] = seconds
    if (seconds < nextDay) continue
    nextDay = (Math.floor(seconds / DAY_SECONDS) + 1) * DAY_SECONDS
    sessions.push({ tradingDate: new Date(seconds * 1000).toISOString().slice(0, 10), first: index })
  }
  return { length, time, open, high, low, close, volume, value, sessions }
}

/** The bar of an index; undefined where there is none. */
export function barOf(bars: Bars, index: number): Bar | undefined {
  const time = bars.time[index]
  if (time === undefined) return undefined
  const number = (name: 'open' | 'high' | 'low' | 'close'): number => bars[name][index] ?? Number.NaN
  const known = (value = Number.NaN): number | null => (Number.isNaN(value) ? null : value)
  return {
    time,
    tradingDate: new Date(time * 1000).toISOString().slice(0, 10),
    open: number('open'),
    high: number('high'),
    low: number('low'),
    close: number('close'),
    volume: known(bars.volume[index]),
    value: known(bars.value[index]),
  }
}

/** `09:15` of a bar, exchange time. */
export function minuteOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16)
}
