import { nextStep, type Query, startWalk, type Verdict } from '../../src/reading.js'
import { type Said, type Stage, stage, withLogin } from './service.js'

export const candle = (n: number, close = 'x') => ({ symbol: 'FPT', tradingDate: `2025/01/02 ${n}`, close })
export const rowsOf = (total: number): unknown[] => Array.from({ length: total }, (_, n) => candle(n))

/** A service that pages `rows`; `envelope` writes what stands around a slice. */
export function paging(
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

export type Counts = { index: number; size: number; slice: unknown[]; total: number }
export const spec = ({ index, size, slice, total }: Counts) => ({
  pageSize: size,
  pageNumber: index,
  itemsCount: total,
  pageCount: Math.ceil(total / size),
  data: slice,
})
export const summary = ({ index, size, slice, total }: Counts) => ({
  pageSize: size,
  pageIndex: index,
  pagesCount: Math.ceil(total / size),
  itemsCount: total,
  data: slice,
})
export const asText = (page: Counts) => ({
  ...summary(page),
  itemsCount: String(page.total),
  pagesCount: String(Math.ceil(page.total / page.size)),
  pageSize: String(page.size),
})
/** Live OHLC: no counts, and nothing is {"code":204}. */
export const live = ({ slice }: Counts) => (slice.length > 0 ? { data: slice } : { code: 204 })

export const NO_COUNTS = { index: 0, size: 0, total: 0 }

export const QUERY = {
  symbol: 'FPT',
  timeFrame: '1m',
  from: '2025/01/02 00:00:00',
  to: '2025/01/02 23:59:59',
}

export async function walked(
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

export async function walk(
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
