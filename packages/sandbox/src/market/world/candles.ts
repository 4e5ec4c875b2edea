import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { minutes } from 'candlehouse-foundation/market/timeframe'
import type { Bars } from './bars.js'

/** Adds one-minute bars up to longer ones by clock bucket, in place. */
export function aggregate(bars: Bars, timeframe: Timeframe): void {
  const width = minutes(timeframe)
  if (width === 1) return
  let out = -1
  let bucket = -1
  for (let i = 0; i < bars.count; i++) {
    const minute = bars.minute[i] ?? 0
    const start = minute - (minute % width)
    const high = bars.high[i] ?? 0
    const low = bars.low[i] ?? 0
    if (start === bucket) {
      if (high > (bars.high[out] ?? 0)) bars.high[out] = high
      if (low < (bars.low[out] ?? 0)) bars.low[out] = low
      bars.volume[out] = (bars.volume[out] ?? 0) + (bars.volume[i] ?? 0)
      bars.value[out] = (bars.value[out] ?? 0) + (bars.value[i] ?? 0)
    } else {
      bucket = start
      out++
      bars.minute[out] = start
      bars.open[out] = bars.open[i] ?? 0
      bars.high[out] = high
      bars.low[out] = low
      bars.volume[out] = bars.volume[i] ?? 0
      bars.value[out] = bars.value[i] ?? 0
    }
    bars.close[out] = bars.close[i] ?? 0
  }
  bars.count = out + 1
}

/** Keeps the bars that start within two minutes of the day, both included, in place. */
export function keepBetween(bars: Bars, from: number, to: number): void {
  let out = 0
  for (let i = 0; i < bars.count; i++) {
    const minute = bars.minute[i] ?? 0
    if (minute < from || minute > to) continue
    bars.minute[out] = minute
    for (const column of [bars.open, bars.high, bars.low, bars.close, bars.volume, bars.value]) {
      column[out] = column[i] ?? 0
    }
    out++
  }
  bars.count = out
}
