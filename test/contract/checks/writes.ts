import {
  Broken,
  type Check,
  expectEqual,
  expectRefused,
  expectThat,
  NotEvaluable,
  objectOf,
  type Row,
  rowsOf,
  words,
} from '../check.js'
import { fieldOf, numberOf } from '../fields.js'
import { bookOf, found } from '../found.js'
import type { Answer, Probe } from '../probe.js'
import { shown } from '../shown.js'

export const ORDER = '/api/v3/trading/order'
const FCO = '/api/v3/trading/fco/order'
const RESULT = words('clientRequestId orderId orderStatus clientModifyId clientCancelId')

const writes = (id: string, says: string, run: Check['run']): Check => ({
  id,
  says,
  needs: 'trading',
  effect: 'orders',
  run,
})

/** A buy of one lot at the floor of a share that traded far above it today: it rests until it is cancelled, seconds later. */
export async function restingOrder(probe: Probe): Promise<Record<string, unknown>> {
  const symbol = await found.shareAboveFloor(probe)
  const { floor } = await found.limits(probe, symbol)
  return {
    accountNo: await found.cashAccount(probe),
    symbol,
    side: 'B',
    orderType: 'LO',
    quantity: 100,
    price: String(numberOf(floor, 'floor')),
    deviceId: 'conformance',
  }
}

export async function place(probe: Probe, change: Record<string, unknown> = {}): Promise<Row> {
  const answer = await probe.write('POST', ORDER, { ...(await restingOrder(probe)), ...change })
  expectPlaced(answer, 'an order')
  const result = objectOf(answer.body, 'the order result')
  for (const field of RESULT) expectEqual(typeof result[field], 'string', `type of ${field}`)
  return result
}

/** @throws NotEvaluable for a reason of the account or the hour: no money, a closed market */
function expectPlaced({ status, body, text }: Answer, what: string): void {
  const { code, msg } = (body ?? {}) as Row
  if (status >= 400 && status < 500 && code !== undefined && msg !== undefined)
    throw new NotEvaluable(`${what} at the floor is refused here: HTTP ${status}, ${shown(msg)}`)
  expectEqual(status, 200, `HTTP status of placing ${what}: ${shown(text.slice(0, 80))}`)
}

export async function cancelOrder(probe: Probe, by: Record<string, unknown>) {
  const accountNo = await found.cashAccount(probe)
  return await probe.write('DELETE', ORDER, { accountNo, deviceId: 'conformance', ...by })
}

let numbered = 0
export const unique = (): string => `t${Date.now().toString(36)}${numbered++}`

const orders: readonly Check[] = [
  writes(
    'order-place',
    'order action result; clientRequestId is generated when empty and returned',
    async (probe) => {
      const { orderId, clientRequestId } = await place(probe)
      expectThat(orderId !== '' && clientRequestId !== '', 'an identifier is empty')
      expectEqual((await cancelOrder(probe, { orderId })).status, 200, 'HTTP status of cancelling by orderId')
    },
  ),
  writes('order-client-id', 'clientRequestId that is given comes back', async (probe) => {
    const clientRequestId = unique()
    const result = await place(probe, { clientRequestId })
    expectEqual(result.clientRequestId, clientRequestId, 'clientRequestId')
    const answer = await cancelOrder(probe, { clientRequestId, clientCancelId: 'mine' })
    expectEqual([answer.status, objectOf(answer.body, 'result').clientCancelId], [200, 'mine'], 'the cancel')
    expectEqual(objectOf(answer.body, 'result').orderId, result.orderId, 'orderId of the cancel')
  }),
  writes('order-in-book', 'the order book lists it', async (probe) => {
    const { orderId } = await place(probe)
    try {
      const accountNo = await found.cashAccount(probe)
      const day = (await found.day(probe)).replaceAll('/', '-')
      const range = { from: `${day}T00:00:00+07:00`, to: `${day}T23:59:59+07:00` }
      const { body } = await probe.get('/api/v3/trading/orderBook', {
        accountNo,
        pageSize: 1_000,
        ...range,
      })
      const order = bookOf(probe, body).list.find((row) => row.orderId === orderId)
      if (!order) throw new Broken('it is not in the order book')
      expectEqual([order.side, order.orderType], ['B', 'LO'], 'side and type')
      expectEqual(numberOf(order.quantity, 'quantity'), 100, 'quantity')
    } finally {
      await cancelOrder(probe, { orderId })
    }
  }),
  writes(
    'order-required',
    'symbol, side, orderType, quantity; price is required when orderType is LO',
    async (probe) => {
      const whole = await restingOrder(probe)
      for (const missing of words('accountNo symbol side orderType quantity price'))
        expectRefused(
          await probe.write('POST', ORDER, { ...whole, [missing]: undefined }),
          `an order without ${missing}`,
        )
      expectRefused(await probe.write('POST', ORDER, { ...whole, side: 'X' }), 'side X')
      expectRefused(await probe.write('POST', ORDER, { ...whole, orderType: 'XX' }), 'orderType XX')
      expectRefused(await probe.write('POST', ORDER, { ...whole, quantity: '100' }), 'quantity as a string')
    },
  ),
  writes('order-signature', 'header X-Signature required', async (probe) => {
    const whole = await restingOrder(probe)
    for (const [method, body] of [
      ['POST', whole],
      ['PUT', { ...whole, orderId: 'x' }],
      ['DELETE', { accountNo: whole.accountNo, orderId: 'x' }],
    ] as const)
      expectRefused(
        await probe.write(method, ORDER, body, { 'x-signature': '' }),
        `${method} without X-Signature`,
      )
  }),
  writes('order-cancel-rule', 'clientRequestId goes before orderId; neither is rejected', async (probe) => {
    const { orderId, clientRequestId } = await place(probe)
    try {
      expectRefused(await cancelOrder(probe, {}), 'a cancel without identification')
      expectRefused(
        await cancelOrder(probe, { orderId, clientRequestId: 'nobody' }),
        'a cancel by an unknown clientRequestId',
      )
      expectEqual(
        (await cancelOrder(probe, { orderId: 'wrong', clientRequestId })).status,
        200,
        'the cancel by clientRequestId',
      )
    } finally {
      await cancelOrder(probe, { orderId })
    }
    expectRefused(await cancelOrder(probe, { orderId: 'nobody' }), 'a cancel of an unknown order')
  }),
  writes('order-modify-rule', 'modify matches in the same way', async (probe) => {
    const accountNo = await found.cashAccount(probe)
    expectRefused(
      await probe.write('PUT', ORDER, { accountNo, quantity: 200 }),
      'a change without identification',
    )
    expectRefused(
      await probe.write('PUT', ORDER, { accountNo, orderId: 'nobody', quantity: 200 }),
      'a change of an unknown order',
    )
  }),
]

async function placeConditional(probe: Probe, fields: Record<string, unknown>): Promise<string> {
  const { price: _, orderType: __, ...whole } = await restingOrder(probe)
  const answer = await probe.write('POST', FCO, { ...whole, price: null, ...fields })
  expectPlaced(answer, `a conditional order (${String(fields.type)})`)
  const result = objectOf(answer.body, 'the conditional order result')
  expectEqual(Object.keys(result), ['fcoId'], 'fields')
  return String(result.fcoId)
}

async function withdraw(probe: Probe, fcoId: string): Promise<void> {
  const answer = await probe.write('DELETE', FCO, { fcoId })
  expectEqual([answer.status, objectOf(answer.body, 'the cancel').fcoId], [200, fcoId], 'the cancel')
}

/** Conditions far from the market: nothing is triggered. */
async function waiting(probe: Probe): Promise<readonly Record<string, unknown>[]> {
  const { floor, ceiling } = await found.limits(probe, await found.shareAboveFloor(probe))
  const [low, high] = [numberOf(floor, 'floor'), numberOf(ceiling, 'ceiling')]
  const stop = { stopPrice: 2 * high, operator: 'greater_or_equal' }
  const trailing = { side: 'S', activePrice: 3 * high, trailingAmount: 100 }
  return [
    { type: 'stop', ...stop },
    { type: 'stop_limit', price: String(low), ...stop },
    { type: 'trailing_stop', ...trailing },
    { type: 'trailing_stop_limit', price: String(low), ...trailing },
  ]
}

const REQUIRED: Readonly<Record<string, string>> = {
  stop: 'stopPrice operator',
  stop_limit: 'price stopPrice operator',
  trailing_stop: 'activePrice trailingAmount',
  trailing_stop_limit: 'price activePrice trailingAmount',
  bullbear: 'tpActivePrice tpPrice tpSlip slActivePrice slPrice slSlip',
  oco: 'tpActivePrice tpPrice tpSlip slActivePrice slPrice slSlip',
}

const conditional: readonly Check[] = [
  writes('fco-place', 'placing answers {fcoId}; the list shows what was placed', async (probe) => {
    for (const fields of await waiting(probe)) {
      const fcoId = await placeConditional(probe, fields)
      try {
        const accountNo = await found.cashAccount(probe)
        const { body } = await probe.get('/api/v3/trading/fco/list', { accountNo, fcoId })
        const [row] = rowsOf(objectOf(body, 'fco/list').fcoList, 'fcoList')
        if (!row) throw new Broken('it is not in the list')
        const isPlaced = fieldOf(probe, row, 'isPlaceOrder', 'the entry')
        expectEqual(
          [row.fcoId, row.type, row.quantity, isPlaced],
          [fcoId, fields.type, 100, false],
          'the entry',
        )
        const params = objectOf(row.params, 'params')
        for (const name of words('stopPrice activePrice trailingAmount'))
          expectEqual(params[name], fields[name], `params.${name}`)
        if (typeof params.operator === 'number' && params.operator >= 0 && params.operator <= 4)
          probe.knows('conditional-orders', 'operator comes back as a number')
        else expectEqual(params.operator, fields.operator, 'params.operator')
      } finally {
        await withdraw(probe, fcoId)
      }
    }
  }),
  writes('fco-history-begins', 'the status history begins with INIT', async (probe) => {
    const [fields = {}] = await waiting(probe)
    const fcoId = await placeConditional(probe, fields)
    await withdraw(probe, fcoId)
    const { body } = await probe.get('/api/v3/trading/fco/statusHistory', { fcoId })
    expectEqual(rowsOf(objectOf(body, 'history').data, 'data')[0]?.state, 'INIT', 'the first state')
    expectRefused(await probe.write('DELETE', FCO, { fcoId }), 'a second cancel')
  }),
  writes('fco-validity', 'default 24 hours after creation; at most 31 days after start', async (probe) => {
    const [fields = {}] = await waiting(probe)
    const fcoId = await placeConditional(probe, fields)
    const accountNo = await found.cashAccount(probe)
    const { body } = await probe.get('/api/v3/trading/fco/list', { accountNo, fcoId })
    await withdraw(probe, fcoId)
    const [row] = rowsOf(objectOf(body, 'fco/list').fcoList, 'fcoList')
    const at = (text: unknown): number =>
      Date.parse(`${String(text).replaceAll('/', '-').replace(' ', 'T')}Z`)
    expectEqual(at(row?.to) - at(row?.from), 86_400_000, 'milliseconds of validity')
    const from = String(row?.from)
    const late = new Date(at(from) + 32 * 86_400_000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ')
      .replaceAll('-', '/')
    const { price: _, orderType: __, ...whole } = await restingOrder(probe)
    const long = await probe.write('POST', FCO, { ...whole, price: null, ...fields, from, to: late })
    if (long.status === 200) probe.knows('conditional-orders', 'a validity of 32 days is accepted')
    else expectRefused(long, '32 days')
  }),
  writes('fco-required', 'required specific fields a type', async (probe) => {
    const { floor, ceiling } = await found.limits(probe, await found.shareAboveFloor(probe))
    const [low, high] = [numberOf(floor, 'floor'), numberOf(ceiling, 'ceiling')]
    const { price: _, orderType: __, ...whole } = await restingOrder(probe)
    const all: Record<string, unknown> = {
      price: String(low),
      stopPrice: high,
      operator: 'equal',
      activePrice: high,
      trailingAmount: 100,
      tpActivePrice: high,
      tpPrice: 'MP',
      tpSlip: 0,
      slActivePrice: low,
      slPrice: 'MP',
      slSlip: 0,
    }
    for (const [type, fields] of Object.entries(REQUIRED))
      for (const missing of words(fields)) {
        const body = { ...whole, ...all, type, side: 'S', [missing]: null }
        expectRefused(await probe.write('POST', FCO, body), `${type} without ${missing}`)
      }
    for (const missing of words('accountNo deviceId symbol side type quantity')) {
      const body = { ...whole, ...all, type: 'stop', [missing]: undefined }
      expectRefused(await probe.write('POST', FCO, body), `a conditional order without ${missing}`)
    }
  }),
  writes('fco-words', 'operator and special prices are words of a closed list', async (probe) => {
    const [fields = {}] = await waiting(probe)
    const { price: _, orderType: __, ...whole } = await restingOrder(probe)
    for (const bad of [{ operator: '>' }, { type: 'stops' }, { price: 'CHEAP' }])
      expectRefused(
        await probe.write('POST', FCO, { ...whole, price: null, ...fields, ...bad }),
        JSON.stringify(bad),
      )
  }),
  writes('fco-signature', 'header X-Signature required', async (probe) => {
    const [fields = {}] = await waiting(probe)
    const { price: _, orderType: __, ...whole } = await restingOrder(probe)
    const body = { ...whole, price: null, ...fields }
    expectRefused(await probe.write('POST', FCO, body, { 'x-signature': '' }), 'placing without X-Signature')
    expectRefused(
      await probe.write('DELETE', FCO, { fcoId: 'x' }, { 'x-signature': '' }),
      'cancelling without X-Signature',
    )
    expectRefused(await probe.write('DELETE', FCO, {}), 'a cancel without fcoId')
  }),
]

export const orderWrites: readonly Check[] = [...orders, ...conditional]
