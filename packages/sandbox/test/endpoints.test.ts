import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decimal } from '../src/broker/decimal.js'
import { openInterestOf, orderFlow } from '../src/market/world/figures.js'
import { foreignTrades } from '../src/market/world/foreign-trades.js'
import { world } from '../src/market/world/world.js'
import { type Caller, caller } from './caller.js'

const DATA = '/api/v3/data'
let api: Caller
beforeAll(async () => {
  api = await caller()
})
afterAll(() => api.close())

const range = { from: '2025/11/17', to: '2025/11/20' }

describe('refusals', () => {
  it.each([
    ['securitiesByBoard', { symbol: 'FPT', board: 'HOSE' }],
    ['securitiesByBoard', { board: 'HOSE', index: 'VN30' }],
    ['securitiesByBoard', { board: 'NYSE' }],
    ['securitiesSummary', {}],
    ['securitiesSummary', { from: '2025/11/17' }],
    ['securitiesSummary', { to: '2025/11/17' }],
    ['securitiesSummary', { ...range, symbol: 'FPT', index: 'VN30' }],
    ['securitiesSummary', { from: '2025/11/20', to: '2025/11/19' }],
    ['securitiesSummary', { from: '2025-11-17', to: '2025-11-20' }],
    ['securitiesSummary', { from: '2025/02/29', to: '2025/11/20' }],
    ['securitiesSummary', { ...range, pageIndex: '0' }],
    ['securitiesSummary', { ...range, pageIndex: 'x' }],
    ['securitiesSummary', { ...range, pageSize: '0' }],
    ['securitiesSummary', { ...range, pageSize: '-5' }],
    ['indexSummary', {}],
    ['indexSummary', { board: 'HOSE', index: 'VN30' }],
    ['indexSummary', { board: 'HOSE', tradingDate: '20/11/2025' }],
    ['indexList', { board: 'NASDAQ' }],
    ['masterdata', { from: '2025/11/20', to: '2025/11/19' }],
    ['masterdata', { from: 'yesterday', to: '2025/11/19' }],
    ['ohlc', { from: '2025-11-17', to: '2025-11-20' }],
    ['ohlc', { symbol: 'FPT', to: '2025-11-20' }],
    ['ohlc', { symbol: 'FPT', from: '2025-11-20' }],
    ['ohlc', { symbol: 'FPT', from: '2025-11-20', to: '2025-11-19' }],
    ['ohlc', { symbol: 'FPT', from: '2025-11-17', to: '2025-11-20', timeFrame: '2m' }],
    ['ohlc', { symbol: 'FPT', from: '17/11/2025', to: '2025-11-20' }],
    ['ohlc', { symbol: 'FPT', from: '2025-11-17', to: '2025-11-20 25:00:00' }],
  ])('%s %j', async (endpoint, query) => {
    const { status, body } = await api.get(`${DATA}/${endpoint}`, query as Record<string, string>)
    expect(status).toBe(400)
    expect(body).toEqual({ code: '400', msg: 'Invalid request' })
  })
  it('do not strike empty parameters: they count as absent', async () => {
    const { status, body } = await api.get(`${DATA}/securitiesSummary`, {
      ...range,
      symbol: '',
      index: 'VN30',
    })
    expect([status, body.itemsCount]).toEqual([200, 120])
  })
  it('answers 404 for an unknown path', async () => {
    expect((await api.get('/api/v3/data/nothing')).status).toBe(404)
  })
})

describe('securitiesByBoard', () => {
  const FIELDS =
    'symbol symbolNameVi symbolNameEn board lotSize maturityDate firstTradingDate lastTradingDate cwUnderlyingSymbol cwExercisePrice cwExecutionRatio listedShare icbCode icbName iIndex iNav openInterest settlementPrice'.split(
      ' ',
    )
  it('answers an array with every field of the specification', async () => {
    const { list } = await api.get(`${DATA}/securitiesByBoard`)
    expect(list.length).toBeGreaterThan(60)
    for (const row of list) expect(Object.keys(row)).toEqual(FIELDS)
    expect(new Set(list.map(({ board }) => board))).toEqual(new Set(['HOSE', 'HNX', 'UPCOM']))
  })
  it('answers a board, a symbol, an index', async () => {
    const hnx = (await api.get(`${DATA}/securitiesByBoard`, { board: 'HNX' })).list
    expect(new Set(hnx.map(({ board }) => board))).toEqual(new Set(['HNX']))
    const fpt = (await api.get(`${DATA}/securitiesByBoard`, { symbol: 'FPT' })).list
    expect(fpt).toMatchObject([{ symbol: 'FPT', board: 'HOSE', openInterest: '', settlementPrice: '' }])
    expect((await api.get(`${DATA}/securitiesByBoard`, { index: 'VN30' })).list).toHaveLength(30)
    expect((await api.get(`${DATA}/securitiesByBoard`, { symbol: 'NOPE' })).list).toEqual([])
  })
  it('describes warrants and futures', async () => {
    const { list } = await api.get(`${DATA}/securitiesByBoard`)
    const warrant = list.find(({ cwUnderlyingSymbol }) => cwUnderlyingSymbol !== '')
    expect(Number(warrant?.cwExercisePrice)).toBeGreaterThan(0)
    expect(warrant?.maturityDate).toMatch(/^\d{4}\/\d{2}\/\d{2}$/)
    const future = list.find(({ symbol }) => symbol === '41I1FC000')
    expect(future).toMatchObject({ board: 'HNX', lotSize: '1', lastTradingDate: '2025/12/18' })
    expect(Number(future?.openInterest)).toBeGreaterThan(0)
  })
})

describe('securitiesSummary', () => {
  const FIELDS =
    'symbol tradingDate priceChange priceChangePercentage open high low close average totalMatch totalMatchValue totalBuy totalTradeBuy totalSell totalTradeSell totalForeignBuy totalForeignBuyValue totalForeignSell totalForeignSellValue remainForeignRoom totalForeignRoom totalDeal totalDealValue openInterest settlementPrice'.split(
      ' ',
    )
  it('answers for all when neither symbol nor index is given', async () => {
    const { body } = await api.get(`${DATA}/securitiesSummary`, { ...range, pageSize: '1000' })
    expect(Object.keys(body)).toEqual(['pageSize', 'pageIndex', 'pagesCount', 'itemsCount', 'data'])
    expect(body).toMatchObject({ pageSize: 1000, pageIndex: 1, pagesCount: 1, itemsCount: body.data.length })
    for (const row of body.data) expect(Object.keys(row)).toEqual(FIELDS)
    expect(new Set(body.data.map(({ tradingDate }) => tradingDate)).size).toBe(4)
  })
  it('answers ten rows of the first page by default', async () => {
    const { body } = await api.get(`${DATA}/securitiesSummary`, range)
    expect(body).toMatchObject({ pageSize: 10, pageIndex: 1 })
    expect(body.data).toHaveLength(10)
  })
  it('answers an empty page beyond the last one', async () => {
    const { body } = await api.get(`${DATA}/securitiesSummary`, { ...range, symbol: 'FPT', pageIndex: '9' })
    expect(body).toMatchObject({ itemsCount: 4, pagesCount: 1, data: [] })
  })
  it('knows symbols that have left the market', async () => {
    const old = await api.get(`${DATA}/securitiesSummary`, {
      from: '2025/03/03',
      to: '2025/03/03',
      pageSize: '200',
    })
    const now = new Set((await api.get(`${DATA}/securitiesByBoard`)).list.map(({ symbol }) => symbol))
    const gone = old.body.data.find(({ symbol }) => !now.has(String(symbol)))
    expect(gone).toBeDefined()
  })
  it('agrees with limits: close less change is the reference', async () => {
    const day = { from: '2025/11/20', to: '2025/11/20', pageSize: '200' }
    const summaries = (await api.get(`${DATA}/securitiesSummary`, day)).body.data
    const limits = (await api.get(`${DATA}/masterdata`, day)).body.data
    expect(limits.map(({ symbol }) => symbol)).toEqual(summaries.map(({ symbol }) => symbol))
    summaries.forEach(({ close, priceChange }, i) => {
      expect(Number(close) - Number(priceChange)).toBeCloseTo(Number(limits[i]?.refPrice), 6)
    })
  })
})

describe('masterdata', () => {
  it('answers the latest day, futures included, when no range is given', async () => {
    const { body } = await api.get(`${DATA}/masterdata`, { pageSize: '200' })
    expect(new Set(body.data.map(({ tradingDate }) => tradingDate))).toEqual(new Set(['2025/11/20']))
    expect(Object.keys(body.data[0] ?? {})).toEqual([
      'symbol',
      'exchange',
      'tradingDate',
      'ceiling',
      'floor',
      'refPrice',
    ])
    expect(body.data.some(({ symbol }) => symbol === '41I1FC000')).toBe(true)
    expect((await api.get(`${DATA}/masterdata`)).body.data).toHaveLength(10)
  })
})

describe('indexes', () => {
  const FIELDS =
    'tradingDate totalTrade totalTradeValue totalMatch totalMatchValue totalDeal totalDealValue indexChange indexChangePercentage indexValue totalAdvanceStock totalCeilingStock totalDeclineStock totalFloorStock totalNoChangeStock totalPropBuy totalPropBuyValue totalPropSell totalPropSellValue'.split(
      ' ',
    )
  it('are listed by board or all', async () => {
    const { list } = await api.get(`${DATA}/indexList`)
    expect(list).toContainEqual({ index: 'VN30', indexName: 'VN30 Index', board: 'HOSE' })
    expect((await api.get(`${DATA}/indexList`, { board: 'HNX' })).list.map(({ index }) => index)).toEqual([
      'HNXINDEX',
      'HNX30',
    ])
  })
  it('answer the latest day, or the day asked for, nothing for a closed one', async () => {
    const [latest] = (await api.get(`${DATA}/indexSummary`, { index: 'VN30' })).list
    expect(Object.keys(latest ?? {})).toEqual(FIELDS)
    expect(latest?.tradingDate).toBe('2025/11/20')
    const at = async (tradingDate: string) =>
      (await api.get(`${DATA}/indexSummary`, { index: 'VN30', tradingDate })).list
    const [before] = await at('2025/11/19')
    expect(Number(latest?.indexValue) - Number(latest?.indexChange)).toBeCloseTo(
      Number(before?.indexValue),
      6,
    )
    expect(await at('2025/11/22')).toEqual([])
    expect(await at('2025/11/21')).toEqual([])
  })
  it('sum the board’s stocks, HOSE with its funds', async () => {
    const [total] = (await api.get(`${DATA}/indexSummary`, { index: 'VNINDEX' })).list
    const members = (await api.get(`${DATA}/securitiesByBoard`, { index: 'VNINDEX' })).list
    const rows = (
      await api.get(`${DATA}/securitiesSummary`, { from: '2025/11/20', to: '2025/11/20', pageSize: '200' })
    ).body.data
    const inside = new Set(members.map(({ symbol }) => symbol))
    const sum = rows
      .filter(({ symbol }) => inside.has(symbol ?? ''))
      .reduce((all, { totalMatch }) => all + Number(totalMatch), 0)
    expect(total?.totalMatch).toBe(String(sum))
  })
  it('answer a board with one record for each of its indexes', async () => {
    expect((await api.get(`${DATA}/indexSummary`, { board: 'HOSE' })).list).toHaveLength(8)
  })
})

describe('the document', () => {
  it('is OpenAPI 3.1 and lists every read', async () => {
    const { body } = await api.get('/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    expect(Object.keys(body.paths as object)).toEqual(
      expect.arrayContaining([
        '/api/v3/auth/token',
        '/api/v3/data/ohlc',
        '/api/v3/data/masterdata',
        '/api/v3/trading/orderBook',
        '/api/v3/trading/fco/list',
      ]),
    )
  })
})

describe('what a generator needs of the document', () => {
  interface Media {
    schema: { $ref?: string }
    example?: unknown
  }
  interface Schema {
    oneOf?: { $ref: string }[]
    required?: string[]
    properties?: Record<string, { pattern?: string }>
  }
  interface Operation {
    operationId?: string
    requestBody?: { content: Record<string, Media> }
    responses: Record<string, { content: Record<string, Media>; headers: object }>
  }
  interface Document {
    servers: { url: string }[]
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  let driven: Caller
  let document: Document
  beforeAll(async () => {
    driven = await caller({ drive: true })
    document = (await driven.get('/openapi.json')).body as unknown as Document
  })
  afterAll(() => driven.close())
  const operations = () => Object.values(document.paths).flatMap((item) => Object.values(item))

  it('has an identifier for each operation, and the address it was asked at', () => {
    const names = operations().map(({ operationId }) => operationId)
    expect([names.includes(undefined), new Set(names).size]).toEqual([false, names.length])
    expect(document.servers.map(({ url }) => url)).toEqual([driven.sandbox.url])
  })
  it('has a name for the schema of every body of the service, and an answer from the wire for every operation', () => {
    const unnamed = operations().flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, responses[200]]
        .flatMap((part) => Object.values(part?.content ?? {}))
        .filter(({ example }) => example === undefined)
        .map(() => operationId),
    )
    // Approving a login needs one that waits.
    expect([...new Set(unnamed)]).toEqual(['answerSmartOtp'])
    const order = document.paths['/api/v3/trading/order']?.post
    const { schema, example } = order?.responses[200]?.content['application/json'] ?? { schema: {} }
    expect(schema.$ref).toBe('#/components/schemas/OrderResult')
    expect(example).toMatchObject({ orderStatus: 'PD' })
    expect(Object.keys(order?.responses[429]?.headers ?? {})).toContain('Retry-After')
    expect(Object.keys(document.components.schemas).length).toBeGreaterThan(40)
  })
  it('tells the types of conditional orders apart, each with what it needs', () => {
    const { schemas } = document.components
    expect(schemas.NewConditionalOrder?.oneOf).toHaveLength(7)
    expect(schemas.NewStop?.required).toEqual(expect.arrayContaining(['stopPrice', 'operator']))
    expect(schemas.NewTrailingStop?.required).toEqual(
      expect.arrayContaining(['activePrice', 'trailingAmount']),
    )
    expect(schemas.NewGtd?.required).not.toContain('stopPrice')
  })
  it('lets a word be a price only where the desk takes it', () => {
    const { NewOco, NewBullbear, NewStopLimit, NewStop } = document.components.schemas
    const takes = (field: { pattern?: string } | undefined, word: string) =>
      new RegExp(field?.pattern ?? 'no pattern').test(word)
    const legs = [NewOco, NewBullbear].flatMap((schema) => [
      schema?.properties?.tpPrice,
      schema?.properties?.slPrice,
    ])
    expect(legs.map((leg) => takes(leg, 'MAK'))).toEqual([true, true, false, false])
    expect(legs.map((leg) => takes(leg, 'MTL'))).toEqual([true, true, true, true])
    expect(['MP', '13200'].map((price) => takes(NewStopLimit?.properties?.price, price))).toEqual([
      false,
      true,
    ])
    expect(JSON.stringify(NewStop?.properties?.price)).toContain('MTL')
    expect(JSON.stringify(NewStop?.properties?.price)).not.toContain('MAK')
  })
})

describe('pages of the whole market', () => {
  it('are written as JSON of their figures: of shares, funds, warrants and contracts', async () => {
    const market = world('demo', 1)
    const days = ['2025-11-18', '2025-11-19']
    const rows = days.flatMap((day) =>
      market.listed(market.time.at(day)).map((instrument) => {
        const { prices } = market
        const daily = market.daily(instrument, market.time.at(day))
        const { session, reference, close, average, volume, value } = daily
        const [orders, foreign] = [
          orderFlow(daily, prices.lot(instrument, session)),
          foreignTrades(daily, prices),
        ]
        const isFuture = instrument.kind === 'future'
        const figures = {
          symbol: instrument.symbol,
          tradingDate: day.replaceAll('-', '/'),
          priceChange: decimal(close - reference, 1),
          priceChangePercentage: decimal(((close - reference) / reference) * 100, 2),
          open: daily.open,
          high: daily.high,
          low: daily.low,
          close,
          average: decimal(average, 6),
          totalMatch: volume,
          totalMatchValue: value,
          totalBuy: orders.totalBuy,
          totalTradeBuy: orders.totalTradeBuy,
          totalSell: orders.totalSell,
          totalTradeSell: orders.totalTradeSell,
          totalForeignBuy: foreign.foreignBuy,
          totalForeignBuyValue: foreign.foreignBuyValue,
          totalForeignSell: foreign.foreignSell,
          totalForeignSellValue: foreign.foreignSellValue,
          remainForeignRoom: foreign.remainRoom,
          totalForeignRoom: foreign.totalRoom,
          totalDeal: daily.dealVolume,
          totalDealValue: daily.dealValue,
          openInterest: isFuture ? openInterestOf(instrument, session) : '',
          settlementPrice: isFuture ? close : '',
        }
        return Object.fromEntries(Object.entries(figures).map(([field, figure]) => [field, String(figure)]))
      }),
    )
    const [from = '', to = ''] = days.map((day) => day.replaceAll('-', '/'))
    const { text } = await api.get(`${DATA}/securitiesSummary`, { from, to, pageSize: '1000' })
    const counts = { pagesCount: 1, itemsCount: rows.length }
    expect(text).toBe(JSON.stringify({ pageSize: 1_000, pageIndex: 1, ...counts, data: rows }))
  })

  const SUMMARY = `${DATA}/securitiesSummary`
  const page = { from: '2025/11/19', to: '2025/11/20', pageSize: '200' }
  it('are computed once when their sessions are over, plain and compressed alike', async () => {
    const first = await api.get(SUMMARY, page)
    const again = await api.get(SUMMARY, page)
    const plain = await api.get(SUMMARY, page, { 'accept-encoding': 'identity' })
    expect(first.body.data.length).toBeGreaterThan(100)
    expect([again.text === first.text, plain.text === first.text]).toEqual([true, true])
    expect((await api.get(SUMMARY, { ...page, pageIndex: '2' })).text).not.toBe(first.text)
    expect((await api.get(SUMMARY, { ...page, from: '2025/11/18' })).text).not.toBe(first.text)
  })

  it('follow a session that is running, and its end', async () => {
    const driven = await caller({ at: '10:00', drive: true })
    const volume = async () => {
      const { body } = await driven.get(SUMMARY, { ...page, from: page.to })
      return body.data.reduce((sum, row) => sum + Number(row.totalMatch), 0)
    }
    const morning = await volume()
    await driven.post('/sandbox/clock', { byMs: 60 * 60_000 })
    const noon = await volume()
    await driven.post('/sandbox/clock', { to: '2025-11-20T18:00:00+07:00' })
    const evening = await volume()
    expect([morning < noon, noon < evening, await volume()]).toEqual([true, true, evening])
    await driven.close()
  })
})
