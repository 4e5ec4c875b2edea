import {
  type Check,
  expectEqual,
  expectRefused,
  expectThat,
  NotEvaluable,
  objectOf,
  type Row,
} from '../check.js'
import { bookOf, found } from '../found.js'
import type { Probe } from '../probe.js'
import { cancelOrder, ORDER, place, restingOrder, unique } from './writes.js'

const TRADING = '/api/v3/trading'
const LIST = '/api/v3/data/indexList'

/**
 * What the specification leaves open, as the sandbox does it
 * (docs/decisions/0058-what-the-specification-leaves-open.md). A service that does otherwise breaks nothing: these run
 * only when they are asked for.
 */
const choice = (id: string, says: string, needs: Check['needs'] | 'writes', run: Check['run']): Check => ({
  id: `choice-${id}`,
  says,
  run,
  isChoice: true,
  ...(needs === 'writes' ? { needs: 'trading', effect: 'orders' } : { needs }),
})

const headers: readonly Check[] = [
  choice('bearer-case', 'the scheme Bearer is in any case, as HTTP has it', 'market', async (probe) => {
    for (const scheme of ['bearer', 'BEARER']) {
      const answer = await probe.getAs(`${scheme} ${await probe.session.token()}`, LIST)
      expectEqual(answer.status, 200, `HTTP status with ${scheme}`)
    }
  }),
  choice('language', 'Accept-Language is accepted and messages are English', 'market', async (probe) => {
    for (const language of ['vi', 'en', 'xx-invalid']) {
      const answer = await probe.get('/api/v3/data/indexSummary', {}, { 'accept-language': language })
      expectEqual(objectOf(answer.body, 'the error').msg, 'Invalid request', `msg in ${language}`)
    }
  }),
]

const reads: readonly Check[] = [
  choice('max-of-unknown-symbol', 'maxBuySell of an unknown symbol is refused', 'trading', async (probe) => {
    const accountNo = await found.cashAccount(probe)
    const query = { accountNo, symbol: 'NOSUCH', price: '10000' }
    expectRefused(await probe.get(`${TRADING}/maxBuySell`, query), 'maxBuySell of NOSUCH')
  }),
  choice(
    'max-of-other-account',
    'maxBuySell of a symbol that the account cannot trade is zero',
    'trading',
    async (probe) => {
      const accountNo = await found.derivativeAccount(probe)
      const query = { accountNo, symbol: await found.symbol(probe), price: '10000' }
      const { data } = objectOf((await probe.get(`${TRADING}/maxBuySell`, query)).body, 'maxBuySell')
      const { maxBuyQty, maxSellQty } = objectOf(data, 'data')
      expectEqual([maxBuyQty, maxSellQty], [0, 0], 'quantities of a share in a derivative account')
    },
  ),
  choice(
    'history-of-unknown-id',
    'statusHistory of an unknown fcoId is refused',
    'trading',
    async (probe) => {
      const answer = await probe.get(`${TRADING}/fco/statusHistory`, { fcoId: 'nosuch' })
      expectRefused(answer, 'statusHistory of an unknown fcoId')
    },
  ),
  choice(
    'date-forms',
    'of ISO 8601 only calendar dates with separators are read',
    'trading',
    async (probe) => {
      const accountNo = await found.cashAccount(probe)
      for (const from of ['20251120T093000', '20251120', '2025-W47-4', '2025-324', '2025-11-20T24:00:00'])
        expectRefused(await probe.get(`${TRADING}/orderBook`, { accountNo, from }), `from ${from}`)
      for (const from of ['2025-11-20T09:30:00Z', '2025-11-20T09:30+07:00', '2025-11-20'])
        expectEqual((await probe.get(`${TRADING}/orderBook`, { accountNo, from })).status, 200, from)
    },
  ),
]

const writes: readonly Check[] = [
  choice(
    'contradictory-change',
    'a PUT that names another symbol, side or type than the order has is refused; the same ones are accepted',
    'writes',
    async (probe) => {
      const { symbol, side, orderType } = await restingOrder(probe)
      const { orderId } = await place(probe)
      try {
        const change = { accountNo: await found.cashAccount(probe), orderId, quantity: 200 }
        for (const other of [{ symbol: 'NOSUCH' }, { side: 'S' }, { orderType: 'ATC' }])
          expectRefused(
            await probe.write('PUT', ORDER, { ...change, ...other }),
            `a change with ${JSON.stringify(other)}`,
          )
        await queued(probe, String(orderId))
        const answer = await probe.write('PUT', ORDER, { ...change, symbol, side, orderType })
        expectEqual(answer.status, 200, 'HTTP status of a change that repeats the order')
        await queued(probe, String(orderId))
      } finally {
        await cancelOrder(probe, { orderId })
      }
    },
  ),
  choice(
    'reused-client-id',
    'a clientRequestId may come again; it then means the newest order of the account',
    'writes',
    async (probe) => {
      const clientRequestId = unique()
      const first = await place(probe, { clientRequestId })
      const again = await probe.write('POST', ORDER, { ...(await restingOrder(probe)), clientRequestId })
      if (again.status === 409) {
        probe.knows('client-request-ids', 'a clientRequestId that comes again is HTTP 409')
        await cancelOrder(probe, { orderId: first.orderId })
        return
      }
      expectEqual(again.status, 200, 'HTTP status of a second order with the clientRequestId')
      const second = objectOf(again.body, 'the order result')
      expectThat(first.orderId !== second.orderId, 'both orders have the same orderId')
      const cancelled = objectOf((await cancelOrder(probe, { clientRequestId })).body, 'the cancel')
      expectEqual(cancelled.orderId, second.orderId, 'the order that is meant')
      await cancelOrder(probe, { orderId: first.orderId })
    },
  ),
  choice('replayed-body', 'a signed body that comes again is another order', 'writes', async (probe) => {
    const body = await restingOrder(probe)
    const ids: unknown[] = []
    for (const _ of [1, 2]) {
      const answer = await probe.write('POST', ORDER, body)
      expectEqual(answer.status, 200, 'HTTP status of placing')
      ids.push(objectOf(answer.body, 'the order result').orderId)
    }
    expectThat(ids[0] !== ids[1], 'the second body made no order of its own')
    for (const orderId of ids) await cancelOrder(probe, { orderId })
  }),
]

/** An order needs a moment to reach the exchange; until then it cannot be changed. */
async function queued(probe: Probe, orderId: string): Promise<void> {
  const accountNo = await found.cashAccount(probe)
  for (let attempt = 0; attempt < 20; attempt++) {
    const { body } = await probe.get(`${TRADING}/orderBook`, { accountNo, pageSize: 100 })
    const order = bookOf(probe, body).list.find((row: Row) => row.orderId === orderId)
    if (order?.orderStatus === 'QU') return
    await probe.pass(500)
  }
  throw new NotEvaluable('the order did not reach the exchange within ten seconds')
}

export const choices: readonly Check[] = [...headers, ...reads, ...writes]
