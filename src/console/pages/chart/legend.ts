import { isOfPeriod, isWithinSession } from '../../bar-columns.js'
import { INDICATORS, indicatorTitle } from '../../indicators.js'
import { amount, grouped, rounded } from '../words.js'
import { type Bar, type Bars, barOf, barTime, type ChartData, lastBarBy } from './bars.js'

/** A bar in one line: also what a screen reader says. */
export function legendOf(bar: Bar, data: ChartData): string {
  const { timeframe, isAdjusted } = data
  const price = (value: number): string => (isAdjusted ? rounded(value) : grouped(value))
  // Limits and flow are those of a session: a week has several.
  const days = isOfPeriod(timeframe) ? [] : data.days
  const day = days.find(({ trading_date }) => trading_date === bar.tradingDate)
  const factor = isAdjusted ? Number(day?.price_factor ?? 1) : 1
  const limit = (name: string): string => price(Number(day?.[name]) * factor)
  const limits = day?.ceiling
    ? ` · ceiling ${limit('ceiling')} ref ${limit('ref_price')} floor ${limit('floor')}`
    : ''
  const flow = day && !isWithinSession(timeframe) ? ` · foreign net ${amount(day.foreign_net_value)} VND` : ''
  const prices = Number.isNaN(bar.open)
    ? rounded(bar.close)
    : `O ${price(bar.open)} H ${price(bar.high)} L ${price(bar.low)} C ${price(bar.close)}`
  const change = changeWords(bar.close / (Number(day?.ref_price ?? 0) * factor || closeBefore(bar, data)) - 1)
  return `${barTime(bar.time, timeframe)} · ${prices}${change && ` (${change})`} · volume ${rounded(bar.volume, 0)}${limits}${flow}`
}

/** What indicators are at a bar: `SMA 20 27,050 · RSI 14 61.2`; a dash where there are not enough bars. */
export function indicatorsAt(index: number, { drawnIndicators }: ChartData): string {
  return drawnIndicators
    .map((indicator) => {
      const values = INDICATORS[indicator.kind].columns.map(
        (name) => indicator.columns[name]?.[index] ?? Number.NaN,
      )
      return `${indicatorTitle(indicator)} ${values.map((value) => (Number.isNaN(value) ? '–' : rounded(value))).join(' / ')}`
    })
    .join(' · ')
}

/** What a session without a reference price changed from: the close before; not a number for bars within a session. */
function closeBefore({ time }: Bar, { bars, timeframe }: ChartData): number {
  if (isWithinSession(timeframe)) return Number.NaN
  return bars.close[lastBarBy(bars, time) - 1] ?? Number.NaN
}

/** `+0.44 %` for a fraction; empty where it is not a number. */
export function changeWords(part: number): string {
  if (!Number.isFinite(part)) return ''
  const sign = part > 0 ? '+' : part < 0 ? '−' : ''
  return `${sign}${Math.abs(100 * part).toFixed(2)} %`
}

/** What a symbol of a comparison did between two times. */
export interface Compared {
  symbol: string
  /** Adjusted close by the later time; not a number before its first bar. */
  close: number
  /** A fraction, since its first bar of the view. */
  change: number
}

/**
 * Each symbol of a comparison: as the percent scale of the chart, from its own first bar that is seen.
 *
 * @param from time of the first bar that is seen
 * @param to time of the bar that is pointed at
 */
export function comparedBetween(data: ChartData, from: number, to: number): Compared[] {
  const compared = (symbol: string, bars: Bars): Compared => {
    const before = lastBarBy(bars, from)
    const first = bars.time[before] === from ? before : before + 1
    const last = lastBarBy(bars, to)
    const close = last >= first ? (bars.close[last] ?? Number.NaN) : Number.NaN
    return { symbol, close, change: close / (bars.close[first] ?? Number.NaN) - 1 }
  }
  return [compared(data.symbol, data.bars), compared(data.other, data.otherBars)]
}

/** The time of the last bar of either symbol. */
export function lastTime({ bars, otherBars }: ChartData): number {
  const timeOf = (drawn: Bars): number => barOf(drawn, drawn.length - 1)?.time ?? Number.NEGATIVE_INFINITY
  return Math.max(timeOf(bars), timeOf(otherBars))
}

/** A symbol of a comparison in words. */
export function comparedWords({ symbol, close, change }: Compared): string {
  if (Number.isNaN(close)) return `${symbol} no bar yet`
  return `${symbol} ${rounded(close)} (${changeWords(change) || 'no change known'})`
}
