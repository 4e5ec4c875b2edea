import { addDays, dayOf, instantOf } from 'candlehouse-foundation/market/day'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONG } from '../../../../test/support/long.js'
import type { Accounts, Answer } from '../../src/index.js'
import { reconcile } from '../../src/index.js'
import { readAnswer } from '../../src/read-answer.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ID = '0abcdefghij123456789'

/** An order book that answers as its deployment likes. Instants are the service's, epoch milliseconds. */
interface Book {
  /** When the write was sent. */
  readonly sentAt: number
  /** The machine's clock minus the service's. */
  readonly offset: number
  readonly sendsDate: boolean
  /** Days of the other orders, counted from the write's. */
  readonly others: readonly number[]
  /** The order stands in the book, entered so many days after the write (a weekend's order has the next session's day). */
  readonly entered: number | undefined
  /** What a question without days shows. */
  readonly undated: 'all' | 'today' | 'refused'
  readonly pageCap: number
  /** Added to every count; undefined: no counts. */
  readonly miscount: number | undefined
  /** A new order of somebody else arrives before this request. */
  readonly arrival: number
  /** Minutes between the write and the search. */
  readonly later: number
}

function serve(book: Book): Pick<Accounts, 'get'> {
  const { sentAt, offset, sendsDate, others, entered, undated, pageCap, miscount, arrival, later } = book
  const now = sentAt + later * MINUTE
  const moment = (instant: number): string =>
    `${dayOf(instant)} ${new Date(instant + 7 * HOUR).toISOString().slice(11, 19)}`.replaceAll('-', '/')
  const entry = (clientRequestId: string, orderId: string, instant: number) => ({
    clientRequestId,
    orderId,
    inputTime: moment(instant),
    orderStatus: 'QU',
  })
  const orders = others.map((days, nth) => entry(`other ${nth}`, `${nth}`, sentAt + days * 24 * HOUR))
  if (entered !== undefined) orders.push(entry(ID, 'ours', sentAt + entered * 24 * HOUR))
  orders.sort((a, b) => b.inputTime.localeCompare(a.inputTime))
  let requests = 0

  const page = (query: Readonly<Record<string, string>>): { status: number; body: object } => {
    if (++requests === arrival) orders.unshift(entry('new', 'new', now))
    const { from, to } = query
    const day = (order: { inputTime: string }): string => order.inputTime.slice(0, 10).replaceAll('/', '-')
    if (!from && undated === 'refused') return { status: 400, body: { code: '400', msg: 'Invalid request' } }
    const first = from?.slice(0, 10) ?? (undated === 'today' ? dayOf(now) : '')
    const last = to?.slice(0, 10) ?? '9'
    const shown = orders.filter((order) => day(order) >= first && day(order) <= last)
    const size = Math.min(pageCap, Number(query.pageSize))
    const start = (Number(query.pageIndex) - 1) * size
    const count = miscount === undefined ? {} : { totalRecord: Math.max(0, shown.length + miscount) }
    return { status: 200, body: { data: { ...count, orderList: shown.slice(start, start + size) } } }
  }

  return {
    get: async (endpoint, query): Promise<Answer> => {
      const { status, body } = page(query)
      const response = {
        status,
        headers: {
          'content-type': 'application/json',
          date: sendsDate ? new Date(now).toUTCString() : undefined,
        },
        body: Buffer.from(JSON.stringify(body)),
        wire: undefined,
        wireBytes: 0,
        receivedAt: now + offset,
      }
      const { unauthorized: _, ...answer } = readAnswer(endpoint, query, response, false)
      return { ...answer, attempts: 1 }
    },
  }
}

const lostIn = ({ sentAt, offset }: Book) => ({
  kind: 'unknown' as const,
  message: '',
  accountNo: '0881234561',
  clientRequestId: ID,
  isGeneratedId: true,
  orderId: undefined,
  sentAt: sentAt + offset,
})

/** Seconds around midnight, the middle of the day; days around the weekend. */
const sentAt = fc
  .tuple(
    fc.integer({ min: 0, max: 7 }),
    fc.constantFrom('00:00', '09:15', '14:29', '23:59'),
    fc.integer({ min: 0, max: 59 }),
  )
  .map(([days, time, seconds]) => instantOf(addDays('2025-11-20', days), time) + seconds * 1000)

const book: fc.Arbitrary<Book> = fc.record({
  sentAt,
  offset: fc.oneof(
    fc.constantFrom(0, HOUR, -HOUR, 24 * HOUR, -24 * HOUR),
    fc.integer({ min: -400 * 24 * HOUR, max: 400 * 24 * HOUR }),
  ),
  sendsDate: fc.boolean(),
  others: fc.array(fc.integer({ min: -40, max: 0 }), { maxLength: 12 }),
  entered: fc.constantFrom(undefined, 0, 0, 1, 3),
  undated: fc.constantFrom('all', 'all', 'today', 'refused'),
  pageCap: fc.constantFrom(1000, 1000, 1, 2, 5),
  miscount: fc.constantFrom(0, 0, 0, 1, -1, undefined),
  arrival: fc.integer({ min: 1, max: 20 }),
  later: fc.constantFrom(0, 1, 30, 24 * 60),
})

describe('a book of any deployment', () => {
  it('never lets an order be called absent that exists', async () => {
    let lookups = 0
    await fc.assert(
      fc.asyncProperty(book, async (drawn) => {
        // An order of a later day that a book of today only hides is in no list that covers less.
        // A count that is too small and ends where a capped page ends cannot be told from a true one.
        if (drawn.miscount === -1 && drawn.pageCap < 1000) return
        if (drawn.entered === undefined || (drawn.undated !== 'all' && drawn.entered > 1)) return
        lookups++
        expect((await reconcile(serve(drawn), lostIn(drawn))).kind).not.toBe('absent')
      }),
      { seed: 14, numRuns: LONG ? 3000 : 600 },
    )
    expect(lookups).toBeGreaterThan(LONG ? 1000 : 200)
  })

  it('that is honest and at rest shows an order that exists, and the absence of one that does not', async () => {
    await fc.assert(
      fc.asyncProperty(book, async (drawn) => {
        const honest = { ...drawn, sendsDate: true, miscount: 0, arrival: 0, undated: 'all' as const }
        const { kind } = await reconcile(serve(honest), lostIn(honest))
        expect(kind).toBe(honest.entered === undefined ? 'absent' : 'found')
      }),
      { seed: 15, numRuns: LONG ? 1000 : 100 },
    )
  })

  it('that shows today only without days is whole where a year on either side is', async () => {
    await fc.assert(
      fc.asyncProperty(book, async (drawn) => {
        const today = {
          ...drawn,
          sendsDate: true,
          miscount: 0,
          arrival: 0,
          undated: 'today' as const,
          entered: undefined,
        }
        expect((await reconcile(serve(today), lostIn(today))).kind).toBe('absent')
      }),
      { seed: 16, numRuns: LONG ? 500 : 50 },
    )
  })
})
