import type { SeriesMarker, Time } from 'lightweight-charts'
import { type BarLength, isWithinSession } from '../../bar-columns.js'
import type { Row } from '../api.js'
import { rounded } from '../words.js'
import { type Bars, type ChartData, exchangeSeconds, lastBarBy } from './bars.js'
import type { Colours } from './colours.js'
import { timeAt } from './layer.js'

type Marker = SeriesMarker<Time>

/** What is marked at the bars from an index on, in the order of their times, as the library wants them. */
export function markersOf(data: ChartData, from: number, colours: Colours): Marker[] {
  const markers = [
    ...limitMarkers(data, from, colours),
    ...eventMarkers(data, from, colours),
    ...fillMarkers(data, from, colours),
  ]
  return markers.sort((a, b) => Number(a.time) - Number(b.time))
}

/** A square above the first bar of each ex-date. The table below the chart has the states. */
function eventMarkers({ events, bars, timeframe }: ChartData, from: number, { accent }: Colours): Marker[] {
  return events.flatMap(({ ex_date, factor, state, kinds }) => {
    const index = barOfDay(bars, String(ex_date), timeframe)
    if (index === undefined || index < from) return []
    const words = [String(kinds ?? '').replaceAll('_', ' ') || 'ex', `×${Number(factor).toFixed(4)}`]
    const text = `${words.join(' ')}${state === 'contradicted' ? ' ?' : ''}`
    return [{ time: timeAt(bars, index), position: 'aboveBar', shape: 'square', color: accent, text }]
  })
}

/** Which limit a session closed at; undefined where at none, or where none is known. */
export function closedAtLimit(day: Row): 'ceiling' | 'floor' | undefined {
  const at = (value: unknown): boolean =>
    value !== null && Number(value) > 0 && Number(value) === Number(day.close)
  if (at(day.ceiling)) return 'ceiling'
  return at(day.floor) ? 'floor' : undefined
}

/** `CE` and `FL`, as price boards write them, at the last bar of a session that closed at a limit. */
function limitMarkers({ days, bars, timeframe }: ChartData, from: number, colours: Colours): Marker[] {
  const limits = new Map(days.map((day) => [String(day.trading_date), closedAtLimit(day)]))
  return bars.sessions.flatMap(({ tradingDate }, at) => {
    const limit = limits.get(tradingDate)
    const last = (bars.sessions[at + 1]?.first ?? bars.length) - 1
    // A bar of a week or a month has several sessions.
    if (limit === undefined || last < from || !(isWithinSession(timeframe) || timeframe === '1d')) return []
    const isCeiling = limit === 'ceiling'
    return [
      {
        time: timeAt(bars, last),
        position: isCeiling ? 'aboveBar' : 'belowBar',
        shape: 'circle',
        size: 0.6,
        color: colours[limit],
        text: isCeiling ? 'CE' : 'FL',
      },
    ]
  })
}

/** One arrow per bar and side, with the sum of what was bought or sold in it. */
function fillMarkers({ fills, bars, timeframe }: ChartData, from: number, { accent }: Colours): Marker[] {
  const sums = new Map<string, { index: number; side: string; quantity: number }>()
  for (const fill of fills) {
    const index = barOfFill(bars, fill, timeframe)
    if (index === undefined || index < from) continue
    const side = String(fill.side)
    const sum = sums.get(`${index} ${side}`) ?? { index, side, quantity: 0 }
    sums.set(`${index} ${side}`, { ...sum, quantity: sum.quantity + Number(fill.quantity) })
  }
  return [...sums.values()].map(({ index, side, quantity }) => ({
    time: timeAt(bars, index),
    position: side === 'B' ? 'belowBar' : 'aboveBar',
    shape: side === 'B' ? 'arrowUp' : 'arrowDown',
    color: accent,
    text: `${side} ${rounded(quantity, 0)}`,
  }))
}

/** The bar in which something was filled: by its time, else the first one of its session. */
function barOfFill(bars: Bars, { filled_at, trading_date }: Row, timeframe: BarLength): number | undefined {
  const day = String(trading_date)
  if (!isWithinSession(timeframe) || filled_at === null) return barOfDay(bars, day, timeframe)
  const index = lastBarBy(bars, exchangeSeconds(Number(filled_at)))
  const isSameDay = new Date((bars.time[index] ?? 0) * 1000).toISOString().slice(0, 10) === day
  return isSameDay ? index : barOfDay(bars, day, timeframe)
}

/** Longest time from the first day of a bar to its last one, in days. */
const REACH: Partial<Record<string, number>> = { '1w': 6, '1M': 30 }

/** Index of the first bar that belongs to a day; undefined where there is none. */
function barOfDay(bars: Bars, day: string, timeframe: BarLength): number | undefined {
  if (isWithinSession(timeframe)) return bars.sessions.find(({ tradingDate }) => tradingDate === day)?.first
  const seconds = Date.parse(day) / 1000
  const index = lastBarBy(bars, seconds)
  const behind = (seconds - (bars.time[index] ?? Number.NaN)) / 86_400
  return behind <= (REACH[timeframe] ?? 0) ? index : undefined
}
