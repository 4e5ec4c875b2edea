// One session of one symbol as minute bars that add up exactly with its daily record.

import type { CandleRow } from './rows.js'

const MINUTES = [
  '09:15',
  '09:16',
  '09:17',
  '09:20',
  '09:30',
  '10:00',
  '10:30',
  '11:29',
  '13:00',
  '13:30',
  '14:29',
  '14:45',
]
const LAST = MINUTES.length - 1

export interface DayShape {
  symbol: string
  /** 'YYYY/MM/DD' */
  day: string
  open: number
  high: number
  low: number
  close: number
  volume: number
  /** When absent, the sum over the bars decides. */
  value?: number
  tick: number
  /** Shares (or contracts) that move together. */
  lot: number
  /** VND per point and contract; 1 for shares. */
  multiplier: number
}

export const price = (value: number, tick: number): string =>
  tick < 1 ? value.toFixed(1) : String(Math.round(value))

/** Open at the first bar, the high within it, the low after it, the close by the last. */
const path = (shape: DayShape): number[] => {
  const knots: [number, number][] = [
    [0, shape.open],
    [5, shape.high],
    [9, shape.low],
    [LAST, shape.close],
  ]
  return MINUTES.map((_, at) => {
    const next = knots.findIndex(([where]) => where >= at)
    const [to, target] = knots[next] ?? [LAST, shape.close]
    const [from, start] = knots[Math.max(0, next - 1)] ?? [0, shape.open]
    if (to === at || to === from) return target
    const exact = start + ((target - start) * (at - from)) / (to - from)
    const rounded = Math.round(exact / shape.tick) * shape.tick
    return Math.min(Math.max(rounded, Math.min(start, target)), Math.max(start, target))
  })
}

export const minuteBars = (shape: DayShape): CandleRow[] => {
  if (!(shape.volume > 0)) return []
  const points = path(shape)
  const unit = shape.volume % shape.lot === 0 ? shape.lot : 1
  const share = Math.floor(shape.volume / unit / MINUTES.length) * unit
  const bars = MINUTES.map((minute, at) => {
    const start = points[at] ?? shape.close
    const end = points[Math.min(at + 1, LAST)] ?? shape.close
    const volume = at === LAST ? shape.volume - share * LAST : share
    return { minute, start, end, volume, value: Math.round(end * volume * shape.multiplier) }
  })
  const last = bars[LAST]
  if (shape.value !== undefined && last) {
    last.value += shape.value - bars.reduce((sum, bar) => sum + bar.value, 0)
  }
  return bars
    .filter((bar) => bar.volume > 0)
    .map((bar) => ({
      symbol: shape.symbol,
      tradingDate: `${shape.day} ${bar.minute}:00`,
      open: price(bar.start, shape.tick),
      high: price(Math.max(bar.start, bar.end), shape.tick),
      low: price(Math.min(bar.start, bar.end), shape.tick),
      close: price(bar.end, shape.tick),
      volume: String(bar.volume),
      value: String(bar.value),
    }))
}

/** Clock-anchored bars of `size` minutes out of minute bars in time order, each labelled by its start. */
export const widen = (minutes: CandleRow[], size: number): CandleRow[] => {
  const out: CandleRow[] = []
  for (const bar of minutes) {
    const clock = Number(bar.tradingDate.slice(11, 13)) * 60 + Number(bar.tradingDate.slice(14, 16))
    const start = clock - (clock % size)
    const two = (value: number): string => String(value).padStart(2, '0')
    const label = `${bar.tradingDate.slice(0, 10)} ${two(Math.floor(start / 60))}:${two(start % 60)}:00`
    const open = out.at(-1)
    if (open?.tradingDate !== label) {
      out.push({ ...bar, tradingDate: label })
      continue
    }
    if (Number(bar.high) > Number(open.high)) open.high = bar.high
    if (Number(bar.low) < Number(open.low)) open.low = bar.low
    open.close = bar.close
    open.volume = String(Number(open.volume) + Number(bar.volume))
    open.value = String(Number(open.value) + Number(bar.value))
  }
  return out
}
