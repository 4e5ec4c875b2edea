import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { decimal } from '../../broker/decimal.js'
import type { Daily } from '../../market/world/daily.js'
import { openInterestOf, orderFlow } from '../../market/world/figures.js'
import { foreignTrades } from '../../market/world/foreign-trades.js'
import { type Instrument, isListedAt } from '../../market/world/instrument.js'
import type { Prices } from '../../market/world/prices.js'
import type { Service } from '../service.js'
import { sessionsIn } from '../service.js'
import { jsonHeads, jsonOf, percent, writeDay } from '../wire/format.js'
import { indexCode } from '../wire/live-answers.js'
import { cutPage, lastingPage, pageOf, referenceEnvelope } from '../wire/paging.js'
import { index as indexName, paging, slashedDay, symbol as symbolName } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { reportedReference } from '../wire/reported-reference.js'
import { restater } from '../wire/restate.js'
import { mount, OF_DERIVATIVES, referencePage, strings } from './read-route.js'

/** Fields in the order of the specification. */
const SUMMARY_FIELDS = [
  'symbol',
  'tradingDate',
  'priceChange',
  'priceChangePercentage',
  'open',
  'high',
  'low',
  'close',

  'average',
  'totalMatch',
  'totalMatchValue',
  'totalBuy',
  'totalTradeBuy',
  'totalSell',
  'totalTradeSell',

  'totalForeignBuy',
  'totalForeignBuyValue',
  'totalForeignSell',
  'totalForeignSellValue',

  'remainForeignRoom',
  'totalForeignRoom',
  'totalDeal',
  'totalDealValue',
  'openInterest',
  'settlementPrice',
] as const

const HEADS = jsonHeads(SUMMARY_FIELDS)

/** How a deployment writes a record. */
interface Writing {
  readonly tradingDate: string
  /** Reference price as the service reports it. */
  readonly reference: number
  /** What stands for a figure that does not apply. */
  readonly nothing: '' | null
}

/** Values in the order of the fields. */
function record(day: Daily, prices: Prices, { tradingDate, reference, nothing }: Writing): string {
  const { instrument, session, close } = day
  const future = instrument.kind === 'future'
  const orders = orderFlow(day, prices.lot(instrument, session))
  const foreign = foreignTrades(day, prices)
  const change = close - reference
  return jsonOf(HEADS, [
    instrument.symbol,
    tradingDate,
    decimal(change, 1),
    percent(change, reference),
    day.open,
    day.high,
    day.low,
    close,
    decimal(day.average, 6),
    day.volume,
    day.value,
    orders.totalBuy,
    orders.totalTradeBuy,
    orders.totalSell,
    orders.totalTradeSell,
    foreign.foreignBuy,
    foreign.foreignBuyValue,
    foreign.foreignSell,
    foreign.foreignSellValue,
    foreign.remainRoom,
    foreign.totalRoom,
    day.dealVolume,
    day.dealValue,
    future ? openInterestOf(instrument, session) : nothing,
    future ? close : nothing,
  ])
}

/** GET securitiesSummary: a record per listed symbol and session, days ascending. */
export function securitiesSummary(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/data/securitiesSummary'
  const { world, clock, format, dialect, options } = service
  const nothing = dialect.nullFields ? null : ''
  const restate = restater(options.restate ?? [], path)
  mount(app, service, {
    path,
    operationId: 'securitiesSummary',
    summary: 'Daily trading summaries of a symbol, of the members of an index, or of all',
    query: z.object({
      symbol: symbolName.optional(),
      index: indexName.optional(),
      from: slashedDay,
      to: slashedDay,
      ...paging,
    }),
    answers: referencePage(
      'SecuritySummary',
      strings('SecuritySummary', SUMMARY_FIELDS, dialect.nullFields ? OF_DERIVATIVES : []),
    ),
    lists: true,
    lasting: (query) =>
      query.symbol === undefined && query.index === undefined
        ? lastingPage(query, clock.lastTraded(), service)
        : undefined,
    handle(query) {
      const { symbol, index, from, to } = query
      if (symbol !== undefined && index !== undefined)
        throw invalidRequest('query symbol, index: expected only one of them')
      if (to < from) throw invalidRequest('query to: is before from')
      const page = pageOf(query, service)
      const instrument = symbol === undefined ? undefined : world.find(symbol)
      const on = (session: number): readonly Instrument[] => {
        if (symbol !== undefined) return instrument && isListedAt(instrument, session) ? [instrument] : []
        return index === undefined ? world.listed(session) : world.members(indexCode(index), session)
      }
      const isWhole = symbol === undefined && index === undefined
      const cut = cutPage(
        {
          keys: sessionsIn(service, from, to, clock.lastTraded()),
          count: (session) => (isWhole ? world.listedCount(session) : on(session).length),
          rows: (session, first, last) => {
            const day = world.time.days[session] ?? ''
            const written = writeDay(day, format)
            return on(session)
              .slice(first, last)
              .map((instrument) => {
                const daily = world.daily(instrument, session, clock.until(session))
                const reference = reportedReference(service, instrument, session, daily.reference)
                const row = record(daily, world.prices, { tradingDate: written, reference, nothing })
                return restate(row, instrument.symbol, day)
              })
          },
        },
        page,
      )
      return { empty: cut.rows.length === 0, body: referenceEnvelope(page, cut.total, cut.rows) }
    },
  })
}
