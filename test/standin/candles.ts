// Which candles a request is about.

import { type Call, invalid, param, required } from './answer.js'
import { widen } from './bars.js'
import { daysLater, type Moment, readMoment, yearBefore } from './dates.js'
import type { CandleRow } from './rows.js'

const MINUTES: Record<string, number> = { '1m': 1, '3m': 3, '5m': 5, '15m': 15, '30m': 30, '1h': 60 }

const moment = (call: Call, name: 'from' | 'to'): Moment => {
  const found = readMoment(required(call, name), name === 'to')
  if (!found) throw invalid(`${name} is invalid`)
  if (found.bare && call.options.ohlcBareDate === 'refuse') throw invalid(`${name} is invalid`, '400213')
  return found
}

export const candles = (call: Call): CandleRow[] => {
  const symbol = required(call, 'symbol')
  const from = moment(call, 'from').at
  const to = moment(call, 'to').at
  if (to < from) throw invalid('to must be greater than or equal to from')
  const frame = param(call, 'timeFrame') ?? '1d'
  const size = MINUTES[frame]
  if (frame !== '1d' && size === undefined) throw invalid('timeFrame is invalid')
  const { market, today, options } = call
  const own = (rows: CandleRow[]): CandleRow[] =>
    rows.filter((row) => row.symbol === symbol && row.tradingDate.slice(0, 10) <= today)
  const known = size === undefined ? own(market.daily) : widen(own(market.minutes), size)
  const past = size !== undefined && options.intradayPastToday === 'empty' && to.slice(0, 10) > today
  const oldest = size === undefined ? '' : daysLater(yearBefore(today), options.yearEdgeLaterDays)
  if (from < oldest && options.beforeYearEdge === 'refuse') throw invalid('from is out of range')
  // A daily candle belongs to its day whatever the time of day asked for.
  const [low, high] = size === undefined ? [from.slice(0, 10), to.slice(0, 10)] : [from, to]
  const rows = past
    ? []
    : known.filter((row) => row.tradingDate >= low && row.tradingDate <= high && row.tradingDate >= oldest)
  return options.ohlcOrder === 'newest-first' ? rows.reverse() : rows
}
