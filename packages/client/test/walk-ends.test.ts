import { describe, expect, it } from 'vitest'
import { candle, live, paging, rowsOf, walk } from './support/paging.js'

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
