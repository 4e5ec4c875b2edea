import { limitsAround } from '../../market/band.js'
import { FUTURES_MULTIPLIER } from '../../market/futures.js'
import { tradingBoard } from '../../market/kind.js'
import { ROUND_LOT } from '../../market/lot.js'
import { grid } from '../../market/sessions.js'
import { tickAt, toTick } from '../../market/tick.js'
import { Draws, mix } from './hash.js'
import { boardAt, type Instrument } from './instrument.js'
import type { Prices } from './prices.js'
import type { Timeline } from './timeline.js'

/** One day's one-minute bars as columns, reused from day to day: a year is computed without garbage. */
export interface Bars {
  count: number
  /** Start of the bar, minutes after midnight. */
  minute: Uint16Array
  /** VND or index points. */
  open: Float64Array
  high: Float64Array
  low: Float64Array
  close: Float64Array
  /** Shares or contracts. */
  volume: Float64Array
  /** Whole VND. */
  value: Float64Array
}

const MOST_BARS = 400

export function emptyBars(): Bars {
  const column = () => new Float64Array(MOST_BARS)
  return {
    count: 0,
    minute: new Uint16Array(MOST_BARS),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
    value: column(),
  }
}

/** How far the path may leave the span between yesterday's close and today's. */
const EXCURSION = 0.008
/** About a month: how long a futures contract is the nearest one. */
const SESSIONS_AS_FRONT = 22
const CLOSING_AUCTION = 14 * 60 + 45

/** Fills `bars` with the session's minutes. The last bar ends at the close; their sums are the day. */
export type FillBars = (instrument: Instrument, session: number, bars: Bars) => void

export function barFiller(time: Timeline, prices: Prices): FillBars {
  const grids = new Map<string, readonly number[]>()
  const minutesOf = (board: ReturnType<typeof tradingBoard>, session: number): readonly number[] => {
    const day = time.days[session] ?? ''
    const key = `${board} ${day.slice(0, 7)}`
    let found = grids.get(key)
    if (!found) {
      found = grid(board, day).minutes
      grids.set(key, found)
    }
    return found
  }

  return (instrument, session, bars) => {
    bars.count = 0
    if (!prices.traded(instrument, session)) return
    const board = tradingBoard(instrument.kind, boardAt(instrument, session))
    const draws = new Draws(mix(instrument.path, session, 501))
    const ladder = prices.ladder(instrument, session)
    const close = prices.close(instrument, session)
    const before = basisOf(prices, instrument, session)

    // UPCOM's reference is an average of bars, so its limits cannot bound them: the excursion does.
    const limits =
      board === 'UPCOM'
        ? { ceiling: Number.POSITIVE_INFINITY, floor: 0 }
        : limitsAround(toTick(ladder, before, 'nearest'), prices.bandPercent(instrument, session), ladder)
    const highest = Math.min(
      limits.ceiling,
      toTick(ladder, Math.max(before, close) * (1 + EXCURSION), 'down'),
    )
    const lowest = Math.max(limits.floor, toTick(ladder, Math.min(before, close) * (1 - EXCURSION), 'up'))
    const top = Math.max(highest, close)
    const bottom = Math.min(lowest, close)
    const snap = (price: number): number => Math.min(top, Math.max(bottom, toTick(ladder, price, 'nearest')))

    // Nearly all futures trading is in the contract that expires next.
    const far = instrument.expires !== undefined && instrument.expires - session > SESSIONS_AS_FRONT
    const share = Math.min(1, instrument.busy * (far ? 0.3 : 1) * (0.75 + 0.5 * draws.next()))
    let count = 0
    for (const minute of minutesOf(board, session)) {
      const chance = minute === CLOSING_AUCTION ? Math.min(1, share * 2) : share
      if (draws.next() < chance) bars.minute[count++] = minute
    }
    if (count === 0) bars.minute[count++] = 13 * 60 + Math.floor(draws.next() * 80)

    const multiplier = instrument.kind === 'future' ? FUTURES_MULTIPLIER : 1
    const lot = ROUND_LOT[board]
    const size = instrument.lots * (far ? 0.02 : 1) * (0.5 + 1.5 * draws.next())
    const wobble = before * 0.0015
    let last = snap(before * (1 + (draws.next() - 0.5) * 0.008))
    let path = last
    for (let i = 0; i < count; i++) {
      const auction = bars.minute[i] === CLOSING_AUCTION
      const left = count - i
      path += (close - path) / left + (draws.next() - 0.5) * 2 * wobble
      const closed = left === 1 ? close : snap(path)
      const open = auction ? closed : last
      let high = Math.max(open, closed)
      let low = Math.min(open, closed)
      const shape = draws.next()
      if (!auction && shape < 0.25) high = snap(high + tickAt(ladder, high))
      else if (!auction && shape > 0.75) low = snap(low - tickAt(ladder, low))
      const drawn = draws.next()
      const volume = lot * (1 + Math.floor(size * drawn * drawn * (auction ? 8 : 2)))
      bars.open[i] = open
      bars.high[i] = Math.max(high, open, closed)
      bars.low[i] = Math.min(low, open, closed)
      bars.close[i] = closed
      bars.volume[i] = volume
      // Whole VND a share, or tenths of a point: sums stay exact integers.
      const average =
        multiplier === 1
          ? Math.round((open + high + low + closed) / 4)
          : Math.round(((open + high + low + closed) / 4) * 10) / 10
      bars.value[i] = Math.round(volume * average * multiplier)
      last = closed
    }
    bars.count = count
  }
}

/** What today's path starts from: the last close, adjusted; for a first day, the level before it. */
export function basisOf(prices: Prices, instrument: Instrument, session: number): number {
  const last = prices.lastTraded(instrument, session)
  const from = last >= instrument.first ? last : instrument.first - 1
  return prices.close(instrument, from) * prices.factor(instrument, from, session)
}
