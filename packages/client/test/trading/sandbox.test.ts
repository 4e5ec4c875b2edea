import { instantOf } from 'candlehouse-foundation/market/day'
import type { SandboxOptions } from 'candlehouse-sandbox'
import { afterEach, describe, expect, it } from 'vitest'
import { EARLY_DAY } from '../../../../test/support/early-day.js'
import { fakeEffects } from '../../../foundation/test/fake-effects.js'
import { startWithEffects } from '../../../sandbox/src/start.js'
import { createTradingClient, reconcile, rowsOf, type TradingClient } from '../../src/index.js'
import { parseDay, parseDecimal } from '../../src/values.js'
import { DOTNET_XML, OTHER_PKCS8, PKCS1, PUBLIC_KEY } from '../support/signing-key.js'

const ACCOUNT = { accountNo: '0881234561', deviceId: '00:1B:44:11:3A:B7' }

/** Orders need a moment to reach the exchange: moves the service's clock. */
let advance: (ms: number) => Promise<void> = async () => undefined
let stop: () => Promise<void> = async () => undefined
afterEach(() => stop())

interface Setting {
  readonly key?: string
  readonly form?: string
  readonly otp?: false
  readonly sandbox?: SandboxOptions
}

/** A client of the whole service on a trading morning; the service verifies signatures with the public key. */
async function desk({ key = PKCS1, form, otp, sandbox }: Setting = {}): Promise<TradingClient> {
  const effects = fakeEffects(instantOf(EARLY_DAY, '10:00'))
  const service = await startWithEffects(
    { date: EARLY_DAY, at: '10:00', drive: true, publicKey: PUBLIC_KEY, ...sandbox },
    effects,
  )
  const client = createTradingClient(
    {
      baseUrl: service.url,
      apiKey: service.apiKey,
      apiSecret: service.apiSecret,
      otp: otp === false ? undefined : service.otp,
      signingKey: key,
      maxRps: Number.POSITIVE_INFINITY,
      ...(form === undefined ? {} : { signatureForm: form }),
    },
    effects,
  )
  advance = async (byMs) => {
    await fetch(`${service.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ byMs }),
    })
  }
  stop = async () => {
    await client.close()
    await service.close()
  }
  return client
}

/** A limit order that rests in the book: the day's floor, where nobody sells. */
async function resting(client: TradingClient) {
  const limits = await client.market.masterdata({
    from: parseDay(EARLY_DAY),
    to: parseDay(EARLY_DAY),
    pageSize: 1000,
  })
  const { data } = JSON.parse(Buffer.from(limits.body).toString()) as {
    data: { symbol: string; floor: string }[]
  }
  const price = parseDecimal(data.find(({ symbol }) => symbol === 'FPT')?.floor ?? '')
  return { ...ACCOUNT, symbol: 'FPT', side: 'B', orderType: 'LO', quantity: 100, price } as const
}

describe('a trading client with the sandbox', () => {
  it('reads the order book between two instants, by status', async () => {
    const client = await desk({ sandbox: { trade: '14:20' } })
    const { accountNo } = ACCOUNT
    const read = async (bounds: { from?: string; to?: string; orderStatus?: string[] }) =>
      rowsOf('orderBook', await client.accounts.orderBook({ accountNo, pageSize: 1000, ...bounds }))
    const today = await read({ from: EARLY_DAY, to: EARLY_DAY })
    const [from, to] = [`${EARLY_DAY}T09:15:30+07:00`, `${EARLY_DAY}T05:00:00Z`]
    const expected = today.filter(
      ({ inputTime }) =>
        (inputTime ?? '') >= '2025/12/11 09:15:30' && (inputTime ?? '') <= '2025/12/11 12:00:00',
    )
    expect(await read({ from, to })).toEqual(expected)
    expect([expected.length > 0, expected.length < today.length]).toEqual([true, true])
    const statuses = [...new Set(today.map(({ orderStatus }) => orderStatus ?? ''))]
    expect(statuses.length).toBeGreaterThan(2)
    const two = statuses.slice(0, 2)
    expect(await read({ from: EARLY_DAY, to: EARLY_DAY, orderStatus: two })).toEqual(
      today.filter(({ orderStatus }) => two.includes(orderStatus ?? '')),
    )
  })

  it('places, changes and cancels an order', async () => {
    const client = await desk()
    const order = await resting(client)
    const placed = await client.trading.placeOrder({ ...order, userAgent: 'bàn lệnh số 1' })
    if (placed.kind !== 'accepted') throw new Error(JSON.stringify(placed))
    const { clientRequestId } = placed.result
    expect(clientRequestId).toMatch(/^[0-9a-z]{20}$/)
    const change = {
      ...ACCOUNT,
      clientRequestId: clientRequestId ?? '',
      price: parseDecimal(String(Number(order.price) + 100)),
    }
    await advance(1000)
    expect(await client.trading.modifyOrder(change)).toMatchObject({
      kind: 'accepted',
      result: { clientRequestId, clientModifyId: expect.stringMatching(/^.{20}$/) },
    })
    await advance(1000)
    expect(
      await client.trading.cancelOrder({ ...ACCOUNT, orderId: placed.result.orderId ?? '' }),
    ).toMatchObject({ kind: 'accepted', result: { clientRequestId } })
    const again = await client.trading.cancelOrder({ ...ACCOUNT, orderId: placed.result.orderId ?? '' })
    expect(again).toMatchObject({ kind: 'refused', status: 400, error: { code: '400' } })
  })

  it.each(['body', 'body base64 sha256=', 'secret+body base64', 'secret+body hex sha256='])(
    'signs what the service verifies, from a .NET key, in the form %j',
    async (form) => {
      const client = await desk({ key: DOTNET_XML, form })
      expect(await client.trading.placeOrder(await resting(client))).toMatchObject({ kind: 'accepted' })
    },
  )

  it('is refused with another key, and its session lives on', async () => {
    const client = await desk({ key: OTHER_PKCS8 })
    const order = await resting(client)
    for (let nth = 0; nth < 3; nth++)
      expect(await client.trading.placeOrder(order)).toMatchObject({ kind: 'refused', status: 401 })
    expect(await client.accounts.accountInfo()).toMatchObject({ outcome: 'rows' })
    expect(client.session.grade).toBe('trading')
  })

  it('finds the order whose answer broke off, and does not place it twice', async () => {
    const client = await desk({
      sandbox: { faults: [{ route: '/trading/order', nth: 1, fault: { kind: 'drop' } }] },
    })
    const order = await resting(client)
    const lost = await client.trading.placeOrder(order)
    if (lost.kind !== 'unknown') throw new Error(JSON.stringify(lost))
    expect(await reconcile(client.accounts, lost)).toMatchObject({
      kind: 'found',
      order: { clientRequestId: lost.clientRequestId, symbol: 'FPT', price: order.price },
    })
    const book = await client.accounts.orderBook({
      accountNo: ACCOUNT.accountNo,
      from: EARLY_DAY,
      to: EARLY_DAY,
    })
    const ids = rowsOf('orderBook', book).map(({ clientRequestId }) => clientRequestId)
    expect(ids.filter((id) => id === lost.clientRequestId)).toHaveLength(1)
  })

  it('knows that an order was never placed when its request was cut off', async () => {
    const client = await desk({
      sandbox: { faults: [{ route: '/trading/order', nth: 1, fault: { kind: 'reset' } }] },
    })
    const lost = await client.trading.placeOrder(await resting(client))
    if (lost.kind !== 'unknown') throw new Error(JSON.stringify(lost))
    expect(await reconcile(client.accounts, lost)).toEqual({ kind: 'absent' })
  })

  it('places and cancels a conditional order, without an OTP by its code', async () => {
    const client = await desk({ otp: false })
    const { orderType: _, ...order } = await resting(client)
    const stopLoss = { ...order, type: 'stop', stopPrice: 1, operator: 'lesser_or_equal' } as const
    expect(await client.trading.placeConditionalOrder(stopLoss)).toMatchObject({
      kind: 'refused',
      status: 403,
    })
    const placed = await client.trading.placeConditionalOrder({ ...stopLoss, code: '1357' })
    if (placed.kind !== 'accepted') throw new Error(JSON.stringify(placed))
    const { fcoId } = placed.result
    expect(await client.trading.cancelConditionalOrder({ fcoId, code: '1357' })).toEqual({
      kind: 'accepted',
      result: { fcoId },
    })
    expect(await client.trading.placeOrder({ ...order, orderType: 'LO' })).toMatchObject({
      kind: 'refused',
      status: 403,
    })
  })
})
