import { describe, expect, it } from 'vitest'
import { reconcile, type Trading } from '../../src/index.js'
import { book, days, entry, losing, paged } from '../support/lost-orders.js'
import { SMALLEST } from '../support/trading.js'

describe('a change whose answer was lost', () => {
  it('is looked up by the orderId it was named by', async () => {
    await losing(
      () => book([entry('a', '1'), entry('b', '2', { orderStatus: 'WC' })]),
      async (stage) => {
        const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, orderId: '2' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(lost.clientCancelId).toMatch(/^.{20}$/)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
          kind: 'found',
          effect: 'pending',
          order: { clientRequestId: 'b' },
        })
      },
    )
  })

  it('is looked for from 14 days before the write on', async () => {
    await losing(paged([entry('a', '1')]), async (stage) => {
      const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, orderId: '2' })
      if (lost.kind !== 'unknown') throw new Error(lost.kind)
      expect(await reconcile(stage.client.accounts, lost)).toEqual({ kind: 'absent' })
      expect(days(stage)[1]?.from).toBe('2024-12-18T00:00:00')
    })
  })

  it.each([
    ['CL', {}, 'done'],
    ['FFPC', { filledQty: '40', cancelQty: '60' }, 'done'],
    ['WC', {}, 'pending'],
    ['QU', {}, 'unseen'],
    ['PF', { filledQty: '40' }, 'unseen'],
    ['WM', {}, 'unseen'],
    ['FF', { filledQty: '100' }, 'over'],
    ['RJ', {}, 'over'],
    ['EX', {}, 'over'],
  ])('a cancel and an order in %s', async (orderStatus, changes, effect) => {
    await losing(
      () => book([entry('a', '1', { orderStatus, ...changes })]),
      async (stage) => {
        const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, clientRequestId: 'a' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found', effect })
      },
    )
  })

  it.each<[object, object, string]>([
    [{ price: '151000' }, { price: '151,000.0' }, 'done'],
    [{ price: '151000' }, {}, 'unseen'],
    [{ price: '151000' }, { orderStatus: 'WM' }, 'pending'],
    [{ price: '151000' }, { orderStatus: 'FF' }, 'over'],
    [{ price: '151000' }, { orderStatus: 'FF', price: '151000' }, 'done'],
    [{ quantity: 200 }, { quantity: '200' }, 'done'],
    [{ quantity: 200 }, { quantity: '300' }, 'unseen'],
    [{ price: '151000', quantity: 200 }, { quantity: '200' }, 'unseen'],
    [{}, {}, 'unseen'],
  ])('a change to %j and an order that shows %j: %s', async (change, shown, effect) => {
    const { price: _, quantity: __, ...named } = SMALLEST
    await losing(
      () => book([entry('a', '1', shown)]),
      async (stage) => {
        // Of a program without types too.
        const request = { ...named, ...change, clientRequestId: 'a' } as Parameters<Trading['modifyOrder']>[0]
        const lost = await stage.client.trading.modifyOrder(request)
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found', effect })
      },
    )
  })

  it('is unknown when several orders have the id it was named by', async () => {
    await losing(
      () => book([entry('a', '1'), entry('a', '2')]),
      async (stage) => {
        const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, clientRequestId: 'a' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
          kind: 'unknown',
          candidates: [{ orderId: '1' }, { orderId: '2' }],
        })
      },
    )
  })
})
