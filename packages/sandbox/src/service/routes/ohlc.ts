import { oneYearBefore } from 'candlehouse-foundation/market/day'
import { isIntraday, TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Service, sessionsIn } from '../service.js'
import { AsciiText } from '../wire/ascii-text.js'
import { candleEnvelope, eachPart, pageOf } from '../wire/paging.js'
import { moment, paging, symbol as symbolName } from '../wire/query.js'
import { invalidRequest, Refusal } from '../wire/refusal.js'
import { type CandleRange, CandleRows } from './candle-rows.js'
import { mount, strings } from './read-route.js'

/** Fields in the order of the specification. */
const CANDLE_FIELDS = ['symbol', 'tradingDate', 'open', 'high', 'low', 'close', 'volume', 'value'] as const

/** GET ohlc: candles of a symbol, by days; intraday candles reach one year back from the market's today. */
export function ohlc(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/data/ohlc'
  const { world, clock, dialect } = service
  const candles = new CandleRows(service, path)
  const rows = new AsciiText()
  mount(app, service, {
    path,
    operationId: 'ohlc',
    summary: 'Candles of one symbol',
    query: z.object({
      symbol: symbolName.min(1),
      from: moment,
      to: moment,
      timeFrame: z.enum(TIMEFRAMES).default('1d'),
      ...paging,
    }),
    answers: z
      .object({
        pageSize: z.int(),
        pageNumber: z.int(),
        itemsCount: z.int().optional(),
        pageCount: z.int().optional(),
        data: z.array(strings('Candle', CANDLE_FIELDS)),
      })
      .meta({ title: 'CandlePage' }),
    lists: true,
    handle(query) {
      const { symbol, from, to, timeFrame } = query
      const range: CandleRange = { timeframe: timeFrame, from, to }
      checkRange(range, service)
      const page = pageOf(query, service)
      const isInFuture = isIntraday(timeFrame) && to.day > clock.today()
      const instrument = isInFuture ? undefined : world.find(symbol)
      const sessions = instrument ? sessionsIn(service, from.day, to.day, clock.lastTraded()) : []
      if (dialect.ohlcOrder === 'newest') sessions.reverse()
      rows.clear()
      const total = instrument
        ? eachPart(
            { keys: sessions, count: (session) => candles.count(instrument, session, range) },
            page,
            (session, start, end) => candles.write(rows, { instrument, session, range }, start, end),
          )
        : 0
      return { empty: rows.length === 0, body: candleEnvelope(page, total, rows, dialect.ohlcCounts) }
    },
  })
}

/** @throws Refusal */
function checkRange({ timeframe, from, to }: CandleRange, { dialect, clock }: Service): void {
  if (to.day < from.day || (to.day === from.day && (to.second ?? 86_400) < (from.second ?? 0)))
    throw invalidRequest('query to: is before from')
  const isBareDay = [from, to].some(({ second, slashed }) => slashed && second === undefined)
  if (dialect.refusesBareDays && isBareDay)
    throw new Refusal(400, 'Date-time is required', {
      code: '400213',
      problem: 'query from, to: expected YYYY/MM/DD HH:mm:ss',
    })
  if (isIntraday(timeframe) && from.day < oneYearBefore(clock.today()))
    throw invalidRequest(`query from: intraday candles begin at ${oneYearBefore(clock.today())}`)
}
