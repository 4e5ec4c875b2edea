import { timeOfDay } from 'candlehouse-foundation/market/day'
import { isIntraday, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import { emptyBars } from '../../market/world/bars.js'
import { aggregate, keepBetween } from '../../market/world/candles.js'
import { cut } from '../../market/world/daily.js'
import { type Instrument, isListedAt } from '../../market/world/instrument.js'
import { Memo } from '../../market/world/memo.js'
import type { Service } from '../service.js'
import { type AsciiText, piece } from '../wire/ascii-text.js'
import { daySeparator, writeDay } from '../wire/format.js'
import type { Moment } from '../wire/query.js'
import { type Restate, restater } from '../wire/restate.js'

const TIMES = Array.from({ length: 24 * 60 }, (_, minute) => piece(`${timeOfDay(minute)}:00`))
const NO_TIME = piece('')
const COMMA = piece(',')
const [OPEN, HIGH, LOW] = [piece('","open":"'), piece('","high":"'), piece('","low":"')]
const [CLOSE, VOLUME, VALUE] = [piece('","close":"'), piece('","volume":"'), piece('","value":"')]
const END = piece('"}')
/** Characters of the longest row, and some more. */
const LONGEST_ROW = 512
const LAST_MINUTE = 24 * 60 - 1

/** Both ends are inclusive. */
export interface CandleRange {
  readonly timeframe: Timeframe
  readonly from: Moment
  readonly to: Moment
}

export interface SessionCandles {
  readonly instrument: Instrument
  readonly session: number
  readonly range: CandleRange
}

/** Candles of one symbol's sessions: how many there are, and their JSON texts. */
export class CandleRows {
  private readonly bars = emptyBars()
  /** Candles of whole sessions by symbol and timeframe, -1 for not counted yet: long ranges add them up. */
  private readonly counts = new Memo<string, Int16Array>(256)
  private readonly restate: Restate | undefined

  constructor(
    private readonly service: Service,
    path: string,
  ) {
    const restatements = service.options.restate ?? []
    this.restate = restatements.length > 0 ? restater(restatements, path) : undefined
  }

  count(instrument: Instrument, session: number, range: CandleRange): number {
    const { world, clock } = this.service
    if (!isListedAt(instrument, session) || !world.prices.traded(instrument, session)) return 0
    const day = world.time.days[session]
    const isPartial = day === range.from.day || day === range.to.day || clock.until(session) !== undefined
    if (isPartial) return this.fill(instrument, session, range)
    if (range.timeframe === '1d') return 1
    const counts = this.counts.get(`${instrument.symbol} ${range.timeframe}`, () =>
      new Int16Array(world.time.days.length).fill(-1),
    )
    const knownCount = counts[session] ?? -1
    if (knownCount >= 0) return knownCount
    const count = this.fill(instrument, session, range)
    counts[session] = count
    return count
  }

  /** Writes candles `start` (inclusive) to `end` (exclusive) of a session in the order of the dialect. */
  write(page: AsciiText, { instrument, session, range }: SessionCandles, start: number, end: number): void {
    const { world, format, dialect } = this.service
    const candleCount = this.fill(instrument, session, range)
    const { minute, open, high, low, close, volume, value } = this.bars
    const { symbol } = instrument
    const day = world.time.days[session] ?? ''
    const intraday = isIntraday(range.timeframe)
    const written = `${writeDay(day, format)}${intraday ? daySeparator(format) : ''}`
    const head = piece(`{"symbol":"${symbol}","tradingDate":"${written}`)
    for (let at = start; at < end; at++) {
      const i = dialect.ohlcOrder === 'newest' ? candleCount - 1 - at : at
      const time = intraday ? (TIMES[minute[i] ?? 0] ?? NO_TIME) : NO_TIME
      page.reserve(LONGEST_ROW)
      if (page.length > 0) page.add(COMMA)
      const rowStart = page.length
      page.add(head)
      page.add(time)
      page.add(OPEN)
      page.number(open[i] ?? 0)
      page.add(HIGH)
      page.number(high[i] ?? 0)
      page.add(LOW)
      page.number(low[i] ?? 0)
      page.add(CLOSE)
      page.number(close[i] ?? 0)
      page.add(VOLUME)
      page.number(volume[i] ?? 0)
      page.add(VALUE)
      page.number(value[i] ?? 0)
      page.add(END)
      if (!this.restate) continue
      const row = page.textFrom(rowStart)
      page.replaceFrom(rowStart, this.restate(row, symbol, intraday ? `${day} ${time.toString()}` : day))
    }
  }

  /** Computes the candles of a session within the range. @returns their number */
  private fill(instrument: Instrument, session: number, { timeframe, from, to }: CandleRange): number {
    const { world, clock } = this.service
    world.bars(instrument, session, this.bars)
    const until = clock.until(session)
    if (until !== undefined) cut(this.bars, until)
    aggregate(this.bars, timeframe)
    if (timeframe === '1d') return this.bars.count
    const day = world.time.days[session]
    const first = day === from.day && from.second !== undefined ? Math.ceil(from.second / 60) : 0
    const last = day === to.day && to.second !== undefined ? Math.floor(to.second / 60) : LAST_MINUTE
    if (first > 0 || last < LAST_MINUTE) keepBetween(this.bars, first, last)
    return this.bars.count
  }
}
