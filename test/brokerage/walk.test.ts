import { describe, expect, it } from 'vitest'
import { nextStep, type Query, startWalk, type Verdict } from '../../src/brokerage/index.js'
import { type Said, type Stage, stage, withLogin } from './support/service.js'

const candle = (n: number, close = 'x') => ({ symbol: 'FPT', tradingDate: `2025/01/02 ${n}`, close })
const rowsOf = (total: number): unknown[] => Array.from({ length: total }, (_, n) => candle(n))

/** A service that pages `rows`; `envelope` writes what stands around a slice. */
function paging(
  rows: unknown[],
  envelope: (page: { index: number; size: number; slice: unknown[]; total: number }) => unknown,
  cap = Number.POSITIVE_INFINITY,
): (query: Query) => Said {
  return (query) => {
    const size = Math.min(Number(query.pageSize ?? 10), cap)
    const index = Number(query.pageIndex ?? 1)
    return {
      body: envelope({
        index,
        size,
        slice: rows.slice((index - 1) * size, index * size),
        total: rows.length,
      }),
    }
  }
}

type Counts = { index: number; size: number; slice: unknown[]; total: number }
const spec = ({ index, size, slice, total }: Counts) => ({
  pageSize: size,
  pageNumber: index,
  itemsCount: total,
  pageCount: Math.ceil(total / size),
  data: slice,
})
const summary = ({ index, size, slice, total }: Counts) => ({
  pageSize: size,
  pageIndex: index,
  pagesCount: Math.ceil(total / size),
  itemsCount: total,
  data: slice,
})
const asText = (page: Counts) => ({
  ...summary(page),
  itemsCount: String(page.total),
  pagesCount: String(Math.ceil(page.total / page.size)),
  pageSize: String(page.size),
})
/** Live OHLC: no counts, and nothing is {"code":204}. */
const live = ({ slice }: Counts) => (slice.length > 0 ? { data: slice } : { code: 204 })

const NO_COUNTS = { index: 0, size: 0, total: 0 }

const QUERY = { symbol: 'FPT', timeFrame: '1m', from: '2025/01/02 00:00:00', to: '2025/01/02 23:59:59' }

async function walked(
  { client }: Stage,
  pageSize = client.pageSizeFor('ohlc'),
  query: Query = QUERY,
  ceiling?: number,
) {
  let walk = startWalk('ohlc', query, pageSize, ceiling)
  for (let pages = 1; ; pages++) {
    const answer = await client.market.get('ohlc', walk.query)
    const step = nextStep(walk, answer)
    if (step.closed) return { verdict: step.closed, pages }
    walk = step.next
  }
}

async function walk(
  answer: (query: Query, nth: number) => Said,
  pageSize?: number,
  ceiling?: number,
): Promise<{ verdict: Verdict; pages: number; sizes: string[]; asked: number }> {
  return stage(
    withLogin((request, nth) => answer(request.query, nth)),
    async (on) => {
      const result = await walked(on, pageSize, QUERY, ceiling)
      const asked = on.service.asked('/ohlc')
      return { ...result, sizes: asked.map((one) => one.query.pageSize ?? ''), asked: asked.length }
    },
  )
}

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

describe('pages that change during a walk', () => {
  const sliding =
    (page2: unknown[], total: number) =>
    (query: Query): Said => ({
      body: {
        pageSize: 3,
        pageNumber: Number(query.pageIndex),
        itemsCount: total,
        pageCount: 2,
        data: [rowsOf(3), page2][Number(query.pageIndex) - 1] ?? [],
      },
    })

  it('a row that moves to the next page is reported as a repeat', async () => {
    const { verdict } = await walk(sliding([candle(2), candle(3), candle(4)], 5), 3)
    expect(verdict).toMatchObject({ state: 'complete', rows: 6, repeated: 1, expected: 5 })
  })

  it('with another value too', async () => {
    const { verdict } = await walk(sliding([candle(2, 'changed'), candle(3), candle(4)], 5), 3)
    expect(verdict).toMatchObject({ state: 'complete', rows: 6, repeated: 1 })
  })

  it('a row that is twice on a page is reported as a repeat', async () => {
    const { verdict } = await walk(() => ({
      body: { pageSize: 10, pageNumber: 1, itemsCount: 3, pageCount: 1, data: [...rowsOf(3), candle(1)] },
    }))
    expect(verdict).toMatchObject({ state: 'complete', rows: 4, repeated: 1 })
  })

  it('a row that a slide pushed out is missed: incomplete, and worth another walk', async () => {
    const { verdict } = await walk(sliding([candle(2), candle(3), candle(4)], 6), 3)
    expect(verdict).toMatchObject({ state: 'incomplete', rows: 6, repeated: 1, walkAgain: true })
  })

  it('a count that changes is incomplete, and worth another walk', async () => {
    const { verdict } = await walk(
      (query) => ({
        body: {
          pageSize: 3,
          pageNumber: 1,
          itemsCount: query.pageIndex === '1' ? 9 : 10,
          pageCount: 3,
          data: rowsOf(3),
        },
      }),
      3,
    )
    expect(verdict.state).toBe('incomplete')
  })

  it('a page count that changes is incomplete, and worth another walk', async () => {
    const { verdict } = await walk(
      (query) => ({
        body: {
          pageSize: 3,
          pageNumber: Number(query.pageIndex),
          itemsCount: 9,
          pageCount: query.pageIndex === '1' ? 3 : 4,
          data: [candle(Number(query.pageIndex)), candle(10), candle(20)],
        },
      }),
      3,
    )
    expect(verdict).toMatchObject({
      state: 'incomplete',
      walkAgain: true,
      reason: expect.stringContaining('count changed'),
    })
  })
})

describe('walks without an end', () => {
  it('stop at a page that repeats', async () => {
    const { verdict, asked } = await walk(() => ({ body: { data: rowsOf(10) } }), 10)
    expect(verdict).toMatchObject({ state: 'incomplete', rows: 10, reason: 'page 2 repeats page 1' })
    expect(asked).toBe(2)
  })

  it('take a repeated page for the end where pages had moved on and nothing is counted', async () => {
    const { verdict } = await walk(
      (query) => ({ body: { data: rowsOf(20).slice(...(query.pageIndex === '1' ? [0, 10] : [10, 20])) } }),
      10,
    )
    expect(verdict).toMatchObject({ state: 'complete', rows: 20 })
  })

  it('take a repeated short page for the end', async () => {
    const { verdict } = await walk(() => ({ body: { data: rowsOf(7) } }), 10)
    expect(verdict).toMatchObject({ state: 'complete', rows: 7 })
  })

  it('stop after as many pages as the count allows, though every page is new', async () => {
    let n = 0
    const { verdict, asked } = await walk(
      () => ({ body: { itemsCount: 40, pageCount: 99, data: [candle(n++), candle(n++)] } }),
      2,
    )
    expect(verdict.state).toBe('incomplete')
    expect(asked).toBeLessThanOrEqual(25)
  })

  it.each([
    ['a page count of 2^53 - 1', { pagesCount: 9_007_199_254_740_991 }],
    ['counts of 2^53 - 1', { pagesCount: 9_007_199_254_740_991, itemsCount: 9_007_199_254_740_991 }],
    ['no counts', {}],
    ['a page count as text', { pagesCount: '9007199254740991' }],
  ])('stop at the ceiling, with %s', async (_, counts) => {
    let n = 0
    const page = () => Array.from({ length: 10 }, () => candle(n++))
    const { verdict, asked } = await walk(() => ({ body: { ...counts, data: page() } }), 1000, 45)
    expect(verdict).toMatchObject({
      state: 'incomplete',
      rows: 50,
      reason: '50 rows where at most 45 are possible: stopped there',
    })
    expect(asked).toBe(5)
  })

  it('of one row a page stop there as well', async () => {
    let n = 0
    const { verdict, asked } = await walk(
      (query) => ({
        body: {
          pagesCount: 9_007_199_254_740_991,
          data: query.pageIndex === '1' ? rowsOf(20) : [candle(50 + n++)],
        },
      }),
      20,
      100,
    )
    expect(verdict.state).toBe('incomplete')
    expect(asked).toBeLessThanOrEqual(8)
  })

  it('are not stopped where the last page is the one that reaches the ceiling', async () => {
    const { verdict } = await walk(paging(rowsOf(45), live, 7), 1000, 45)
    expect(verdict).toMatchObject({ state: 'complete', rows: 45 })
  })

  it.each([
    ['fewer rows than counted', 5, 3],
    ['more rows than counted', 2, 3],
    ['no rows where some are counted', 5, 0],
  ])('%s are incomplete', async (_, itemsCount, rows) => {
    const { verdict } = await walk(
      (query) => ({
        body: {
          pageSize: 10,
          pageNumber: 1,
          itemsCount,
          pageCount: 1,
          data: query.pageIndex === '1' ? rowsOf(rows) : [],
        },
      }),
      10,
    )
    expect(verdict).toMatchObject({ state: 'incomplete', rows, expected: itemsCount })
  })
})
