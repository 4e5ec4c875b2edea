import {
  type Check,
  expectEqual,
  expectInvalid,
  expectSame,
  expectThat,
  isEmpty,
  listOf,
  NotEvaluable,
  objectOf,
  type Row,
  rowsOf,
  words,
} from '../check.js'
import { dayOf, expectStrings, numberOf } from '../fields.js'
import { before, found } from '../found.js'
import type { Probe, Query } from '../probe.js'

const DATA = '/api/v3/data'
const BOARDS = ['HOSE', 'HNX', 'UPCOM'] as const

const SECURITY =
  words(`symbol symbolNameVi symbolNameEn board lotSize maturityDate firstTradingDate lastTradingDate
  cwUnderlyingSymbol cwExercisePrice cwExecutionRatio listedShare icbCode icbName iIndex iNav openInterest settlementPrice`)
const SUMMARY =
  words(`symbol tradingDate priceChange priceChangePercentage open high low close average totalMatch
  totalMatchValue totalBuy totalTradeBuy totalSell totalTradeSell totalForeignBuy totalForeignBuyValue totalForeignSell
  totalForeignSellValue remainForeignRoom totalForeignRoom totalDeal totalDealValue openInterest settlementPrice`)
const INDEX_SUMMARY =
  words(`tradingDate totalTrade totalTradeValue totalMatch totalMatchValue totalDeal totalDealValue
  indexChange indexChangePercentage indexValue totalAdvanceStock totalCeilingStock totalDeclineStock totalFloorStock
  totalNoChangeStock totalPropBuy totalPropBuyValue totalPropSell totalPropSellValue`)
const MASTER = words('symbol exchange tradingDate ceiling floor refPrice')
const CANDLE = words('symbol tradingDate open high low close volume value')

async function list(probe: Probe, path: string, query: Query): Promise<readonly Row[]> {
  const { status, body } = await probe.get(`${DATA}/${path}`, query)
  expectEqual(status, 200, `HTTP status of ${path}`)
  return listOf(probe, body, path)
}

async function page(probe: Probe, path: string, query: Query): Promise<Row & { data: readonly Row[] }> {
  const { status, body } = await probe.get(`${DATA}/${path}`, query)
  expectEqual(status, 200, `HTTP status of ${path}`)
  if (isEmpty(probe, body, path)) return { data: [] }
  const envelope = objectOf(body, path)
  return { ...envelope, data: rowsOf(envelope.data, `${path}.data`) }
}

const market = (id: string, says: string, run: Check['run']): Check => ({ id, says, needs: 'market', run })

/** Whether an envelope says how many rows there are; candles of live deployments do not. */
function isCounted(probe: Probe, path: string, envelope: Row, names: readonly string[]): boolean {
  const isCandle = path === 'ohlc'
  if (!isCandle || names.some((name) => name in envelope)) return true
  probe.knows('candle-paging', 'ohlc pages have no counts')
  return false
}

/** The envelope's names and counts, its defaults, and that its pages add up. */
function paged(
  path: string,
  names: readonly [index: string, pages: string],
  query: (probe: Probe) => Promise<Query>,
): Check[] {
  const [index, pages] = names
  const rowsAt = async (probe: Probe, asked: Query): Promise<readonly Row[]> =>
    (await page(probe, path, asked)).data
  return [
    market(
      `${path}-envelope`,
      `{pageSize, ${index}, itemsCount, ${pages}, data}: integers and an array`,
      async (probe) => {
        const envelope = await page(probe, path, { ...(await query(probe)), pageIndex: 1, pageSize: 3 })
        const isWhole = isCounted(probe, path, envelope, ['itemsCount', pages])
        for (const name of isWhole ? ['pageSize', index, 'itemsCount', pages] : ['pageSize', index])
          expectThat(
            Number.isInteger(envelope[name]),
            `${name} is ${JSON.stringify(envelope[name])}, not an integer`,
          )
        expectEqual([envelope.pageSize, envelope[index]], [3, 1], `pageSize and ${index}`)
        if (isWhole) expectEqual(envelope[pages], Math.ceil(Number(envelope.itemsCount) / 3), pages)
        expectThat(envelope.data.length <= 3, `${envelope.data.length} rows on a page of 3`)
      },
    ),
    market(`${path}-defaults`, 'pageIndex default 1, pageSize default 10', async (probe) => {
      const asked = await query(probe)
      const plain = await page(probe, path, asked)
      expectEqual([plain.pageSize, plain[index]], [10, 1], `pageSize and ${index}`)
      await expectSame(
        () => rowsAt(probe, { ...asked, pageIndex: 1, pageSize: 10 }),
        () => rowsAt(probe, asked),
        'the page without paging',
      )
    }),
    market(`${path}-pages`, 'pages start at 1 and add up to itemsCount', async (probe) => {
      const asked = await query(probe)
      const whole = await page(probe, path, { ...asked, pageSize: 1_000 })
      if (whole.data.length < 2) throw new NotEvaluable(`${path}: there is nothing to page through`)
      if (isCounted(probe, path, whole, ['itemsCount', pages]))
        expectEqual(
          whole.data.length,
          Math.min(Number(whole.pageSize), Number(whole.itemsCount)),
          'rows of a large page',
        )
      const size = Math.ceil(Math.min(20, whole.data.length) / 2)
      await expectSame(
        async () => (await rowsAt(probe, { ...asked, pageSize: 1_000 })).slice(size, 2 * size),
        () => rowsAt(probe, { ...asked, pageIndex: 2, pageSize: size }),
        'the second page',
      )
    }),
    market(`${path}-bad-paging`, 'pages start at 1', async (probe) => {
      const asked = await query(probe)
      for (const bad of [{ pageIndex: 0 }, { pageIndex: 'x' }, { pageSize: -1 }]) {
        const answer = await probe.get(`${DATA}/${path}`, { ...asked, ...bad })
        if ('pageSize' in bad && answer.status === 200)
          probe.knows('page-size', `${path} takes pageSize ${bad.pageSize}`)
        else expectInvalid(answer, `${path} ${JSON.stringify(bad)}`)
      }
    }),
  ]
}

const securities: readonly Check[] = [
  market('securities-fields', 'array of Security, all fields strings', async (probe) => {
    for (const board of BOARDS) {
      const rows = await list(probe, 'securitiesByBoard', { board })
      expectThat(rows.length > 0, `${board} lists nothing`)
      for (const row of rows.slice(0, 50)) expectStrings(probe, row, SECURITY, `security of ${board}`)
    }
  }),
  market('securities-board', 'board: HOSE, HNX or UPCOM', async (probe) => {
    for (const board of BOARDS)
      for (const row of await list(probe, 'securitiesByBoard', { board }))
        expectEqual(row.board, board, `board of ${String(row.symbol)}`)
    expectInvalid(await probe.get(`${DATA}/securitiesByBoard`, { board: 'NYSE' }), 'board NYSE')
  }),
  market('securities-symbol', 'symbol gives that security', async (probe) => {
    const symbol = await found.symbol(probe)
    const rows = await list(probe, 'securitiesByBoard', { symbol })
    expectEqual(
      rows.map((row) => row.symbol),
      [symbol],
      'symbols',
    )
  }),
  market('securities-index', 'index gives its members', async (probe) => {
    const rows = await list(probe, 'securitiesByBoard', { index: await found.index(probe) })
    const listed = await list(probe, 'securitiesByBoard', { board: 'HOSE' })
    expectThat(rows.length > 0 && rows.length <= listed.length, `${rows.length} members`)
  }),
  market('securities-all', 'all three are optional', async (probe) => {
    const all = await list(probe, 'securitiesByBoard', {})
    const boards: Row[] = []
    for (const board of BOARDS) boards.push(...(await list(probe, 'securitiesByBoard', { board })))
    expectEqual(all.length, boards.length, 'securities of all boards')
  }),
  market('securities-one-filter', 'at most one of symbol, board, index is supplied', async (probe) => {
    const symbol = await found.symbol(probe)
    for (const two of [
      { symbol, board: 'HOSE' },
      { board: 'HOSE', index: await found.index(probe) },
    ])
      expectInvalid(await probe.get(`${DATA}/securitiesByBoard`, two), Object.keys(two).join(' and '))
  }),
]

const ofSymbol = async (probe: Probe): Promise<Query> => {
  const day = await found.closedDay(probe)
  return { symbol: await found.symbol(probe), from: before(day, 20), to: day }
}

const summaries: readonly Check[] = [
  market('summary-fields', 'summary records: all strings', async (probe) => {
    const { data } = await page(probe, 'securitiesSummary', await ofSymbol(probe))
    for (const row of data) expectStrings(probe, row, SUMMARY, 'summary')
  }),
  market('summary-symbol', 'symbol gives its trading days from from to to', async (probe) => {
    const asked = await ofSymbol(probe)
    const { data } = await page(probe, 'securitiesSummary', { ...asked, pageSize: 100 })
    for (const row of data) {
      expectEqual(row.symbol, asked.symbol, 'symbol')
      const day = dayOf(row.tradingDate)
      expectThat(day >= String(asked.from) && day <= String(asked.to), `${day} is outside of the range`)
    }
  }),
  market('summary-index', 'index gives its members', async (probe) => {
    const day = await found.closedDay(probe)
    const index = await found.index(probe)
    const asked = { index, from: before(day, 7), to: day, pageSize: 1_000 }
    const { data } = await page(probe, 'securitiesSummary', asked)
    const members = await list(probe, 'securitiesByBoard', { index })
    const known = new Set(members.map((row) => row.symbol))
    expectThat(data.length > 0 && data.some((row) => known.has(row.symbol)), 'none of its members is there')
  }),
  market('summary-one-filter', 'supply only one of symbol and index', async (probe) => {
    const two = { ...(await ofSymbol(probe)), index: await found.index(probe) }
    expectInvalid(await probe.get(`${DATA}/securitiesSummary`, two), 'symbol and index')
  }),
  market('summary-range', 'from and to are required, YYYY/MM/DD, to >= from', async (probe) => {
    const { symbol = '', from = '', to = '' } = await ofSymbol(probe)
    for (const bad of [
      { symbol, to },
      { symbol, from },
      { symbol, from: to, to: from },
      { symbol, from: String(from).replaceAll('/', '-'), to },
      { symbol, from: '2025/02/30', to },
    ])
      expectInvalid(await probe.get(`${DATA}/securitiesSummary`, bad), JSON.stringify(bad))
  }),
  ...paged('securitiesSummary', ['pageIndex', 'pagesCount'], ofSymbol),
]

const indexes: readonly Check[] = [
  market('index-list-fields', 'index, indexName, board: HOSE, HNX, UPCOM', async (probe) => {
    for (const row of await list(probe, 'indexList', {})) {
      expectStrings(probe, row, words('index indexName board'), 'index')
      expectThat(BOARDS.includes(row.board as 'HOSE'), `board is ${String(row.board)}`)
    }
  }),
  market(
    'index-list-board',
    'board is optional: when absent, indexes of all boards are returned',
    async (probe) => {
      const all = await list(probe, 'indexList', {})
      let count = 0
      for (const board of BOARDS) {
        const rows = await list(probe, 'indexList', { board })
        count += rows.length
        for (const row of rows) expectEqual(row.board, board, 'board')
      }
      expectEqual(all.length, count, 'indexes of all boards')
      expectInvalid(await probe.get(`${DATA}/indexList`, { board: 'x' }), 'board x')
    },
  ),
  market('index-summary-fields', 'index summary records: all strings', async (probe) => {
    const rows = await list(probe, 'indexSummary', { index: await found.index(probe) })
    expectEqual(rows.length, 1, 'records of one index')
    for (const row of rows) expectStrings(probe, row, INDEX_SUMMARY, 'index summary')
  }),
  market('index-summary-board', 'board gives a record for each of its indexes', async (probe) => {
    const rows = await list(probe, 'indexSummary', { board: 'HOSE' })
    const known = await list(probe, 'indexList', { board: 'HOSE' })
    expectEqual(rows.length, known.length, 'records')
  }),
  market('index-summary-one-filter', 'exactly one of board and index must be supplied', async (probe) => {
    const index = await found.index(probe)
    for (const bad of [{}, { index, board: 'HOSE' }])
      expectInvalid(await probe.get(`${DATA}/indexSummary`, bad), JSON.stringify(bad))
  }),
  market('index-summary-day', 'tradingDate is optional, YYYY/MM/DD', async (probe) => {
    const index = await found.index(probe)
    const [latest] = await list(probe, 'indexSummary', { index })
    if (!latest) throw new NotEvaluable('the service shows no summary of the index')
    await expectSame(
      () => list(probe, 'indexSummary', { index }),
      () => list(probe, 'indexSummary', { index, tradingDate: dayOf(latest.tradingDate) }),
      'the latest day',
    )
    const former = await found.closedDay(probe)
    for (const row of await list(probe, 'indexSummary', { index, tradingDate: former }))
      expectEqual(dayOf(row.tradingDate), former, 'the day that was asked for')
    expectInvalid(
      await probe.get(`${DATA}/indexSummary`, { index, tradingDate: 'today' }),
      'tradingDate today',
    )
  }),
]

/** Live models call the exchange `board` (docs/market-facts.md#board-or-exchange). */
function withBoard(probe: Probe, row: Row): readonly string[] {
  if (!('board' in row)) return MASTER
  probe.knows('board-or-exchange', 'masterdata.exchange is called board')
  return MASTER.map((field) => (field === 'exchange' ? 'board' : field))
}

const masterdata: readonly Check[] = [
  market(
    'masterdata-fields',
    'symbol, exchange, tradingDate, ceiling, floor, refPrice: all strings',
    async (probe) => {
      const { data } = await page(probe, 'masterdata', { pageSize: 50 })
      for (const row of data) {
        expectStrings(probe, row, 'exchange' in row ? MASTER : withBoard(probe, row), 'masterdata')
        const [floor = 0, ref = 0, ceiling = 0] = words('floor refPrice ceiling').map((field) =>
          numberOf(row[field], `masterdata.${field}`),
        )
        expectThat(
          floor <= ref && ref <= ceiling,
          `limits of ${String(row.symbol)} do not hold its reference`,
        )
      }
    },
  ),
  market(
    'masterdata-latest',
    'from and to are optional: when absent the latest day is returned',
    async (probe) => {
      const day = await found.day(probe)
      const pageSize = 1_000
      await expectSame(
        async () => (await page(probe, 'masterdata', { pageSize })).data,
        async () => (await page(probe, 'masterdata', { from: day, to: day, pageSize })).data,
        'the latest day',
      )
      const { data } = await page(probe, 'masterdata', { pageSize })
      expectEqual(new Set(data.map((row) => row.tradingDate)).size, 1, 'days')
    },
  ),
  market('masterdata-range', 'from and to are YYYY/MM/DD', async (probe) => {
    const day = await found.day(probe)
    for (const bad of [
      { from: day.replaceAll('/', '-'), to: day },
      { from: day, to: before(day, 1) },
    ])
      expectInvalid(await probe.get(`${DATA}/masterdata`, bad), JSON.stringify(bad))
  }),
  ...paged('masterdata', ['pageIndex', 'pagesCount'], async () => ({})),
]

const ofCandles = async (probe: Probe): Promise<Query> => {
  const day = await found.closedDay(probe)
  const [from = '', to = ''] = [before(day, 10), day].map((text) => text.replaceAll('/', '-'))
  return { symbol: await found.symbol(probe), from, to, timeFrame: '1h' }
}

/** How many candles there are; without a count, those of the first large page. */
async function candleCount(probe: Probe, asked: Query): Promise<number> {
  const envelope = await page(probe, 'ohlc', { ...asked, pageSize: 1_000 })
  const isWhole = isCounted(probe, 'ohlc', envelope, ['itemsCount', 'pageCount'])
  return isWhole ? Number(envelope.itemsCount ?? 0) : envelope.data.length
}

const candles: readonly Check[] = [
  market('ohlc-fields', 'candles: all strings', async (probe) => {
    const { data } = await page(probe, 'ohlc', await ofCandles(probe))
    for (const row of data) expectStrings(probe, row, CANDLE, 'candle')
  }),
  market('ohlc-frames', 'timeFrame: 1m, 3m, 5m, 15m, 30m, 1h, 1d', async (probe) => {
    const asked = await ofCandles(probe)
    let more = Number.POSITIVE_INFINITY
    for (const timeFrame of ['1m', '3m', '5m', '15m', '30m', '1h', '1d']) {
      const count = await candleCount(probe, { ...asked, timeFrame })
      expectThat(count > 0 && count <= more, `${timeFrame}: ${count} candles`)
      more = count
    }
    expectInvalid(await probe.get(`${DATA}/ohlc`, { ...asked, timeFrame: '2m' }), 'timeFrame 2m')
  }),
  market('ohlc-default-frame', 'timeFrame default 1d', async (probe) => {
    const { timeFrame: _, ...asked } = await ofCandles(probe)
    await expectSame(
      () => page(probe, 'ohlc', { ...asked, timeFrame: '1d' }),
      () => page(probe, 'ohlc', asked),
      'candles without timeFrame',
    )
  }),
  market('ohlc-symbol', 'candles of the symbol that was asked for', async (probe) => {
    const asked = await ofCandles(probe)
    const { data } = await page(probe, 'ohlc', { ...asked, pageSize: 100 })
    for (const row of data) expectEqual(row.symbol, asked.symbol, 'symbol')
    for (const row of data) {
      const [high = 0, low = 0, open = 0, close = 0] = words('high low open close').map((field) =>
        numberOf(row[field], `candle.${field}`),
      )
      expectThat(low <= Math.min(open, close) && high >= Math.max(open, close), 'a bar is inside out')
    }
  }),
  market('ohlc-year', 'intraday timeFrames reach only the latest 1 year', async (probe) => {
    const day = await found.day(probe)
    const [from, to] = [before(day, 420), before(day, 400)].map((one) => one.replaceAll('/', '-'))
    const asked = { symbol: await found.symbol(probe), from: from ?? '', to: to ?? '' }
    const answer = await probe.get(`${DATA}/ohlc`, { ...asked, timeFrame: '1m' })
    const isRefused = answer.status === 400
    if (!isRefused && !isEmpty(probe, answer.body, 'ohlc')) {
      const data = rowsOf(objectOf(answer.body, 'ohlc').data, 'ohlc.data')
      expectThat(data.length === 0, 'bars of minutes are served after a year')
    }
    expectThat((await candleCount(probe, asked)) > 0, 'daily history ends after a year')
  }),
  market('ohlc-range', 'from and to bound the candles', async (probe) => {
    const asked = await ofCandles(probe)
    expectInvalid(
      await probe.get(`${DATA}/ohlc`, { ...asked, from: asked.to ?? '', to: asked.from ?? '' }),
      'to before from',
    )
    expectInvalid(await probe.get(`${DATA}/ohlc`, { ...asked, from: 'x' }), 'from x')
    const one = await page(probe, 'ohlc', { ...asked, from: asked.to ?? '', pageSize: 100 })
    const days = new Set(one.data.map((row) => dayOf(row.tradingDate).replaceAll('/', '-')))
    expectEqual([...days], [asked.to], 'days of a range of one day')
  }),
  ...paged('ohlc', ['pageNumber', 'pageCount'], ofCandles),
]

export const marketData: readonly Check[] = [
  ...securities,
  ...summaries,
  ...indexes,
  ...masterdata,
  ...candles,
]
