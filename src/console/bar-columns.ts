import { TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'

/**
 * Columns of a chart's bars, in the order in which `/api/chart` sends them: numbers of eight bytes, NaN where there is none.
 * `time` is in seconds since 1970, UTC. A year of minutes as JSON took twice the time on the server, and text to parse in the browser.
 */
export const BAR_COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'value'] as const

/** Lengths of bars that a chart has: stored ones, and weeks and months of sessions. */
export const BAR_LENGTHS = [...TIMEFRAMES, '1w', '1M'] as const

export type BarLength = (typeof BAR_LENGTHS)[number]

export function isBarLength(text: string): text is BarLength {
  return (BAR_LENGTHS as readonly string[]).includes(text)
}

/** Whether several bars may belong to one session. */
export function isWithinSession(length: BarLength): boolean {
  return /[mh]$/.test(length)
}

/** Whether several sessions may belong to one bar: weeks and months, which are made of them. */
export function isOfPeriod(length: BarLength): boolean {
  return length === '1w' || length === '1M'
}

/** Fewer bars than this show little: a new home has five sessions. */
export const FEW_BARS = 40

/**
 * The length to draw where few sessions are stored: the longest one within a session of which there are enough bars, else the
 * one of which there are most; undefined where there are none.
 *
 * @param stored how many candles are stored, by timeframe
 */
export function sensibleLength(stored: readonly Readonly<Record<string, unknown>>[]): BarLength | undefined {
  const counts = new Map(stored.map(({ timeframe, bars }) => [String(timeframe), Number(bars)]))
  const countOf = (length: BarLength): number => counts.get(length) ?? 0
  const within = BAR_LENGTHS.filter((length) => isWithinSession(length) && countOf(length) > 0)
  const most = Math.max(...within.map(countOf))
  return (
    within.findLast((length) => countOf(length) >= FEW_BARS) ??
    within.find((length) => countOf(length) === most)
  )
}

/** What stands before the columns, as JSON; its length in bytes is the first number of four bytes. Columns begin at a multiple of eight. */
export interface ChartHead<Table> {
  /** The symbol that is drawn; empty where none is asked for and none is stored. */
  symbol: string
  /** Empty where no list has them. */
  name: string
  board: string
  timeframe: BarLength
  isAdjusted: boolean
  /** Indicators whose columns follow those of the symbol's bars (`indicators.ts`); empty: none. */
  indicators: string
  /** Numbers of bars: first those of the symbol, then those of the second one, whose columns follow. */
  bars: number
  otherBars: number
  days: Table
  events: Table
  /** Of the symbols that are drawn adjusted: from which session on all adjustments are known. */
  chain: Table
  phases: Table
  fills: Table
  conditional: Table
}
