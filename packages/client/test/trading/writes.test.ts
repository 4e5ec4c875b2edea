import { verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { packageVersion } from '../../../../src/package.js'
import type { ConditionalOrderRequest } from '../../src/index.js'
import { parseDecimal } from '../../src/values.js'
import { SECRET, withLogin } from '../support/service.js'
import { PUBLIC_KEY } from '../support/signing-key.js'
import { CONDITIONAL, ORDER, SMALLEST, TAKEN, type TradingStage, tradingStage } from '../support/trading.js'

const sent = (act: (stage: TradingStage) => Promise<unknown>, answer: unknown = TAKEN, options = {}) =>
  tradingStage(
    withLogin(() => ({ body: answer })),
    async (stage) => {
      await act(stage)
      const [write, ...more] = stage.writes()
      expect(more).toEqual([])
      if (!write) throw new Error('nothing was sent')
      return write
    },
    options,
  )

describe('an ordinary order', () => {
  it('is placed with the fields of the specification, in its order', async () => {
    const write = await sent(({ client }) =>
      client.trading.placeOrder({
        ipAddress: '10.0.0.7',
        userAgent: 'desk/1',
        ...SMALLEST,
        clientRequestId: 'vao-lenh-1',
      }),
    )
    expect(write).toMatchObject({ method: 'POST', path: ORDER, query: {} })
    expect(write.body).toBe(
      '{"clientRequestId":"vao-lenh-1","accountNo":"0001234561","symbol":"FPT","side":"B","orderType":"LO",' +
        '"quantity":100,"price":"150000","deviceId":"00:1B:44:11:3A:B7","userAgent":"desk/1","ipAddress":"10.0.0.7"}',
    )
  })

  it('without a price leaves the field out', async () => {
    const { price: _, ...unpriced } = SMALLEST
    const write = await sent(({ client }) =>
      client.trading.placeOrder({ ...unpriced, orderType: 'ATC', clientRequestId: 'r1' }),
    )
    expect(write.body).toBe(
      '{"clientRequestId":"r1","accountNo":"0001234561","symbol":"FPT","side":"B","orderType":"ATC",' +
        '"quantity":100,"deviceId":"00:1B:44:11:3A:B7"}',
    )
  })

  it('is modified by PUT, with only what changes', async () => {
    const write = await sent(({ client }) =>
      client.trading.modifyOrder({
        orderId: '20250102000001',
        accountNo: '0001234561',
        price: parseDecimal('150100'),
        deviceId: 'mac',
        clientModifyId: 'm1',
      }),
    )
    expect(write).toMatchObject({ method: 'PUT', path: ORDER })
    expect(write.body).toBe(
      '{"clientModifyId":"m1","orderId":"20250102000001","accountNo":"0001234561","price":"150100","deviceId":"mac"}',
    )
  })

  it('is cancelled by DELETE, with a body', async () => {
    const write = await sent(({ client }) =>
      client.trading.cancelOrder({
        accountNo: '0001234561',
        deviceId: 'mac',
        clientRequestId: 'vao-lenh-1',
        orderId: '20250102000001',
        clientCancelId: 'c1',
      }),
    )
    expect(write).toMatchObject({ method: 'DELETE', path: ORDER })
    expect(write.body).toBe(
      '{"clientCancelId":"c1","clientRequestId":"vao-lenh-1","orderId":"20250102000001",' +
        '"accountNo":"0001234561","deviceId":"mac"}',
    )
  })

  it.each(['ATO', 'ATC', 'MP', 'MTL', 'MOK', 'MAK', 'PLO'] as const)(
    'of type %s needs no price, and has one where it is given',
    async (orderType) => {
      const { price, orderType: _, ...order } = SMALLEST
      const plain = await sent(({ client }) => client.trading.placeOrder({ ...order, orderType }))
      expect(JSON.parse(plain.body)).toMatchObject({ orderType })
      expect(plain.body).not.toContain('price')
      const priced = await sent(({ client }) => client.trading.placeOrder({ ...order, orderType, price }))
      expect(JSON.parse(priced.body)).toMatchObject({ orderType, price })
    },
  )

  it('sends only fields of the specification', async () => {
    const extra = { ...SMALLEST, clientRequestId: 'r1', note: 'for the desk' }
    const write = await sent(({ client }) => client.trading.placeOrder(extra))
    expect(write.body).not.toContain('note')
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('of %s shares is never sent', async (quantity) => {
    await tradingStage(
      withLogin(() => ({ body: TAKEN })),
      async ({ client, service }) => {
        await expect(client.trading.placeOrder({ ...SMALLEST, quantity })).rejects.toThrow(TypeError)
        expect(service.seen).toEqual([])
      },
    )
  })
})

describe('a conditional order', () => {
  const common = {
    accountNo: '0001234561',
    deviceId: 'mac',
    symbol: 'FPT',
    side: 'S',
    quantity: 100,
  } as const
  const id = { clientRequestId: 'r1' }
  const start = (type: string) =>
    `{"accountNo":"0001234561","deviceId":"mac","symbol":"FPT","side":"S","type":"${type}","quantity":100,`
  const pair = { tpActivePrice: 160000, tpPrice: parseDecimal('159900'), tpSlip: 100 } as const
  const stop = { slActivePrice: 140000, slPrice: 'MP', slSlip: 0 } as const
  const pairText = '"tpActivePrice":160000,"slActivePrice":140000,"tpPrice":"159900","slPrice":"MP",'

  it.each<[ConditionalOrderRequest, string]>([
    [
      { ...common, ...id, type: 'stop', stopPrice: 145000, operator: 'lesser_or_equal' },
      `${start('stop')}"price":null,"clientRequestId":"r1","stopPrice":145000,"operator":"lesser_or_equal"}`,
    ],
    [
      {
        ...common,
        ...id,
        type: 'stop_limit',
        price: parseDecimal('144900'),
        stopPrice: 145000,
        operator: 'lesser',
      },
      `${start('stop_limit')}"price":"144900","clientRequestId":"r1","stopPrice":145000,"operator":"lesser"}`,
    ],
    [
      {
        ...common,
        ...id,
        type: 'gtd',
        price: parseDecimal('150000'),
        priceSlip: 50,
        from: '2025/01/02 09:00:00',
        to: '2025/01/31 15:00:00',
        code: null,
        userAgent: null,
        ipAddress: '10.0.0.7',
      },
      `${start('gtd')}"price":"150000","priceSlip":50,"from":"2025/01/02 09:00:00","to":"2025/01/31 15:00:00",` +
        '"code":null,"userAgent":null,"clientRequestId":"r1","ipAddress":"10.0.0.7"}',
    ],
    [
      { ...common, ...id, type: 'bullbear', price: parseDecimal('150000'), ...pair, ...stop },
      `${start('bullbear')}"price":"150000","clientRequestId":"r1",${pairText}"tpSlip":100,"slSlip":0}`,
    ],
    [
      { ...common, ...id, type: 'oco', ...pair, ...stop },
      `${start('oco')}"price":null,"clientRequestId":"r1",${pairText}"tpSlip":100,"slSlip":0}`,
    ],
    [
      { ...common, ...id, type: 'trailing_stop', activePrice: 150000, trailingAmount: 2000 },
      `${start('trailing_stop')}"price":null,"clientRequestId":"r1","activePrice":150000,"trailingAmount":2000}`,
    ],
    [
      {
        ...common,
        ...id,
        type: 'trailing_stop_limit',
        price: parseDecimal('100'),
        activePrice: 1250.5,
        trailingAmount: 0.5,
      },
      `${start('trailing_stop_limit')}"price":"100","clientRequestId":"r1","activePrice":1250.5,"trailingAmount":0.5}`,
    ],
  ])('of each type is placed with its own fields: $type', async (request, body) => {
    const write = await sent(({ client }) => client.trading.placeConditionalOrder(request), { fcoId: '77' })
    expect(write).toMatchObject({ method: 'POST', path: CONDITIONAL })
    expect(write.body).toBe(body)
  })

  it('is cancelled by DELETE', async () => {
    const write = await sent(
      ({ client }) => client.trading.cancelConditionalOrder({ fcoId: '77', code: '1357', deviceId: 'mac' }),
      { fcoId: '77' },
    )
    expect(write).toMatchObject({
      method: 'DELETE',
      path: CONDITIONAL,
      body: '{"fcoId":"77","code":"1357","deviceId":"mac"}',
    })
  })
})

describe('every write', () => {
  it('is signed over secret and body, byte for byte what is on the wire, letters of several bytes included', async () => {
    const write = await sent(({ client }) =>
      client.trading.placeOrder({ ...SMALLEST, clientRequestId: 'lệnh-đầu', userAgent: 'máy 電 🕯' }),
    )
    expect(write.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(write.bytes.length),
      'user-agent': `candlehouse/${packageVersion}`,
      'accept-language': 'en',
      authorization: 'Bearer access-token-1',
      'x-signature': expect.stringMatching(/^sha256=[0-9a-f]{512}$/),
    })
    expect(write.bytes.length).toBeGreaterThan(write.body.length)
    const signature = Buffer.from(String(write.headers['x-signature']).slice('sha256='.length), 'hex')
    const signed = Buffer.concat([Buffer.from(SECRET), write.bytes])
    expect(verify('sha256', signed, PUBLIC_KEY, signature)).toBe(true)
  })

  it.each<[string, (stage: TradingStage) => Promise<unknown>]>([
    ['modify', ({ client }) => client.trading.modifyOrder({ ...SMALLEST, orderId: '1' })],
    ['cancel', ({ client }) => client.trading.cancelOrder({ ...SMALLEST, orderId: '1' })],
    [
      'place a conditional order',
      ({ client }) => client.trading.placeConditionalOrder({ ...SMALLEST, type: 'gtd' }),
    ],
    ['cancel a conditional order', ({ client }) => client.trading.cancelConditionalOrder({ fcoId: 'đ' })],
  ])('to %s is signed as the live form wants it, too', async (_, act) => {
    const write = await sent(act, { ...TAKEN, fcoId: '77' }, { signatureForm: 'body base64' })
    const signature = Buffer.from(String(write.headers['x-signature']), 'base64')
    expect(verify('sha256', write.bytes, PUBLIC_KEY, signature)).toBe(true)
  })

  it('has a generated id when none was given: 20 characters, never the same', async () => {
    await tradingStage(
      withLogin(() => ({ body: TAKEN })),
      async ({ client, writes }) => {
        // Clock and chance stand still here: the ids still differ.
        for (let nth = 0; nth < 40; nth++)
          await client.trading.placeOrder({ ...SMALLEST, clientRequestId: '' })
        await client.trading.modifyOrder({ ...SMALLEST, orderId: '1' })
        await client.trading.cancelOrder({ ...SMALLEST, orderId: '1' })
        await client.trading.placeConditionalOrder({ ...SMALLEST, type: 'gtd' })
        const bodies = writes().map(({ body }) => JSON.parse(body) as Record<string, string>)
        const ids = bodies.map(
          ({ clientModifyId, clientCancelId, clientRequestId }) =>
            clientModifyId ?? clientCancelId ?? clientRequestId,
        )
        for (const id of ids) expect(id).toMatch(/^[0-9a-z]{20}$/)
        expect(new Set(ids).size).toBe(43)
      },
    )
  })

  it('logs nothing in before it has to, and asks for a token that may trade', async () => {
    await tradingStage(
      withLogin(() => ({ body: TAKEN })),
      async ({ client, service }) => {
        expect(service.seen).toEqual([])
        await client.trading.placeOrder(SMALLEST)
        expect(JSON.parse(service.asked('/auth/token')[0]?.body ?? '')).toMatchObject({ otp: '314159' })
      },
    )
  })
})
