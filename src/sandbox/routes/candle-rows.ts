import { timeOfDay } from '../../market/day.js'
import { isIntraday, type Timeframe } from '../../market/timeframe.js'
import type { Service } from '../service.js'
import { daySeparator, writeDay } from '../wire/format.js'
import type { Moment } from '../wire/query.js'
import { type Restate, restater } from '../wire/restate.js'
import { emptyBars } from '../world/bars.js'
import { aggregate, keepBetween } from '../world/candles.js'
import { cut } from '../world/daily.js'
import { type Instrument, isListedAt } from '../world/instrument.js'
import { Memo } from '../world/memo.js'

const TIMES = Array.from({ length: 24 * 60 }, (_, minute) => `${timeOfDay(minute)}:00`)
const LAST_MINUTE = 24 * 60 - 1

/** Both ends are inclusive. */
export interface CandleRange {
  readonly timeframe: Timeframe
  readonly from: Moment
  readonly to: Moment
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

  /** Candles `start` (inclusive) to `end` (exclusive) of a session in the order of the dialect. */
  rows(instrument: Instrument, session: number, range: CandleRange, start: number, end: number): string[] {
    const { world, format, dialect } = this.service
    const candleCount = this.fill(instrument, session, range)
    const { minute, open, high, low, close, volume, value } = this.bars
    const { symbol } = instrument
    const day = world.time.days[session] ?? ''
    const intraday = isIntraday(range.timeframe)
    const head = `{"symbol":"${symbol}","tradingDate":"${writeDay(day, format)}${intraday ? daySeparator(format) : ''}`
    const rows: string[] = []
    for (let at = start; at < end; at++) {
      const i = dialect.ohlcOrder === 'newest' ? candleCount - 1 - at : at
      const time = intraday ? (TIMES[minute[i] ?? 0] ?? '') : ''
      const row = `${head}${time}","open":"${open[i]}","high":"${high[i]}","low":"${low[i]}","close":"${close[i]}","volume":"${volume[i]}","value":"${value[i]}"}`
      rows.push(this.restate ? this.restate(row, symbol, intraday ? `${day} ${time}` : day) : row)
    }
    return rows
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
