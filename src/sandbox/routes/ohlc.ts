import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { oneYearBefore } from '../../market/date-arithmetic.js'
import { timeOfDay } from '../../market/day.js'
import { isIntraday, TIMEFRAMES, type Timeframe } from '../../market/timeframe.js'
import type { Service } from '../service.js'
import { sessionsIn } from '../service.js'
import { daySeparator, writeDay } from '../wire/format.js'
import { candleEnvelope, cutPage, pageOf } from '../wire/paging.js'
import { type Moment, moment, name, paging } from '../wire/query.js'
import { invalidRequest, Refusal } from '../wire/refusal.js'
import { restater } from '../wire/restate.js'
import { emptyBars } from '../world/bars.js'
import { aggregate, keepBetween } from '../world/candles.js'
import { cut } from '../world/daily.js'
import { type Instrument, isListedAt } from '../world/instrument.js'
import { Memo } from '../world/memo.js'
import { mount, strings } from './read-route.js'

/** Fields in the order of the spec. */
const CANDLE_FIELDS = ['symbol', 'tradingDate', 'open', 'high', 'low', 'close', 'volume', 'value'] as const

const TIMES = Array.from({ length: 24 * 60 }, (_, minute) => `${timeOfDay(minute)}:00`)
const LAST_MINUTE = 24 * 60 - 1

interface Range {
  timeframe: Timeframe
  from: Moment
  to: Moment
}

/** GET ohlc: candles of one symbol, by days; intraday ones reach one year back from the market's today. */
export function ohlc(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/data/ohlc'
  const { world, clock, format, options, dialect } = service
  const restate = restater(options.restate ?? [], path)
  const restated = (options.restate ?? []).length > 0
  const newest = dialect.ohlcOrder === 'newest'
  const scratch = emptyBars()
  /** Candles of whole days by symbol and timeframe: what page counts of a long range are added up from. */
  const counts = new Memo<string, Int16Array>(256)

  const fill = (instrument: Instrument, session: number, { timeframe, from, to }: Range): void => {
    world.bars(instrument, session, scratch)
    const until = clock.until(session)
    if (until !== undefined) cut(scratch, until)
    aggregate(scratch, timeframe)
    if (timeframe === '1d') return
    const day = world.time.days[session]
    const first = day === from.day && from.second !== undefined ? Math.ceil(from.second / 60) : 0
    const last = day === to.day && to.second !== undefined ? Math.floor(to.second / 60) : LAST_MINUTE
    if (first > 0 || last < LAST_MINUTE) keepBetween(scratch, first, last)
  }

  const count = (instrument: Instrument, session: number, range: Range): number => {
    if (!isListedAt(instrument, session) || !world.prices.traded(instrument, session)) return 0
    const day = world.time.days[session]
    const partial = day === range.from.day || day === range.to.day || clock.until(session) !== undefined
    if (partial) {
      fill(instrument, session, range)
      return scratch.count
    }
    if (range.timeframe === '1d') return 1
    const known = counts.get(`${instrument.symbol} ${range.timeframe}`, () =>
      new Int16Array(world.time.days.length).fill(-1),
    )
    const held = known[session] ?? -1
    if (held >= 0) return held
    fill(instrument, session, range)
    known[session] = scratch.count
    return scratch.count
  }

  const rows = (
    instrument: Instrument,
    session: number,
    range: Range,
    start: number,
    end: number,
  ): string[] => {
    fill(instrument, session, range)
    const { minute, open, high, low, close, volume, value } = scratch
    const day = world.time.days[session] ?? ''
    const intraday = isIntraday(range.timeframe)
    const head = `{"symbol":"${instrument.symbol}","tradingDate":"${writeDay(day, format)}${intraday ? daySeparator(format) : ''}`
    const made: string[] = []
    for (let at = start; at < end; at++) {
      const i = newest ? scratch.count - 1 - at : at
      const time = intraday ? (TIMES[minute[i] ?? 0] ?? '') : ''
      const row = `${head}${time}","open":"${open[i]}","high":"${high[i]}","low":"${low[i]}","close":"${close[i]}","volume":"${volume[i]}","value":"${value[i]}"}`
      made.push(restated ? restate(row, instrument.symbol, intraday ? `${day} ${time}` : day) : row)
    }
    return made
  }

  mount(app, service, {
    path,
    summary: 'Candles of one symbol',
    query: z.object({
      symbol: name.min(1),
      from: moment,
      to: moment,
      timeFrame: z.enum(TIMEFRAMES).default('1d'),
      ...paging,
    }),
    answers: z.object({
      pageSize: z.int(),
      pageNumber: z.int(),
      itemsCount: z.int().optional(),
      pageCount: z.int().optional(),
      data: z.array(strings(CANDLE_FIELDS)),
    }),
    handle(query) {
      const { symbol, from, to, timeFrame } = query
      if (to.day < from.day || (to.day === from.day && (to.second ?? 86_400) < (from.second ?? 0))) {
        throw invalidRequest()
      }
      if (
        dialect.refusesBareDays &&
        [from, to].some(({ second, slashed }) => slashed && second === undefined)
      )
        throw new Refusal(400, 'Date-time is required', '400213')
      const page = pageOf(query, service)
      const today = clock.today()
      const intraday = isIntraday(timeFrame)
      if (intraday && from.day < oneYearBefore(today)) throw invalidRequest()
      const instrument = intraday && to.day > today ? undefined : world.find(symbol)
      const range: Range = { timeframe: timeFrame, from, to }
      const keys = instrument ? sessionsIn(service, from.day, to.day, clock.lastTraded()) : []
      if (newest) keys.reverse()
      const taken = instrument
        ? cutPage(
            {
              keys,
              count: (session) => count(instrument, session, range),
              rows: (session, start, end) => rows(instrument, session, range, start, end),
            },
            page,
          )
        : { total: 0, rows: [] }
      const body = candleEnvelope(page, taken.total, taken.rows, dialect.ohlcCounts)
      return { empty: taken.rows.length === 0, body: body }
    },
  })
}
