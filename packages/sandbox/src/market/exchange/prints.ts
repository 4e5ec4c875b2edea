import { instantOf } from 'candlehouse-foundation/market/day'
import { tradingBoard } from 'candlehouse-foundation/market/kind'
import { emptyBars } from '../world/bars.js'
import { boardAt, type Instrument } from '../world/instrument.js'
import { lotAt } from '../world/market-rules.js'
import { Memo } from '../world/memo.js'
import type { World } from '../world/world.js'
import type { PriceRange, Print } from './market-view.js'
import { closingCross, openingCross } from './phase.js'

const MINUTE_MS = 60_000
/** Prints of a bar: open, one extreme, the other, close, a quarter of a minute apart. */
const STEP_MS = 15_000
const PRINTS_PER_BAR = 4

/** The trades of one instrument's session in order of time. In columns: a history has a million of them. */
export class SessionPrints {
  count = 0
  /** Whether the first print is of the opening auction, and the last one of the closing auction. */
  opensInAuction = false
  closesInAuction = false
  private readonly ats: Float64Array
  private readonly prices: Float64Array
  private readonly volumes: Float64Array

  constructor(
    private readonly symbol: string,
    capacity: number,
  ) {
    this.ats = new Float64Array(capacity)
    this.prices = new Float64Array(capacity)
    this.volumes = new Float64Array(capacity)
  }

  add(at: number, price: number, volume: number): void {
    this.ats[this.count] = at
    this.prices[this.count] = price
    this.volumes[this.count++] = volume
  }

  /** Epoch milliseconds of a print; undefined before the first and after the last. */
  at(index: number): number | undefined {
    return index < this.count ? this.ats[index] : undefined
  }

  print(index: number): Print | undefined {
    const at = this.at(index)
    if (at === undefined) return undefined
    const isOpening = index === 0 && this.opensInAuction
    const isClosing = index === this.count - 1 && this.closesInAuction
    return {
      symbol: this.symbol,
      at,
      price: this.prices[index] ?? 0,
      from: this.prices[Math.max(index - 1, this.firstOfMinute(index))] ?? 0,
      volume: this.volumes[index] ?? 0,
      auction: isOpening ? 'ato' : isClosing ? 'atc' : undefined,
    }
  }

  /** Lowest and highest price of the minute of a print. */
  rangeAround(index: number): PriceRange {
    const first = this.firstOfMinute(index)
    const range = { low: this.prices[first] ?? 0, high: this.prices[first] ?? 0 }
    for (let i = first + 1; i < this.count && this.minute(i) === this.minute(index); i++) {
      range.low = Math.min(range.low, this.prices[i] ?? 0)
      range.high = Math.max(range.high, this.prices[i] ?? 0)
    }
    return range
  }

  private firstOfMinute(index: number): number {
    let first = index
    while (first > 0 && this.minute(first - 1) === this.minute(index)) first--
    return first
  }

  private minute(index: number): number {
    return Math.floor((this.ats[index] ?? 0) / MINUTE_MS)
  }

  /** Index of the first print after an instant; `count` where there is none. */
  firstAfter(instant: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.ats[middle] ?? 0) <= instant) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The trades of one instrument's session, computed from its one-minute bars. */
export type Prints = (instrument: Instrument, session: number) => SessionPrints

const printers = new WeakMap<World, Prints>()

/** The prints of a world: the same for every broker that trades in it. */
export function printsOf(world: World): Prints {
  const prints = printers.get(world) ?? printer(world)
  printers.set(world, prints)
  return prints
}

function printer(world: World): Prints {
  const scratch = emptyBars()
  const cache = new Memo<string, SessionPrints>(800)
  return (instrument, session) =>
    cache.get(`${instrument.symbol} ${session}`, () => {
      world.bars(instrument, session, scratch)
      const board = tradingBoard(instrument.kind, boardAt(instrument, session))
      const day = world.time.days[session] ?? ''
      const midnight = instantOf(day)
      const [opening, closing] = [openingCross(board, day), closingCross(board, day)]
      const lot = lotAt(instrument, session, day)
      const prints = new SessionPrints(instrument.symbol, scratch.count * PRINTS_PER_BAR)
      for (let i = 0; i < scratch.count; i++) {
        const minute = scratch.minute[i] ?? 0
        const at = midnight + minute * MINUTE_MS
        const open = scratch.open[i] ?? 0
        const high = scratch.high[i] ?? 0
        const low = scratch.low[i] ?? 0
        const close = scratch.close[i] ?? 0
        const volume = scratch.volume[i] ?? 0
        prints.closesInAuction = minute === closing
        if (minute === closing) {
          prints.add(at, close, volume)
          continue
        }
        prints.opensInAuction ||= i === 0 && minute === opening
        // Four parts in whole lots; the first contains the remainder.
        const part = Math.floor(volume / lot / PRINTS_PER_BAR) * lot
        prints.add(at, open, volume - 3 * part)
        if (part === 0) continue
        // The path of a rising bar goes to its low first.
        const rises = close >= open
        prints.add(at + STEP_MS, rises ? low : high, part)
        prints.add(at + 2 * STEP_MS, rises ? high : low, part)
        prints.add(at + 3 * STEP_MS, close, part)
      }
      return prints
    })
}
