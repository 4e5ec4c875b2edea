import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../../test/support/long.js'
import { readPage } from '../src/page/read-page.js'
import { type Answer, nextStep, type Query, startWalk } from '../src/reading.js'

const EMPTY = { shape: 'none', rows: 0, list: undefined, fields: null, plain: false } as const

function answer(query: Query, body: unknown): Answer {
  const bytes = Buffer.from(JSON.stringify(body))
  const reading = readPage('ohlc', bytes)
  const counts = { pageSize: undefined, pageIndex: undefined, pageCount: undefined, itemsCount: undefined }
  const page = reading.page ?? { ...EMPTY, ...counts }
  const outcome = page.rows > 0 ? 'rows' : 'empty'
  return {
    endpoint: 'ohlc',
    query,
    status: 200,
    attempts: 1,
    receivedAt: 0,
    body: bytes,
    wire: undefined,
    outcome,
    error: undefined,
    page,
  }
}

describe('a walk over a service whose data does not change', () => {
  it('sees every row once, whatever the cap, the counts and the page size', () => {
    const service = fc.record({
      total: fc.nat(130),
      cap: fc.integer({ min: 1, max: 60 }),
      asked: fc.constantFrom(10, 20, 50, 100),
      tellsSize: fc.boolean(),
      tellsItems: fc.boolean(),
      tellsPages: fc.boolean(),
    })
    fc.assert(
      fc.property(service, ({ total, cap, asked, tellsSize, tellsItems, tellsPages }) => {
        const seen: unknown[] = []
        let requests = 0
        let walk = startWalk('ohlc', { symbol: 'FPT' }, asked)
        for (;;) {
          requests++
          const size = Math.min(Number(walk.query.pageSize), cap)
          const from = (Number(walk.query.pageIndex) - 1) * size
          const rows = Array.from({ length: total }, (_, n) => ({
            symbol: 'FPT',
            tradingDate: `t${n}`,
            close: '1',
          }))
          const data = rows.slice(from, from + size)
          seen.push(...data)
          const body = {
            ...(tellsSize ? { pageSize: size } : {}),
            ...(tellsItems ? { itemsCount: total } : {}),
            ...(tellsPages ? { pageCount: Math.ceil(total / size) } : {}),
            data,
          }
          const step = nextStep(walk, answer(walk.query, body))
          if (step.closed) {
            expect(step.closed.state).toBe(total === 0 ? 'empty' : 'complete')
            expect(step.closed.rows).toBe(total)
            break
          }
          walk = step.next
        }
        expect(new Set(seen.map((row) => JSON.stringify(row))).size).toBe(total)
        expect(requests).toBeLessThanOrEqual(Math.ceil(total / Math.min(cap, asked)) + 2)
      }),
      { numRuns: LONG ? 300 : 100, seed: 20250102 },
    )
  })
})
