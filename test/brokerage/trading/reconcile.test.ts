import { describe, expect, it } from 'vitest'
import { reconcile, reconcileConditional } from '../../../src/index.js'
import { type Said, type Seen, withLogin } from '../support/service.js'
import { CONDITIONAL, ORDER, SMALLEST, type TradingStage, tradingStage } from '../support/trading.js'

const entry = (clientRequestId: string, orderId: string) => ({
  clientRequestId,
  orderId,
  symbol: 'FPT',
  side: 'B',
  orderType: 'LO',
  quantity: '100',
  price: '150000',
  filledQty: '0',
  cancelQty: '0',
  avgPrice: '0',
  inputTime: '2025/01/02 17:00:00',
  modifiedTime: '',
  orderStatus: 'QU',
  message: '',
})

const book = (orders: readonly unknown[], totalRecord = orders.length): Said => ({
  body: { data: { accountNo: SMALLEST.accountNo, totalRecord, orderList: orders } },
})

/** Writes are lost; `read` answers the rest. */
const losing = (read: (request: Seen, nth: number) => Said, act: (stage: TradingStage) => Promise<void>) =>
  tradingStage(
    withLogin((request, nth) =>
      request.path === ORDER || request.path === CONDITIONAL ? { reset: true } : read(request, nth),
    ),
    act,
  )

async function lostOrder({ client }: TradingStage, clientRequestId = 'mine') {
  const lost = await client.trading.placeOrder({ ...SMALLEST, clientRequestId })
  if (lost.kind !== 'unknown') throw new Error(lost.kind)
  return lost
}

describe('an order whose answer was lost', () => {
  it('is found in the order book by its clientRequestId, from its day on, on any page', async () => {
    const others = Array.from({ length: 1000 }, (_, nth) => entry(`other-${nth}`, `1${nth}`))
    await losing(
      (_, nth) => (nth === 1 ? book(others, 1001) : book([entry('mine', '77')], 1001)),
      async (stage) => {
        const found = await reconcile(stage.client.accounts, await lostOrder(stage))
        expect(found).toMatchObject({ kind: 'found', order: { orderId: '77', orderStatus: 'QU' } })
        expect(stage.service.asked('/orderBook').map(({ query }) => query)).toMatchObject([
          { accountNo: '0001234561', from: '2025-01-02T00:00:00', to: '2025-01-03T23:59:59', pageIndex: '1' },
          { pageIndex: '2' },
        ])
      },
    )
  })

  it('is absent when the whole book was read, and may be found a moment later', async () => {
    await losing(
      (_, nth) => (nth === 1 ? book([entry('other', '1')]) : book([entry('other', '1'), entry('mine', '2')])),
      async (stage) => {
        const lost = await lostOrder(stage)
        expect(await reconcile(stage.client.accounts, lost)).toEqual({ kind: 'absent' })
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found' })
      },
    )
  })

  it('is absent from an empty book', async () => {
    await losing(
      () => ({ body: { code: 204 } }),
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({ kind: 'absent' })
      },
    )
  })

  it.each<[string, Said, RegExp]>([
    ['cut short', book([entry('other', '1')], 3), /1 rows where itemsCount says 3/],
    ['refused', { status: 403, body: { code: '403', msg: 'no OTP' } }, /403 no OTP/],
    ['with a row that is none', book(['?']), /orderList\[0\]: not an object/],
  ])('is not called absent when the book is %s', async (_, said, reason) => {
    await losing(
      (_request, nth) => (nth === 1 ? said : book([])),
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({
          kind: 'unread',
          reason: expect.stringMatching(reason),
        })
      },
    )
  })

  it('is looked up by orderId, and on earlier days, where a change named it so', async () => {
    await losing(
      () => book([entry('a', '1'), entry('b', '2')]),
      async (stage) => {
        const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, orderId: '2' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(lost.clientCancelId).toMatch(/^.{20}$/)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
          kind: 'found',
          order: { clientRequestId: 'b' },
        })
        expect(stage.service.asked('/orderBook')[0]?.query.from).toBe('2024-12-19T00:00:00')
      },
    )
  })
})

describe('a conditional order whose answer was lost', () => {
  const listed = (fcoId: string, over: object = {}) => ({
    fcoId,
    accountNo: SMALLEST.accountNo,
    symbol: 'FPT',
    type: 'gtd',
    quantity: 100,
    status: 'INIT',
    params: { side: 'B' },
    ...over,
  })

  it('is found by its fields: the list does not show clientRequestId', async () => {
    const fcoList = [
      listed('1'),
      listed('2', { quantity: 200 }),
      listed('3', { params: { side: 'S' } }),
      listed('4', { type: 'stop' }),
    ]
    await losing(
      () => ({ body: { pageIndex: '1', pageSize: '1000', itemsCount: '4', pagesCount: '1', fcoList } }),
      async ({ client, service }) => {
        const lost = await client.trading.placeConditionalOrder({ ...SMALLEST, type: 'gtd' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        const found = await reconcileConditional(client.accounts, lost)
        expect(found).toMatchObject({ kind: 'found', alike: [{ fcoId: '1' }] })
        expect(service.asked('/fco/list')[0]?.query).toMatchObject({
          accountNo: SMALLEST.accountNo,
          type: 'gtd',
          symbol: 'FPT',
          side: 'B',
        })
      },
    )
  })
})
