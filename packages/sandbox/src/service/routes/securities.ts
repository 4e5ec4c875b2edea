import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { decimal } from '../../broker/decimal.js'
import { openInterestOf } from '../../market/world/figures.js'
import { boardAt, type Instrument } from '../../market/world/instrument.js'
import { lotAt } from '../../market/world/market-rules.js'
import { WORLD_BEGINS } from '../../market/world/timeline.js'
import type { Service } from '../service.js'
import { jsonRecord, writeDay } from '../wire/format.js'
import { indexCode } from '../wire/live-answers.js'
import { board, index as indexName, symbol as symbolName } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { mount, OF_DERIVATIVES, strings } from './read-route.js'

/** Fields in the order of the specification. */
const SECURITY_FIELDS = [
  'symbol',
  'symbolNameVi',
  'symbolNameEn',
  'board',
  'lotSize',
  'maturityDate',
  'firstTradingDate',

  'lastTradingDate',
  'cwUnderlyingSymbol',
  'cwExercisePrice',
  'cwExecutionRatio',
  'listedShare',

  'icbCode',
  'icbName',
  'iIndex',
  'iNav',
  'openInterest',
  'settlementPrice',
] as const

const NAMES = {
  stock: ['Công ty Cổ phần', 'Joint Stock Company'],
  etf: ['Quỹ', 'Fund'],
  covered_warrant: ['Chứng quyền', 'Covered Warrant'],
  future: ['Hợp đồng tương lai', 'Futures Contract'],
} as const

/** GET securitiesByBoard: the instruments listed today. */
export function securitiesByBoard(app: FastifyInstance, service: Service): void {
  const { world, clock, format, dialect } = service
  const nothing = dialect.nullFields ? null : ''
  const record = (instrument: Instrument, session: number): string => {
    const { symbol, kind, warrant } = instrument
    const [vi, en] = NAMES[kind]
    const future = kind === 'future'
    const day = (text: string | undefined) => (text ? writeDay(text, format) : '')
    const at = boardAt(instrument, session)
    return jsonRecord({
      symbol,
      symbolNameVi: `${vi} ${symbol}`,
      symbolNameEn: `${symbol} ${en}`,
      board: at,
      lotSize: String(lotAt(instrument, session, world.time.days[session] ?? WORLD_BEGINS)),
      maturityDate: day(instrument.maturityDay),
      firstTradingDate: day(world.time.days[instrument.first] ?? WORLD_BEGINS),
      lastTradingDate: day(instrument.lastTradingDay),
      cwUnderlyingSymbol: warrant?.underlying ?? '',
      cwExercisePrice: warrant ? String(warrant.exercisePrice) : '',
      cwExecutionRatio: warrant ? String(warrant.ratio) : '',
      listedShare: future ? '' : String(instrument.listed),
      icbCode: instrument.industry.code,
      icbName: instrument.industry.name,
      iIndex: kind === 'etf' ? decimal(world.indexValue('VN30', session), 2) : '',
      iNav: kind === 'etf' ? decimal(world.reference(instrument, session).reference * 1.002, 2) : '',
      openInterest: future ? String(openInterestOf(instrument, session)) : nothing,
      settlementPrice: future ? String(world.daily(instrument, session).close) : nothing,
    })
  }

  mount(app, service, {
    path: '/api/v3/data/securitiesByBoard',
    operationId: 'securitiesByBoard',
    summary: 'Securities of a board, of an index, or one symbol; all when none is given',
    query: z.object({ symbol: symbolName.optional(), board: board.optional(), index: indexName.optional() }),
    answers: z.array(strings('Security', SECURITY_FIELDS, dialect.nullFields ? OF_DERIVATIVES : [])),
    lists: true,
    handle(query) {
      const { symbol, board, index } = query
      if ([symbol, board, index].filter((filter) => filter !== undefined).length > 1)
        throw invalidRequest('query symbol, board, index: expected at most one of them')
      const session = clock.lastTraded()
      const instruments =
        index === undefined ? world.listed(session) : world.members(indexCode(index), session)
      const rows = instruments
        .filter((instrument) => symbol === undefined || instrument.symbol === symbol)
        .filter((instrument) => board === undefined || boardAt(instrument, session) === board)
        .map((instrument) => record(instrument, session))
      return { empty: rows.length === 0, body: `[${rows.join(',')}]` }
    },
  })
}
