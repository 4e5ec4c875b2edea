import { limitsAround } from 'candlehouse-foundation/market/band'
import type { TradingBoard } from 'candlehouse-foundation/market/board'
import { grid } from 'candlehouse-foundation/market/sessions'
import { type TickStep, tickAt, toTick } from 'candlehouse-foundation/market/tick'
import { Draws, mix } from './hash.js'
import type { Instrument } from './instrument.js'
import { boardOf } from './market-rules.js'
import type { Prices } from './prices.js'
import type { Timeline } from './timeline.js'

/** One-minute bars of a day as columns. They are reused from day to day, so that a year allocates no memory. */
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

const MAX_BARS = 400

export function emptyBars(): Bars {
  const column = () => new Float64Array(MAX_BARS)
  return {
    count: 0,
    minute: new Uint16Array(MAX_BARS),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
    value: column(),
  }
}

/** How far prices may leave the span between yesterday's close and today's close, as a share. */
const EXCURSION = 0.008
/** About a month: how long a futures contract is the nearest one. */
const SESSIONS_AS_FRONT = 22
const CLOSING_AUCTION = 14 * 60 + 45
/** Of its path, its shape and its size. */
const DRAWS_PER_BAR = 3

/** Computes the one-minute bars of a session. The last bar ends at the close; the bars add up to the day. */
export class BarFiller {
  private readonly grids = new Map<string, readonly number[]>()

  constructor(
    private readonly time: Timeline,
    private readonly prices: Prices,
  ) {}

  /** Overwrites `bars` with the bars of a session. */
  fill(instrument: Instrument, session: number, bars: Bars): void {
    bars.count = 0
    if (!this.prices.traded(instrument, session)) return
    const board = boardOf(instrument, session)
    const draws = new Draws(mix(instrument.path, session, 501))
    const span = this.priceSpan(instrument, session, board)
    // Nearly all futures trading is in the contract that expires next.
    const isFar = instrument.expires !== undefined && instrument.expires - session > SESSIONS_AS_FRONT
    const share = Math.min(1, instrument.busy * (isFar ? 0.3 : 1) * (0.75 + 0.5 * draws.next()))
    drawMinutes(bars, this.minutesOf(board, session), share, draws)
    const lots = instrument.lots * (isFar ? 0.02 : 1) * (0.5 + 1.5 * draws.next())
    const lot = this.prices.lot(instrument, session)
    drawBars(bars, span, { lots, lot, multiplier: instrument.multiplier }, draws)
  }

  private minutesOf(board: TradingBoard, session: number): readonly number[] {
    const day = this.time.days[session] ?? ''
    const key = `${board} ${day.slice(0, 7)}`
    let minutes = this.grids.get(key)
    if (!minutes) {
      minutes = grid(board, day).minutes
      this.grids.set(key, minutes)
    }
    return minutes
  }

  private priceSpan(instrument: Instrument, session: number, board: TradingBoard): PriceSpan {
    const ladder = this.prices.ladder(instrument, session)
    const close = this.prices.close(instrument, session)
    const before = basisOf(this.prices, instrument, session)
    // UPCOM's reference is an average of bars, so its limits cannot bound them: the excursion does.
    const limits =
      board === 'UPCOM'
        ? { ceiling: Number.POSITIVE_INFINITY, floor: 0 }
        : limitsAround(
            toTick(ladder, before, 'nearest'),
            this.prices.bandPercent(instrument, session),
            ladder,
          )
    const highest = toTick(ladder, Math.max(before, close) * (1 + EXCURSION), 'down')
    const lowest = toTick(ladder, Math.min(before, close) * (1 - EXCURSION), 'up')
    return {
      ladder,
      close,
      before,
      top: Math.max(Math.min(limits.ceiling, highest), close),
      bottom: Math.min(Math.max(limits.floor, lowest), close),
    }
  }
}

/** Where the prices of a session may be. VND or index points. */
interface PriceSpan {
  readonly ladder: readonly TickStep[]
  readonly before: number
  readonly close: number
  readonly top: number
  readonly bottom: number
}

interface BarSize {
  /** Average volume of a bar in lots. */
  readonly lots: number
  /** Shares or contracts. */
  readonly lot: number
  readonly multiplier: number
}

/** Draws the minutes that have a bar; at least one. */
function drawMinutes(bars: Bars, minutes: readonly number[], share: number, draws: Draws): void {
  let count = 0
  const drawn = draws.many(minutes.length)
  const inAuction = Math.min(1, share * 2)
  for (let i = 0; i < minutes.length; i++) {
    const minute = minutes[i] as number
    // Written either way, counted when drawn: a branch that is taken at random costs more than the draw.
    bars.minute[count] = minute
    count += Number((drawn[i] as number) < (minute === CLOSING_AUCTION ? inAuction : share))
  }
  if (count === 0) bars.minute[count++] = 13 * 60 + Math.floor(draws.next() * 80)
  bars.count = count
}

/** Draws prices and volumes along a path that ends at the close. */
function drawBars(bars: Bars, span: PriceSpan, { lots, lot, multiplier }: BarSize, draws: Draws): void {
  const { ladder, before, close, top, bottom } = span
  const snap = (price: number): number => Math.min(top, Math.max(bottom, toTick(ladder, price, 'nearest')))
  const wobble = before * 0.0015
  const { minute, open, high, low, close: closes, volume, value, count } = bars
  let lastClose = snap(before * (1 + (draws.next() - 0.5) * 0.008))
  let path = lastClose
  const drawn = draws.many(count * DRAWS_PER_BAR)
  for (let i = 0; i < count; i++) {
    const isAuction = minute[i] === CLOSING_AUCTION
    const remaining = count - i
    const draw = i * DRAWS_PER_BAR
    path += (close - path) / remaining + ((drawn[draw] as number) - 0.5) * 2 * wobble
    const barClose = remaining === 1 ? close : snap(path)
    const barOpen = isAuction ? barClose : lastClose
    let barHigh = Math.max(barOpen, barClose)
    let barLow = Math.min(barOpen, barClose)
    const shape = drawn[draw + 1] as number
    if (!isAuction && shape < 0.25) barHigh = Math.max(barHigh, snap(barHigh + tickAt(ladder, barHigh)))
    else if (!isAuction && shape > 0.75) barLow = Math.min(barLow, snap(barLow - tickAt(ladder, barLow)))
    const size = drawn[draw + 2] as number
    const shares = lot * (1 + Math.floor(lots * size * size * (isAuction ? 8 : 2)))
    open[i] = barOpen
    high[i] = barHigh
    low[i] = barLow
    closes[i] = barClose
    volume[i] = shares
    // Whole VND per share, or tenths of a point: sums stay exact integers.
    const quarter = (barOpen + barHigh + barLow + barClose) / 4
    const average = multiplier === 1 ? Math.round(quarter) : Math.round(quarter * 10) / 10
    value[i] = Math.round(shares * average * multiplier)
    lastClose = barClose
  }
}

/** The price before the session's first trade: the last close, adjusted; on a first day, the level before it. */
export function basisOf(prices: Prices, instrument: Instrument, session: number): number {
  const last = prices.lastTraded(instrument, session)
  const from = last >= instrument.first ? last : instrument.first - 1
  return prices.close(instrument, from) * prices.factor(instrument, from, session)
}
