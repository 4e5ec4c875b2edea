import {
  type Check,
  expectEqual,
  expectInvalid,
  expectStrings,
  expectThat,
  objectOf,
  type Row,
  rowsOf,
  words,
} from '../check.js'
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
  const told = await probe.get(`${DATA}/${path}`, query)
  expectEqual(told.status, 200, `HTTP status of ${path}`)
  return rowsOf(told.body, path)
}

async function page(probe: Probe, path: string, query: Query): Promise<Row & { data: readonly Row[] }> {
  const told = await probe.get(`${DATA}/${path}`, query)
  expectEqual(told.status, 200, `HTTP status of ${path}`)
  const envelope = objectOf(told.body, path)
  return { ...envelope, data: rowsOf(envelope.data, `${path}.data`) }
}

const market = (id: string, says: string, run: Check['run']): Check => ({ id, says, needs: 'market', run })

/** The envelope's names and counts, its defaults, and that its pages add up. */
function paged(
  path: string,
  names: readonly [index: string, pages: string],
  query: (probe: Probe) => Promise<Query>,
): Check[] {
  const [index, pages] = names
  return [
    market(
      `${path}-envelope`,
      `{pageSize, ${index}, itemsCount, ${pages}, data}: integers and an array`,
      async (probe) => {
        const envelope = await page(probe, path, { ...(await query(probe)), pageIndex: 1, pageSize: 3 })
        for (const name of ['pageSize', index, 'itemsCount', pages])
          expectThat(
            Number.isInteger(envelope[name]),
            `${name} is ${JSON.stringify(envelope[name])}, no integer`,
          )
        expectEqual([envelope.pageSize, envelope[index]], [3, 1], `pageSize and ${index}`)
        expectEqual(envelope[pages], Math.ceil(Number(envelope.itemsCount) / 3), pages)
        expectThat(envelope.data.length <= 3, `${envelope.data.length} rows on a page of 3`)
      },
    ),
    market(`${path}-defaults`, 'pageIndex default 1, pageSize default 10', async (probe) => {
      const asked = await query(probe)
      const plain = await page(probe, path, asked)
      expectEqual([plain.pageSize, plain[index]], [10, 1], `pageSize and ${index}`)
      const named = await page(probe, path, { ...asked, pageIndex: 1, pageSize: 10 })
      expectEqual(plain.data, named.data, 'the page without paging')
    }),
    market(`${path}-pages`, 'pages start at 1 and add up to itemsCount', async (probe) => {
      const asked = await query(probe)
      const whole = await page(probe, path, { ...asked, pageSize: 1_000 })
      expectThat(whole.data.length > 0, 'there is nothing to page through')
      expectEqual(whole.data.length, Math.min(1_000, Number(whole.itemsCount)), 'rows of a large page')
      const size = Math.max(1, Math.ceil(Math.min(20, whole.data.length) / 2))
      const second = await page(probe, path, { ...asked, pageIndex: 2, pageSize: size })
      expectEqual(second.data, whole.data.slice(size, 2 * size), 'the second page')
    }),
    market(`${path}-bad-paging`, 'pages start at 1', async (probe) => {
      const asked = await query(probe)
      for (const bad of [{ pageIndex: 0 }, { pageIndex: 'x' }, { pageSize: -1 }])
        expectInvalid(
          await probe.get(`${DATA}/${path}`, { ...asked, ...bad }),
          `${path} ${JSON.stringify(bad)}`,
        )
    }),
  ]
}

const securities: readonly Check[] = [
  market('securities-fields', 'array of Security, all fields strings', async (probe) => {
    for (const board of BOARDS) {
      const rows = await list(probe, 'securitiesByBoard', { board })
      expectThat(rows.length > 0, `${board} lists nothing`)
      for (const row of rows.slice(0, 50)) expectStrings(row, SECURITY, `${board} ${String(row.symbol)}`)
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
    const boards = await Promise.all(BOARDS.map((board) => list(probe, 'securitiesByBoard', { board })))
    expectEqual(all.length, boards.flat().length, 'securities of all boards')
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
  const day = await found.day(probe)
  return { symbol: await found.symbol(probe), from: before(day, 20), to: day }
}

const summaries: readonly Check[] = [
  market('summary-fields', 'summary records: all strings', async (probe) => {
    const { data } = await page(probe, 'securitiesSummary', await ofSymbol(probe))
    for (const row of data) expectStrings(row, SUMMARY, 'summary')
  }),
  market('summary-symbol', 'symbol gives its trading days from from to to', async (probe) => {
    const asked = await ofSymbol(probe)
    const { data } = await page(probe, 'securitiesSummary', { ...asked, pageSize: 100 })
    for (const row of data) {
      expectEqual(row.symbol, asked.symbol, 'symbol')
      const day = String(row.tradingDate).slice(0, 10).replaceAll('-', '/')
      expectThat(day >= String(asked.from) && day <= String(asked.to), `${day} is outside of the range`)
    }
  }),
  market('summary-index', 'index gives its members', async (probe) => {
    const day = await found.day(probe)
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
      expectStrings(row, words('index indexName board'), 'index')
      expectThat(BOARDS.includes(row.board as 'HOSE'), `board is ${String(row.board)}`)
    }
  }),
  market(
    'index-list-board',
    'board is optional: when absent, indexes of all boards are returned',
    async (probe) => {
      const all = await list(probe, 'indexList', {})
      const boards = await Promise.all(BOARDS.map((board) => list(probe, 'indexList', { board })))
      expectEqual(all.length, boards.flat().length, 'indexes of all boards')
      boards.forEach((rows, at) => {
        for (const row of rows) expectEqual(row.board, BOARDS[at], 'board')
      })
      expectInvalid(await probe.get(`${DATA}/indexList`, { board: 'x' }), 'board x')
    },
  ),
  market('index-summary-fields', 'index summary records: all strings', async (probe) => {
    const rows = await list(probe, 'indexSummary', { index: await found.index(probe) })
    expectEqual(rows.length, 1, 'records of one index')
    for (const row of rows) expectStrings(row, INDEX_SUMMARY, 'index summary')
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
    const day = String(latest?.tradingDate).slice(0, 10).replaceAll('-', '/')
    expectEqual(await list(probe, 'indexSummary', { index, tradingDate: day }), [latest], 'the latest day')
    expectInvalid(
      await probe.get(`${DATA}/indexSummary`, { index, tradingDate: 'today' }),
      'tradingDate today',
    )
  }),
]

const masterdata: readonly Check[] = [
  market(
    'masterdata-fields',
    'symbol, exchange, tradingDate, ceiling, floor, refPrice: all strings',
    async (probe) => {
      const { data } = await page(probe, 'masterdata', { pageSize: 50 })
      for (const row of data) {
        expectStrings(row, MASTER, 'masterdata')
        const [floor, ref, ceiling] = [Number(row.floor), Number(row.refPrice), Number(row.ceiling)]
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
      const latest = await page(probe, 'masterdata', { pageSize: 1_000 })
      const asked = await page(probe, 'masterdata', { from: day, to: day, pageSize: 1_000 })
      expectEqual(latest.data, asked.data, 'the latest day')
      expectEqual(new Set(latest.data.map((row) => row.tradingDate)).size, 1, 'days')
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
  const day = (await found.day(probe)).replaceAll('/', '-')
  return {
    symbol: await found.symbol(probe),
    from: before(day.replaceAll('-', '/'), 10).replaceAll('/', '-'),
    to: day,
    timeFrame: '1h',
  }
}

const candles: readonly Check[] = [
  market('ohlc-fields', 'candles: all strings', async (probe) => {
    const { data } = await page(probe, 'ohlc', await ofCandles(probe))
    for (const row of data) expectStrings(row, CANDLE, 'candle')
  }),
  market('ohlc-frames', 'timeFrame: 1m, 3m, 5m, 15m, 30m, 1h, 1d', async (probe) => {
    const asked = await ofCandles(probe)
    let more = Number.POSITIVE_INFINITY
    for (const timeFrame of ['1m', '3m', '5m', '15m', '30m', '1h', '1d']) {
      const { itemsCount } = await page(probe, 'ohlc', { ...asked, timeFrame })
      expectThat(
        Number(itemsCount) > 0 && Number(itemsCount) <= more,
        `${timeFrame}: ${String(itemsCount)} candles`,
      )
      more = Number(itemsCount)
    }
    expectInvalid(await probe.get(`${DATA}/ohlc`, { ...asked, timeFrame: '2m' }), 'timeFrame 2m')
  }),
  market('ohlc-default-frame', 'timeFrame default 1d', async (probe) => {
    const { timeFrame: _, ...asked } = await ofCandles(probe)
    const plain = await page(probe, 'ohlc', asked)
    const daily = await page(probe, 'ohlc', { ...asked, timeFrame: '1d' })
    expectEqual(plain, daily, 'candles without timeFrame')
  }),
  market('ohlc-symbol', 'candles of the symbol that was asked for', async (probe) => {
    const asked = await ofCandles(probe)
    const { data } = await page(probe, 'ohlc', { ...asked, pageSize: 100 })
    for (const row of data) expectEqual(row.symbol, asked.symbol, 'symbol')
    for (const { high, low, open, close } of data) {
      const [top, bottom] = [Number(high), Number(low)]
      expectThat(
        [open, close].every((price) => Number(price) <= top && Number(price) >= bottom),
        'a bar is inside out',
      )
    }
  }),
  market('ohlc-year', 'intraday timeFrames reach only the latest 1 year', async (probe) => {
    const day = await found.day(probe)
    const [from, to] = [before(day, 420), before(day, 400)].map((one) => one.replaceAll('/', '-'))
    const asked = { symbol: await found.symbol(probe), from: from ?? '', to: to ?? '' }
    const told = await probe.get(`${DATA}/ohlc`, { ...asked, timeFrame: '1m' })
    const data = (told.body as Row | undefined)?.data
    expectThat(told.status === 400 || (Array.isArray(data) && data.length === 0), 'older bars are served')
    expectThat(Number((await page(probe, 'ohlc', asked)).itemsCount) > 0, 'daily history ends after a year')
  }),
  market('ohlc-range', 'from and to bound the candles', async (probe) => {
    const asked = await ofCandles(probe)
    expectInvalid(
      await probe.get(`${DATA}/ohlc`, { ...asked, from: asked.to ?? '', to: asked.from ?? '' }),
      'to before from',
    )
    expectInvalid(await probe.get(`${DATA}/ohlc`, { ...asked, from: 'x' }), 'from x')
    const one = await page(probe, 'ohlc', { ...asked, from: asked.to ?? '', pageSize: 100 })
    const days = new Set(one.data.map((row) => String(row.tradingDate).slice(0, 10).replaceAll('/', '-')))
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
