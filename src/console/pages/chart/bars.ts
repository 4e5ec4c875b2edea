import { get, type Row, view } from '../api.js'

/** A bar as `/api/candles` answers it: text where values are exact, numbers where they are adjusted. */
export interface Bar {
  opened_at: string
  trading_date: string
  open: string | number
  high: string | number
  low: string | number
  close: string | number
  volume: string | number | null
  value: string | null
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

export async function loadChart(selection: Selection): Promise<ChartData> {
  const { symbol, timeframe, from, isAdjusted, other } = selection
  const candles = async (name: string): Promise<Bar[]> =>
    name === ''
      ? []
      : (
          await get<{ bars: Bar[] }>('/api/candles', {
            symbol: name,
            timeframe,
            from,
            adjusted: String(isAdjusted),
          })
        ).bars
  const [bars, otherBars, days, events, phases] = await Promise.all([
    candles(symbol),
    candles(other),
    view('chart_days', { symbol, first: from || '0001-01-01', last: '9999-12-31' }),
    view('chart_events', { symbol }),
    view('chart_phases', { symbol }),
  ])
  return { selection, bars, otherBars, days, events, phases }
}

const EXCHANGE_SECONDS = 7 * 3600

/** Seconds that the chart writes as exchange time: it knows no time zones. */
export function chartTime(bar: { opened_at: string }): number {
  return Date.parse(bar.opened_at) / 1000 + EXCHANGE_SECONDS
}

/** `09:15` of a bar, exchange time. */
export function minuteOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 16)
}
