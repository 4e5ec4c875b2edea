import type { Row } from '../api.js'
import { amount, grouped, rounded } from '../words.js'
import type { Bar, ChartData, Selection } from './bars.js'

/** When a bar began: its session, or day and minute in exchange time. */
export function barTime(bar: Bar, { timeframe }: Selection): string {
  return timeframe === '1d'
    ? bar.tradingDate
    : new Date(bar.time * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

/** A bar in one line: also what a screen reader says. */
export function legendOf(bar: Bar, { selection, days }: ChartData): string {
  const day = days.find(({ trading_date }) => trading_date === bar.tradingDate)
  const price = (value: number): string => (selection.isAdjusted ? rounded(value) : grouped(value))
  const known = selection.isAdjusted ? undefined : day
  const limits = known
    ? ` · ceiling ${grouped(known.ceiling)} ref ${grouped(known.ref_price)} floor ${grouped(known.floor)}`
    : ''
  const flow =
    day && selection.timeframe === '1d' ? ` · foreign net ${amount(day.foreign_net_value)} VND` : ''
  const prices = `O ${price(bar.open)} H ${price(bar.high)} L ${price(bar.low)} C ${price(bar.close)}`
  const change = changeWords(bar.close, known?.ref_price)
  return `${barTime(bar, selection)} · ${prices}${change} · volume ${rounded(bar.volume, 0)}${limits}${flow}`
}

/** ` (+0.44 %)`: a close against the reference of its session. */
function changeWords(close: number, reference: Row[string] | undefined): string {
  const part = close / Number(reference ?? 0) - 1
  if (!Number.isFinite(part)) return ''
  const sign = part > 0 ? '+' : part < 0 ? '−' : ''
  return ` (${sign}${Math.abs(100 * part).toFixed(2)} %)`
}
