import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Accounts, type MarketData, type Page, pages, queries, rowsOf } from '../src/index.js'
import { parseDay } from '../src/values.js'
import { type Script, stage, withLogin } from './support/service.js'

const query = queries.ohlc({
  symbol: 'FPT',
  timeframe: '1d',
  from: parseDay('2025-01-02'),
  to: parseDay('2025-03-31'),
})

/** Ten candles, in pages of the size asked for. */
const candles: Script = ({ query: { pageIndex, pageSize } }) => {
  const [page, size] = [Number(pageIndex), Number(pageSize)]
  const all = Array.from({ length: 10 }, (_, nth) => ({ symbol: 'FPT', tradingDate: `2025/01/${nth + 10}` }))
  const data = all.slice((page - 1) * size, page * size)
  return { body: { pageSize: size, pageNumber: page, itemsCount: 10, pageCount: Math.ceil(10 / size), data } }
}

describe('pages', () => {
  it('come one by one, and the last page has the end of the walk', async () => {
    await stage(withLogin(candles), async ({ client, service }) => {
      const days: (string | null)[] = []
      const ends: unknown[] = []
      for await (const page of pages(client.market, 'ohlc', query, { pageSize: 4 })) {
        expect(service.asked('/ohlc')).toHaveLength(ends.length + 1)
        days.push(...rowsOf('ohlc', page).map(({ tradingDate }) => tradingDate))
        ends.push(page.end?.state)
      }
      expect(ends).toEqual([undefined, undefined, 'complete'])
      expect(days).toHaveLength(10)
      expect(days.at(-1)).toBe('2025/01/19')
    })
  })

  it('are not requested after the loop has ended', async () => {
    await stage(withLogin(candles), async ({ client, service }) => {
      for await (const _ of pages(client.market, 'ohlc', query, { pageSize: 4 })) break
      expect(service.asked('/ohlc')).toHaveLength(1)
    })
  })

  it('of an endpoint without pages are a single page, requested without page fields', async () => {
    await stage(
      withLogin(() => ({ body: [{ index: 'VN30' }] })),
      async ({ client, service }) => {
        const all = await collected(pages(client.market, 'indexList', queries.indexList({})))
        expect(all.map(({ end }) => end?.state)).toEqual(['complete'])
        expect(service.asked('/indexList')[0]?.query).toEqual({})
      },
    )
  })

  it('that are refused are returned too, with the refusal', async () => {
    await stage(
      withLogin(() => ({ status: 403, body: { code: '403', msg: 'not yours' } })),
      async ({ client }) => {
        const all = await collected(
          pages(client.accounts, 'orderBook', queries.orderBook({ accountNo: '1' })),
        )
        expect(all).toMatchObject([
          { outcome: 'refused', end: { state: 'refused', reason: '403 not yours' } },
        ])
      },
    )
  })

  it('of an endpoint come only from its own facet', () => {
    type Of<Facet> = Facet extends Parameters<typeof pages<'ohlc'>>[0] ? true : false
    expectTypeOf<Of<MarketData>>().toEqualTypeOf<true>()
    expectTypeOf<Of<Accounts>>().toEqualTypeOf<false>()
  })
})

async function collected(walk: AsyncIterable<Page>): Promise<Page[]> {
  const all: Page[] = []
  for await (const page of walk) all.push(page)
  return all
}
