import { describe, expect, it } from 'vitest'
import type { Query } from '../src/reading.js'
import {
  asText,
  type Counts,
  live,
  NO_COUNTS,
  paging,
  QUERY,
  rowsOf,
  spec,
  summary,
  walk,
  walked,
} from './support/paging.js'
import { type Said, stage, withLogin } from './support/service.js'

describe('a walk knows its end', () => {
  it.each([
    ['pageNumber and pageCount', spec],
    ['pageIndex and pagesCount', summary],
    ['counts as strings', asText],
    ['itemsCount alone', ({ slice, total }: Counts) => ({ itemsCount: total, data: slice })],
    [
      'a page count alone',
      ({ size, slice, total }: Counts) => ({ pageCount: Math.ceil(total / size), data: slice }),
    ],
  ])('from %s', async (_, envelope) => {
    const { verdict, asked } = await walk(paging(rowsOf(250), envelope), 100)
    expect(verdict).toMatchObject({ state: 'complete', rows: 250, reason: undefined, walkAgain: false })
    expect(asked).toBe(3)
  })

  it.each([
    ['is {"code":204}', live],
    ['has no rows', ({ slice }: Counts) => ({ data: slice })],
    [
      'has no rows, after an echoed page size',
      ({ size, slice }: Counts) => ({ pageSize: size, data: slice }),
    ],
  ])('from a page that %s, where there are no counts', async (_, envelope) => {
    const { verdict, asked } = await walk(paging(rowsOf(250), envelope), 100)
    expect(verdict).toMatchObject({ state: 'complete', rows: 250, reason: undefined, walkAgain: false })
    expect(asked).toBe(4)
  })

  it('from a page that is HTTP 204, where there are no counts', async () => {
    const { verdict } = await walk(
      (query) => (query.pageIndex === '1' ? { body: { data: rowsOf(7) } } : { status: 204 }),
      100,
    )
    expect(verdict).toMatchObject({ state: 'complete', rows: 7 })
  })

  it('one page is one request, with counts', async () => {
    expect(await walk(paging(rowsOf(227), spec))).toMatchObject({
      verdict: { state: 'complete', rows: 227 },
      asked: 1,
    })
  })

  it('a full last page without counts costs one empty page', async () => {
    const { verdict, asked } = await walk(paging(rowsOf(200), live), 100)
    expect(verdict).toMatchObject({ state: 'complete', rows: 200 })
    expect(asked).toBe(3)
  })

  it('an answer without rows is empty', async () => {
    expect((await walk(paging([], live))).verdict).toMatchObject({ state: 'empty', rows: 0 })
    expect((await walk(paging([], spec))).verdict).toMatchObject({ state: 'empty', rows: 0 })
  })

  it('an empty last page within the page count is accepted', async () => {
    const { verdict } = await walk(
      paging(rowsOf(200), (page) => ({ ...spec(page), pageCount: 3 })),
      100,
    )
    expect(verdict).toMatchObject({ state: 'complete', rows: 200 })
  })
})

describe('page sizes', () => {
  it('capped with a stated size: further pages use that size', async () => {
    const { verdict, sizes } = await walk(paging(rowsOf(250), spec, 100))
    expect(verdict).toMatchObject({ state: 'complete', rows: 250 })
    expect(sizes).toEqual(['1000', '100', '100'])
  })

  it('capped without a stated size: the length of the first page is used', async () => {
    const hidden = (page: Counts) => ({ ...spec(page), pageSize: 1000, pageCount: 1 })
    const { verdict, sizes } = await walk(paging(rowsOf(250), hidden, 70))
    expect(verdict).toMatchObject({ state: 'complete', rows: 250 })
    expect(sizes).toEqual(['1000', '70', '70', '70'])
  })

  it.each([1, 7, 70, 249])('capped at %i rows without any count: no row is lost', async (cap) => {
    const { verdict } = await walk(paging(rowsOf(250), live, cap))
    expect(verdict).toMatchObject({ state: 'complete', rows: 250 })
  })

  it('a cap that shrinks while the client learns loses no row: longer pages before prove nothing', async () => {
    const caps = [227, 100, 60]
    await stage(
      withLogin((request) => paging(rowsOf(200), live, caps[Number(request.query.symbol)])(request.query)),
      async (on) => {
        for (const symbol of ['0', '1', '2'])
          expect((await walked(on, 1000, { ...QUERY, symbol })).verdict).toMatchObject({
            state: 'complete',
            rows: 200,
          })
      },
    )
  })

  it('a cap that shrinks during a walk without counts is incomplete, and worth another walk', async () => {
    const { verdict } = await walk((query) =>
      paging(
        rowsOf(250),
        ({ slice, index }) => live({ ...NO_COUNTS, slice: slice.slice(0, 90 - 10 * index) }),
        80,
      )(query),
    )
    expect(verdict).toMatchObject({
      state: 'incomplete',
      reason: 'page 3 has rows although page 2 was short',
      walkAgain: true,
    })
  })

  it('without counts every window costs one request more', async () => {
    const totals = [227, 220, 227, 30]
    let total = 0
    await stage(
      withLogin((request) => paging(rowsOf(total), live)(request.query)),
      async (on) => {
        const pages: number[] = []
        for (total of totals)
          pages.push((await walked(on, 1000, { ...QUERY, symbol: `S${pages.length}` })).pages)
        expect(pages).toEqual([2, 2, 2, 2])
      },
    )
  })

  it('refused: stepped down, remembered, and not tried again', async () => {
    const picky = (query: Query): Said =>
      Number(query.pageSize) > 100
        ? { status: 400, body: { code: '400', msg: 'Invalid request' } }
        : paging(rowsOf(150), spec)(query)
    await stage(
      withLogin((request) => picky(request.query)),
      async (on) => {
        expect((await walked(on)).verdict).toMatchObject({ state: 'complete', rows: 150 })
        expect(on.client.pageSizeFor('ohlc')).toBe(100)
        const before = on.service.asked('/ohlc').length
        await walked(on)
        expect(on.service.asked('/ohlc').length - before).toBe(2)
      },
    )
  })

  it('a refusal of every size is the answer, after few requests', async () => {
    const { verdict, asked } = await walk(() => ({
      status: 400,
      body: { code: '400', msg: 'Invalid request' },
    }))
    expect(verdict).toMatchObject({ state: 'refused', reason: '400 Invalid request' })
    expect(asked).toBeLessThanOrEqual(4)
  })
})

describe('the date form of OHLC', () => {
  it('falls back to the form of the specification example once, and remembers', async () => {
    await stage(
      withLogin((request) =>
        /^\d{4}-\d{2}-\d{2}$/.test(request.query.from ?? '')
          ? paging(rowsOf(5), spec)(request.query)
          : { status: 400, body: { code: '400', msg: 'Invalid request' } },
      ),
      async (on) => {
        expect((await walked(on)).verdict).toMatchObject({ state: 'complete', rows: 5 })
        expect((await walked(on)).verdict).toMatchObject({ state: 'complete', rows: 5 })
        expect(on.service.asked('/ohlc').map((one) => one.query.from)).toEqual([
          '2025/01/02 00:00:00',
          '2025-01-02',
          '2025-01-02',
        ])
      },
    )
  })
})
