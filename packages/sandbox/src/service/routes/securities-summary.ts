import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { decimal } from '../../broker/decimal.js'
import type { Daily } from '../../market/world/daily.js'
import { openInterestOf, orderFlow } from '../../market/world/figures.js'
import { foreignTrades } from '../../market/world/foreign-trades.js'
import { type Instrument, isListedAt } from '../../market/world/instrument.js'
import type { Service } from '../service.js'
import { sessionsIn } from '../service.js'
import { AsciiText, piece } from '../wire/ascii-text.js'
import { percent, writeDay } from '../wire/format.js'
import { indexCode } from '../wire/live-answers.js'
import { eachPart, lastingPage, pageOf, referenceEnvelope } from '../wire/paging.js'
import { index as indexName, paging, slashedDay, symbol as symbolName } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { reportedReference } from '../wire/reported-reference.js'
import { type Restate, restater } from '../wire/restate.js'
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

const [SYMBOL, NEXT_DAY] = [piece('{"symbol":"'), piece('","tradingDate":"')]
/** What stands before each value after these two. */
const HEADS = SUMMARY_FIELDS.slice(2, -2).map((field) => piece(`","${field}":"`))
const OPEN_INTEREST = piece('","openInterest":"')
const SETTLEMENT = piece('","settlementPrice":"')
const COMMA = piece(',')
const END = piece('"}')
/** Characters of the longest row, and some more. */
const LONGEST_ROW = 2_048

/** Rows of a page as bytes: a string for each value of 1,000 rows took longer than the market that they are of. */
class SummaryRows {
  readonly page = new AsciiText()
  private readonly restate: Restate | undefined
  private readonly values: (string | number)[] = []
  /** How a share ends, which has neither open interest nor settlement price. */
  private readonly withoutFigures: Buffer

  constructor(
    private readonly service: Service,
    path: string,
  ) {
    const { restate: restatements = [] } = service.options
    this.restate = restatements.length > 0 ? restater(restatements, path) : undefined
    const nothing = service.dialect.nullFields ? 'null' : '""'
    this.withoutFigures = piece(`","openInterest":${nothing},"settlementPrice":${nothing}}`)
  }

  add(day: Daily, tradingDate: string): void {
    const { page } = this
    const { instrument, session, close } = day
    page.reserve(LONGEST_ROW)
    if (page.length > 0) page.add(COMMA)
    const start = page.length
    page.add(SYMBOL)
    page.text(instrument.symbol)
    page.add(NEXT_DAY)
    page.text(tradingDate)
    const values = this.figures(day)
    for (let i = 0; i < HEADS.length; i++) {
      page.add(HEADS[i] as Buffer)
      const value = values[i] as string | number
      if (typeof value === 'number') page.number(value)
      else page.text(value)
    }
    if (instrument.kind === 'future') {
      page.add(OPEN_INTEREST)
      page.number(openInterestOf(instrument, session))
      page.add(SETTLEMENT)
      page.number(close)
      page.add(END)
    } else page.add(this.withoutFigures)
    if (!this.restate) return
    const restated = this.restate(
      page.textFrom(start),
      instrument.symbol,
      this.service.world.time.days[session] ?? '',
    )
    page.replaceFrom(start, restated)
  }

  /** Values in the order of the heads. */
  private figures(day: Daily): readonly (string | number)[] {
    const { service, values } = this
    const { prices } = service.world
    const { instrument, session, close } = day
    const reference = reportedReference(service, instrument, session, day.reference)
    const change = close - reference
    const lot = prices.lot(instrument, session)
    const orders = orderFlow(day, lot)
    const foreign = foreignTrades(day, prices)
    values[0] = decimal(change, 1)
    values[1] = percent(change, reference)
    values[2] = day.open
    values[3] = day.high
    values[4] = day.low
    values[5] = close
    values[6] = decimal(day.average, 6)
    values[7] = day.volume
    values[8] = day.value
    values[9] = orders.totalBuy
    values[10] = orders.totalTradeBuy
    values[11] = orders.totalSell
    values[12] = orders.totalTradeSell
    values[13] = foreign.foreignBuy
    values[14] = foreign.foreignBuyValue
    values[15] = foreign.foreignSell
    values[16] = foreign.foreignSellValue
    values[17] = foreign.remainRoom
    values[18] = foreign.totalRoom
    values[19] = day.dealVolume
    values[20] = day.dealValue
    return values
  }
}

/** GET securitiesSummary: a record per listed symbol and session, days ascending. */
export function securitiesSummary(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/data/securitiesSummary'
  const { world, clock, format, dialect } = service
  const rows = new SummaryRows(service, path)
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
      rows.page.clear()
      const total = eachPart(
        {
          keys: sessionsIn(service, from, to, clock.lastTraded()),
          count: (session) => (isWhole ? world.listedCount(session) : on(session).length),
        },
        page,
        (session, first, last) => {
          const written = writeDay(world.time.days[session] ?? '', format)
          const listed = on(session)
          const until = clock.until(session)
          for (let i = first; i < last; i++) {
            const instrument = listed[i]
            if (instrument) rows.add(world.daily(instrument, session, until), written)
          }
        },
      )
      return { empty: rows.page.length === 0, body: referenceEnvelope(page, total, rows.page) }
    },
  })
}
