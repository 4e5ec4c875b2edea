import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packageVersion } from '../../../src/package.js'
import { parseDay } from '../src/values.js'
import { KEY, SECRET, stage, withLogin } from './support/service.js'

const CANDLE = {
  symbol: 'FPT',
  tradingDate: '2025/01/02 09:15:00',
  open: '150000',
  high: '150100',
  low: '149900',
  close: '150000',
  volume: '1200',
  value: '180000000',
}

const OHLC = {
  symbol: 'FPT',
  timeframe: '1m',
  from: parseDay('2025-01-02'),
  to: parseDay('2025-01-02'),
} as const

describe('a request', () => {
  it('carries the headers of the specification on a GET: content type, user agent, language, bearer', async () => {
    await stage(
      withLogin(() => ({ body: [] })),
      async ({ service, client }) => {
        await client.market.indexList({})
        const [get] = service.asked('/indexList')
        expect(get?.headers).toMatchObject({
          'content-type': 'application/json',
          'user-agent': `candlehouse/${packageVersion}`,
          'accept-language': 'en',
          'accept-encoding': 'gzip',
          authorization: 'Bearer access-token-1',
        })
        expect(JSON.parse(service.asked('/auth/token')[0]?.body ?? '')).toEqual({
          apiKey: KEY,
          apiSecret: SECRET,
        })
        expect(service.asked('/auth/token')[0]?.headers.authorization).toBeUndefined()
      },
    )
  })

  it('asks OHLC with date-times, whole days', async () => {
    await stage(
      withLogin(() => ({
        body: { pageSize: 1000, pageNumber: 1, itemsCount: 1, pageCount: 1, data: [CANDLE] },
      })),
      async ({ service, client }) => {
        const answer = await client.market.ohlc(OHLC)
        expect(service.asked('/ohlc')[0]?.query).toEqual({
          symbol: 'FPT',
          timeFrame: '1m',
          from: '2025/01/02 00:00:00',
          to: '2025/01/02 23:59:59',
        })
        expect(answer).toMatchObject({ outcome: 'rows', attempts: 1, status: 200, error: undefined })
        expect(answer.page).toMatchObject({
          shape: 'data',
          rows: 1,
          pageIndex: 1,
          pageCount: 1,
          itemsCount: 1,
        })
      },
    )
  })

  it('keeps the base address path', async () => {
    await stage(
      withLogin(() => ({ body: [] })),
      async ({ service }) => {
        const { createClient } = await import('../src/reading.js')
        const client = createClient({ baseUrl: `${service.url}/gate/`, apiKey: KEY, apiSecret: SECRET })
        await client.market.indexList({ board: 'HNX' })
        expect(service.seen.at(-1)).toMatchObject({
          path: '/gate/api/v3/data/indexList',
          query: { board: 'HNX' },
        })
        await client.close()
      },
    )
  })
})

describe('an answer', () => {
  it('keeps the gzip bytes as they came over the wire', async () => {
    const packed = gzipSync(JSON.stringify([{ index: 'VN30', indexName: 'VN30', board: 'HOSE' }]))
    await stage(
      withLogin(() => ({ body: packed, headers: { 'content-encoding': 'gzip' } })),
      async ({ client }) => {
        const answer = await client.market.indexList({})
        expect(Buffer.from(answer.wire ?? [])).toEqual(packed)
        expect(answer.page).toMatchObject({ shape: 'array', rows: 1 })
        expect(client.stats()).toMatchObject({ requests: 2, retries: 0 })
      },
    )
  })

  it.each([
    ['{"code":204} on HTTP 200', { body: { code: 204 } }],
    ['HTTP 204', { status: 204 }],
    [
      'an envelope without records',
      { body: { pageSize: 10, pageNumber: 1, itemsCount: 0, pageCount: 0, data: [] } },
    ],
    ['data null', { body: { pageSize: 10, pageNumber: 1, itemsCount: 0, pageCount: 0, data: null } }],
  ])('%s is empty, not an error', async (_, said) => {
    await stage(
      withLogin(() => said),
      async ({ client }) => {
        expect(await client.market.ohlc(OHLC)).toMatchObject({
          outcome: 'empty',
          attempts: 1,
          error: undefined,
        })
      },
    )
  })

  it.each([
    ['string code', { status: 400, body: { code: '400', msg: 'Invalid request' } }, '400'],
    ['numeric code', { status: 400, body: { code: 400, msg: 'Invalid request' } }, '400'],
    ['code on HTTP 200', { status: 200, body: { code: 400, msg: 'Invalid request' } }, '400'],
  ])('a 400 with a %s is refused at once', async (_, said, code) => {
    await stage(
      withLogin(() => said),
      async ({ client, service }) => {
        const answer = await client.market.securitiesByBoard({ symbol: 'NONE' })
        expect(answer).toMatchObject({ outcome: 'refused', error: { code, message: 'Invalid request' } })
        expect(service.asked('/securitiesByBoard')).toHaveLength(1)
      },
    )
  })
})
