import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { decimal } from '../../broker/decimal.js'
import { type IndexDay, indexCodes, indexDay } from '../../market/world/index-day.js'
import { INDEXES } from '../../market/world/indexes.js'
import type { Service } from '../service.js'
import { jsonRecord, percent, writeDay } from '../wire/format.js'
import { indexCode } from '../wire/live-answers.js'
import { board, index as indexName, slashedDay } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { restater } from '../wire/restate.js'
import { mount, strings } from './read-route.js'

/** Fields in the order of the specification; a record does not contain its index. */
const INDEX_SUMMARY_FIELDS = [
  'tradingDate',
  'totalTrade',
  'totalTradeValue',
  'totalMatch',
  'totalMatchValue',
  'totalDeal',

  'totalDealValue',
  'indexChange',
  'indexChangePercentage',
  'indexValue',
  'totalAdvanceStock',

  'totalCeilingStock',
  'totalDeclineStock',
  'totalFloorStock',
  'totalNoChangeStock',
  'totalPropBuy',

  'totalPropBuyValue',
  'totalPropSell',
  'totalPropSellValue',
] as const

function record(day: IndexDay, tradingDate: string): string {
  return jsonRecord({
    tradingDate,
    totalTrade: String(day.matchVolume + day.dealVolume),
    totalTradeValue: String(day.matchValue + day.dealValue),
    totalMatch: String(day.matchVolume),
    totalMatchValue: String(day.matchValue),
    totalDeal: String(day.dealVolume),
    totalDealValue: String(day.dealValue),
    indexChange: decimal(day.change, 2),
    indexChangePercentage: percent(day.change, day.previous),
    indexValue: decimal(day.value, 2),
    totalAdvanceStock: String(day.advance),
    totalCeilingStock: String(day.ceiling),
    totalDeclineStock: String(day.decline),
    totalFloorStock: String(day.floor),
    totalNoChangeStock: String(day.noChange),
    totalPropBuy: String(day.propBuy),
    totalPropBuyValue: String(day.propBuyValue),
    totalPropSell: String(day.propSell),
    totalPropSellValue: String(day.propSellValue),
  })
}

/** GET indexList. */
export function indexList(app: FastifyInstance, service: Service): void {
  mount(app, service, {
    path: '/api/v3/data/indexList',
    operationId: 'indexList',
    summary: 'Indexes of a board, or of all boards',
    query: z.object({ board: board.optional() }),
    answers: z.array(strings('Index', ['index', 'indexName', 'board'])),
    lists: true,
    handle(query) {
      const board = query.board
      const rows = INDEXES.filter((index) => board === undefined || index.board === board).map((index) =>
        jsonRecord({ index: index.code, indexName: index.name, board: index.board }),
      )
      return { empty: rows.length === 0, body: `[${rows.join(',')}]` }
    },
  })
}

/** GET indexSummary: one record per index asked for; a board answers for each of its indexes. */
export function indexSummary(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/data/indexSummary'
  const { world, clock, format, options } = service
  const restate = restater(options.restate ?? [], path)
  mount(app, service, {
    path,
    operationId: 'indexSummary',
    summary: 'Totals, breadth and value of an index or of the indexes of a board',
    query: z.object({
      board: board.optional(),
      index: indexName.optional(),
      tradingDate: slashedDay.optional(),
    }),
    answers: z.array(strings('IndexSummary', INDEX_SUMMARY_FIELDS)),
    lists: true,
    handle(query) {
      const { board, index, tradingDate } = query
      if ((board === undefined) === (index === undefined))
        throw invalidRequest('query board, index: expected exactly one of them')
      const last = clock.lastTraded()
      const session = tradingDate === undefined ? last : world.time.at(tradingDate)
      const day = world.time.days[session] ?? ''
      const open = session >= 0 && session <= last && (tradingDate === undefined || day === tradingDate)
      const requestedCodes = index === undefined ? indexCodes(board ?? '') : [indexCode(index)]
      const codes = open
        ? requestedCodes.filter((code) => INDEXES.some((candidate) => candidate.code === code))
        : []
      const until = clock.until(session)
      const sheet =
        codes.length === 0
          ? []
          : until === undefined
            ? world.sheet(session)
            : world.listed(session).map((instrument) => world.daily(instrument, session, until))
      const rows = codes.map((code) =>
        restate(
          record(indexDay(world, code, session, sheet, until !== undefined), writeDay(day, format)),
          code,
          day,
        ),
      )
      return { empty: rows.length === 0, body: `[${rows.join(',')}]` }
    },
  })
}
