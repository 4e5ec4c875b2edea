import { describe, expect, it } from 'vitest'
import type { Query } from '../src/reading.js'
import { candle, rowsOf, walk } from './support/paging.js'
import type { Said } from './support/service.js'

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
