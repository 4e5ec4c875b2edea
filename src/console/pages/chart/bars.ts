import { BAR_COLUMNS, type BarLength, type ChartHead, isWithinSession } from '../../bar-columns.js'
import {
  INDICATORS,
  type Indicator,
  indicatorColumns,
  indicatorsOf,
  indicatorWords,
} from '../../indicators.js'
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
  /** Not a number where only a value is known, as of an index. */
  open: number
  high: number
  low: number
  close: number
  volume: number | null
  /** VND. */
  value: number | null
}

/** What the console's server is asked for. */
export interface Selection {
  /** Empty: the console chooses. */
  symbol: string
  /** Empty: the console chooses, by what is stored. */
  timeframe: BarLength | ''
  isAdjusted: boolean
  /** A second symbol to compare with; empty: none. */
  other: string
  indicators: readonly Indicator[]
}

/** An indicator that is drawn: its columns by name, a number per bar, NaN where there are not enough bars. */
export interface DrawnIndicator extends Indicator {
  readonly columns: Readonly<Record<string, Float64Array>>
}

/** What is drawn: the selection, and what the console has chosen where it was left open. */
export interface ChartData extends Omit<ChartHead<Row[]>, 'bars' | 'otherBars' | 'indicators'> {
  other: string
  drawnIndicators: readonly DrawnIndicator[]
  bars: Bars
  otherBars: Bars
}

export async function loadChart(selection: Selection): Promise<ChartData> {
  const { symbol, timeframe, isAdjusted, other } = selection
  const indicators = indicatorWords(selection.indicators)
  const query = new URLSearchParams({ symbol, timeframe, adjusted: String(isAdjusted), other, indicators })
  const response = await reach(`/api/chart?${query}`)
  if (!response.ok) return await read<never>(response)
  const bytes = await response.arrayBuffer()
  const length = new DataView(bytes).getUint32(0, true)
  const text = new TextDecoder().decode(new Uint8Array(bytes, 4, length))
  const head = JSON.parse(text) as ChartHead<Row[]>
  const start = 4 + length
  const drawn = indicatorsOf(head.indicators) ?? []
  const afterBars = start + head.bars * BAR_COLUMNS.length * WIDTH
  const names = indicatorColumns(drawn)
  const columns = Object.fromEntries(
    names.map((name, index) => [name, columnOf(bytes, afterBars, index, head.bars)]),
  )
  return {
    ...head,
    other,
    drawnIndicators: drawn.map((indicator) => ({ ...indicator, columns: pick(columns, indicator) })),
    bars: barsOf(bytes, start, head.bars),
    otherBars: barsOf(bytes, afterBars + names.length * head.bars * WIDTH, head.otherBars),
  }
}

const WIDTH = Float64Array.BYTES_PER_ELEMENT

function columnOf(bytes: ArrayBuffer, from: number, index: number, length: number): Float64Array {
  return new Float64Array(bytes, from + index * length * WIDTH, length)
}

function pick(columns: Readonly<Record<string, Float64Array>>, { kind }: Indicator) {
  const names: readonly string[] = INDICATORS[kind].columns
  return Object.fromEntries(Object.entries(columns).filter(([name]) => names.includes(name)))
}

const EXCHANGE_SECONDS = 7 * 3600
const DAY_SECONDS = 86_400

function barsOf(bytes: ArrayBuffer, from: number, length: number): Bars {
  return barsFrom(BAR_COLUMNS.map((_, index) => columnOf(bytes, from, index, length)))
}

/** @param columns in the order of `BAR_COLUMNS`; times in UTC, which are moved to exchange time */
export function barsFrom(columns: readonly Float64Array[]): Bars {
  const [time, open, high, low, close, volume, value] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const sessions: { tradingDate: string; first: number }[] = []
  let nextDay = Number.NEGATIVE_INFINITY
  for (let index = 0; index < time.length; index += 1) {
    const seconds = exchangeSeconds(time[index] ?? 0)
    time[index] = seconds
    if (seconds < nextDay) continue
    nextDay = (Math.floor(seconds / DAY_SECONDS) + 1) * DAY_SECONDS
    sessions.push({ tradingDate: new Date(seconds * 1000).toISOString().slice(0, 10), first: index })
  }
  return { length: time.length, time, open, high, low, close, volume, value, sessions }
}

/** Seconds since 1970 that UTC writes as exchange time. */
export function exchangeSeconds(seconds: number): number {
  return seconds + EXCHANGE_SECONDS
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

/** Index of the last bar that begins at that time or before; -1 where all begin later. */
export function lastBarBy(bars: Bars, time: number): number {
  let [low, high] = [0, bars.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars.time[middle] ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Whether bars have a value alone, as those of an index without candles. */
export function areValues({ open, length }: Bars): boolean {
  return length > 0 && open.some(Number.isNaN)
}

/** `09:15` of a bar, exchange time. */
export function minuteOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16)
}

/** When a bar began: its session, or day and minute in exchange time. */
export function barTime(time: number, timeframe: BarLength): string {
  const text = new Date(time * 1000).toISOString()
  return isWithinSession(timeframe) ? text.slice(0, 16).replace('T', ' ') : text.slice(0, 10)
}
