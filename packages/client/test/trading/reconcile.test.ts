import { describe, expect, it } from 'vitest'
import { reconcile } from '../../src/index.js'
import { book, days, entry, losing, lostOrder, paged } from '../support/lost-orders.js'
import type { Said, Seen } from '../support/service.js'

/** Another order in the same book. */
const other = entry('other', '1')

describe('an order whose answer was lost', () => {
  it('is found by its clientRequestId on any page of the whole book, whatever day it is', async () => {
    const others = Array.from({ length: 1000 }, (_, nth) => entry(`other-${nth}`, `1${nth}`))
    const orders: object[] = [...others]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      orders.push(entry(lost.clientRequestId, '77', { inputTime: '2019/05/05 09:00:00' }))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'found',
        effect: 'done',
        order: { orderId: '77', orderStatus: 'QU' },
      })
      expect(days(stage)).toEqual([
        { from: undefined, to: undefined, pageIndex: '1' },
        { from: undefined, to: undefined, pageIndex: '2' },
      ])
    })
  })

  it("is looked for around the service's day where the book without days lacks it", async () => {
    const orders: object[] = []
    await losing(
      paged(orders, ({ query }) => query.from !== undefined),
      async (stage) => {
        // The machine lives two days later than the service.
        stage.effects.advance(2 * 86_400_000)
        const lost = await lostOrder(stage)
        orders.push(entry(lost.clientRequestId, '77'))
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found' })
        expect(days(stage)[1]).toMatchObject({ from: '2025-01-01T00:00:00', to: '2025-01-03T23:59:59' })
      },
    )
  })

  it('is found though the book writes ids in capital letters', async () => {
    const orders: object[] = []
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      orders.push(entry(` ${lost.clientRequestId.toUpperCase()}`, '5'))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found' })
    })
  })

  it('is absent when the whole book was read and counted, and may be found a moment later', async () => {
    const orders = [entry('other', '1')]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      expect(await reconcile(stage.client.accounts, lost)).toEqual({ kind: 'absent' })
      orders.push(entry(lost.clientRequestId, '2'))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found' })
    })
  })

  it.each<[string, Said]>([
    ['{"code":204}', { body: { code: 204 } }],
    ['HTTP 204', { status: 204 }],
    ['a count of 0', book([])],
  ])('is absent from an empty book: %s', async (_, said) => {
    await losing(
      () => said,
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({ kind: 'absent' })
      },
    )
  })

  it('is absent where the book without days is only of today, but a year on either side is whole', async () => {
    const before = entry('other', '1', { inputTime: '2025/01/01 17:00:00' })
    await losing(
      paged([before], ({ query }) => query.from !== undefined),
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({ kind: 'absent' })
        expect(days(stage).map(({ from }) => from?.slice(0, 10))).toEqual([
          undefined,
          '2025-01-01',
          '2024-01-02',
        ])
      },
    )
  })

  it('that carries an id of the caller is not taken for the one of an earlier day', async () => {
    const orders = [entry('1', '70', { inputTime: '2025/01/01 16:00:00' })]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage, '1')
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('before this write'),
        candidates: [{ orderId: '70' }],
      })
      orders.unshift(entry('1', '77'))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'unknown',
        candidates: [{ orderId: '77' }, { orderId: '70' }],
      })
      orders.pop()
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'found',
        order: { orderId: '77' },
      })
    })
  })
})

describe('a lost order in a book that proves nothing', () => {
  it.each<[string, (request: Seen, nth: number) => Said, RegExp]>([
    [
      'is cut short',
      ({ query }) => book(query.pageIndex === '1' ? [other] : [], 3),
      /1 rows where itemsCount says 3/,
    ],
    ['answers one page for all', () => book([other], 3), /page 2 repeats page 1/],
    [
      'is short at first and empty later',
      (_, nth) => (nth === 1 ? book([other], 3) : book([])),
      /itemsCount|lacks 1/,
    ],
    ['counts less than it shows', () => book([other, entry('b', '2')], 1), /2 rows|2 records/],
    ['states no count', () => ({ body: { data: { orderList: [other] } } }), /no count/],
    ['is empty without a count', () => ({ body: { data: { orderList: [] } } }), /no count/],
    [
      'shows an order twice to fill its count',
      () => book([other, other], 2),
      /1 records where the count is 2/,
    ],
    ['is refused', () => ({ status: 403, body: { code: '403', msg: 'no OTP' } }), /403 no OTP/],
    [
      'is refused for days',
      ({ query }) => (query.from ? { status: 403, body: { code: '403', msg: 'range' } } : book([other])),
      /403 range/,
    ],
    ['has a record that is not an order', () => book(['?'], 1), /orderList\[0\]: not an object/],
    ['has an order without orderId', () => book([entry('other', '')]), /no id/],
  ])('is unknown, never absent, when the book %s', async (_, read, reason) => {
    await losing(read, async (stage) => {
      expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({
        kind: 'unknown',
        reason: expect.stringMatching(reason),
        hint: expect.stringContaining('do not send the write again'),
        candidates: [],
      })
    })
  })

  it('is unknown, never absent, when no answer shows the day of the service', async () => {
    await losing(
      paged([other]),
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toMatchObject({
          kind: 'unknown',
          reason: expect.stringContaining('Date header'),
        })
        // A day more on either side than with a date.
        expect(days(stage)[1]).toMatchObject({ from: '2024-12-31T00:00:00', to: '2025-01-04T23:59:59' })
      },
      '',
    )
  })

  it('is unknown where the book shows an order alike without an id, of this day and not of an earlier one', async () => {
    const orders = [entry('', '1'), entry('', '2', { quantity: '200' })]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'unknown',
        candidates: [{ orderId: '1' }],
      })
      orders.splice(0, 2, entry('', '1', { inputTime: '2025/01/01 17:00:00' }))
      expect(await reconcile(stage.client.accounts, lost)).toEqual({ kind: 'absent' })
    })
  })
})
