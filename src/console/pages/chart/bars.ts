import { get, type Row, rowsOf, type Table } from '../api.js'

/** A bar of the chart. Prices and volume are adjusted where the selection is. */
export interface Bar {
  /** Seconds that the chart writes as exchange time: it knows no time zones. */
  time: number
  /** `2025-03-14`, exchange time. */
  tradingDate: string
  open: number
  high: number
  low: number
  close: number
  volume: number | null
  /** VND; null where it was not sent: the page shows that of the last bars only. */
  value: number | null
}

export const TIMEFRAMES = ['1m', '3m', '5m', '15m', '30m', '1h', '1d'] as const
export type Timeframe = (typeof TIMEFRAMES)[number]

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
  bars: Bar[]
  otherBars: Bar[]
  /** One per session: limits, foreign flow, volume. */
  days: Row[]
  events: Row[]
  phases: Row[]
}

/** Bars as `/api/chart` answers them: columns of the same length, but for `value`, which the last bars have. */
interface BarColumns {
  opened_at: number[] | null
  open: number[]
  high: number[]
  low: number[]
  close: number[]
  volume: (number | null)[]
  value: (number | null)[]
}

interface ChartAnswer {
  bars: BarColumns
  otherBars: BarColumns | null
  days: Table
  events: Table
  phases: Table
}

export async function loadChart(selection: Selection): Promise<ChartData> {
  const { symbol, timeframe, from, isAdjusted, other } = selection
  const adjusted = String(isAdjusted)
  const answer = await get<ChartAnswer>('/api/chart', { symbol, timeframe, from, adjusted, other })
  return {
    selection,
    bars: barsOf(answer.bars),
    otherBars: answer.otherBars ? barsOf(answer.otherBars) : [],
    days: rowsOf(answer.days),
    events: rowsOf(answer.events),
    phases: rowsOf(answer.phases),
  }
}

const EXCHANGE_SECONDS = 7 * 3600
const DAY_SECONDS = 86_400

function barsOf({ opened_at, open, high, low, close, volume, value }: BarColumns): Bar[] {
  if (!opened_at) return []
  const withoutValue = opened_at.length - value.length
  let [day, tradingDate] = [Number.NaN, '']
  return opened_at.map((seconds, index) => {
    const time = seconds + EXCHANGE_SECONDS
    if (Math.floor(time / DAY_SECONDS) !== day) {
      day = Math.floor(time / DAY_SECONDS)
      tradingDate = new Date(time * 1000).toISOString().slice(0, 10)
    }
    return {
      time,
      tradingDate,
      open: open[index] ?? Number.NaN,
      high: high[index] ?? Number.NaN,
      low: low[index] ?? Number.NaN,
      close: close[index] ?? Number.NaN,
      volume: volume[index] ?? null,
      value: value[index - withoutValue] ?? null,
    }
  })
}

/** `09:15` of a bar, exchange time. */
export function minuteOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16)
}
