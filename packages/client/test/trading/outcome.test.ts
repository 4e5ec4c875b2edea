import { describe, expect, it } from 'vitest'
import { KEY, type Said, SECRET, token, withLogin } from '../support/service.js'
import { ORDER, OTP, SMALLEST, TAKEN, tradingStage } from '../support/trading.js'

describe('an accepted write', () => {
  it.each<[string, Said]>([
    ['as the specification has it', { body: TAKEN }],
    ['inside data', { body: { code: '200', msg: 'OK', data: TAKEN } }],
    ['with a code that says success', { body: { code: 0, ...TAKEN } }],
    ['with HTTP 202', { status: 202, body: TAKEN }],
    [
      'in another case',
      { body: { ClientRequestId: 'vao-lenh-1', OrderID: '20250102000001', OrderStatus: 'PD' } },
    ],
    ['after a byte order mark', { body: `\uFEFF${JSON.stringify(TAKEN)}` }],
  ])('has the order action result: %s', async (_, said) => {
    await tradingStage(
      withLogin(() => said),
      async ({ client }) => {
        expect(await client.trading.placeOrder({ ...SMALLEST, clientRequestId: 'vao-lenh-1' })).toEqual({
          kind: 'accepted',
          result: {
            clientRequestId: 'vao-lenh-1',
            orderId: '20250102000001',
            orderStatus: 'PD',
            clientModifyId: null,
            clientCancelId: null,
          },
        })
      },
    )
  })

  it('keeps all digits of an id that is a bare number', async () => {
    await tradingStage(
      withLogin(() => ({ body: '{"fcoId":12345678901234567890}' })),
      async ({ client }) => {
        expect(await client.trading.cancelConditionalOrder({ fcoId: '1' })).toEqual({
          kind: 'accepted',
          result: { fcoId: '12345678901234567890' },
        })
      },
    )
  })
})

describe('a refused write', () => {
  it.each<[string, Said, string, string, number]>([
    [
      'code as text',
      { status: 400, body: { code: '400', msg: 'Invalid request' } },
      '400',
      'Invalid request',
      400,
    ],
    [
      'code as number',
      { status: 400, body: { code: 400, msg: 'Invalid request' } },
      '400',
      'Invalid request',
      400,
    ],
    ['an error on HTTP 200', { body: { code: 400101, msg: 'bad tick' } }, '400101', 'bad tick', 200],
    [
      'a word on HTTP 200',
      { body: { code: 'ORDER_BELOW_FLOOR', msg: 'floor' } },
      'ORDER_BELOW_FLOOR',
      'floor',
      200,
    ],
    [
      'an error that echoes the ids',
      { body: { code: '400', msg: 'bad lot', ...TAKEN } },
      '400',
      'bad lot',
      200,
    ],
    ['an id used today', { status: 409, body: { code: '409', msg: 'duplicate' } }, '409', 'duplicate', 409],
    ['a status alone', { status: 403, body: 'no' }, '403', 'HTTP 403, application/json: no', 403],
  ])('has code, message and status: %s', async (_, said, code, message, status) => {
    await tradingStage(
      withLogin(() => said),
      async ({ client }) => {
        expect(await client.trading.placeOrder(SMALLEST)).toEqual({
          kind: 'refused',
          error: { code, message },
          status,
        })
      },
    )
  })

  it.each([400, 500])(
    'or an unknown one shows no secret, signature or PIN that HTTP %i echoes',
    async (status) => {
      const shown = async (echo: (signature: string) => string): Promise<string> =>
        await tradingStage(
          withLogin(({ headers }) => ({
            status,
            body: { code: String(status), msg: echo(String(headers['x-signature'])) },
          })),
          async ({ client, writes }) => {
            const outcome = await client.trading.cancelConditionalOrder({ fcoId: '1', code: '8642' })
            const [write] = writes()
            const said = JSON.stringify(outcome)
            expect(said).toContain('[secret]')
            for (const piece of String(write?.headers['x-signature']).match(/[0-9a-f]{16}/g) ?? [])
              expect(said).not.toContain(piece)
            return said
          },
        )
      const said = await shown(() => `${KEY} ${SECRET} ${OTP} access-token-1 8642`)
      for (const secret of [KEY, SECRET, OTP, 'access-token-1', '8642']) expect(said).not.toContain(secret)
      await shown((signature) => `bad signature ${signature}`)
      await shown((signature) => signature.replace('sha256=', ''))
    },
  )
})

describe('the session of a write', () => {
  it('is renewed before it, where it lapses within the minute', async () => {
    await tradingStage(
      (request) => {
        if (request.path.endsWith('/auth/token')) return { body: token(1, Date.UTC(2025, 0, 2, 11) / 1000) }
        if (request.path.endsWith('/auth/refresh')) return { body: token(2) }
        return { body: TAKEN }
      },
      async ({ client, effects, service, writes }) => {
        await client.session.ensure()
        effects.advance(59 * 60_000 + 30_000)
        expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({ kind: 'accepted' })
        expect(service.asked('/auth/refresh')).toHaveLength(1)
        expect(writes().map(({ headers }) => headers.authorization)).toEqual(['Bearer access-token-2'])
      },
    )
  })

  it('that is refused with 401 is proved by a read, and renewed by it, before the next write', async () => {
    await tradingStage(
      (request) => {
        if (request.path.endsWith('/auth/token')) return { body: token(1) }
        if (request.path.endsWith('/auth/refresh')) return { body: token(2) }
        if (request.headers.authorization === 'Bearer access-token-2')
          return { body: request.path === ORDER ? TAKEN : [{ index: 'VN30' }] }
        return request.path === ORDER || request.path.endsWith('/indexList')
          ? { status: 401, body: { code: '401', msg: 'Unauthorized' } }
          : { body: [{ accountNo: '0001234561' }] }
      },
      async ({ client, service, writes }) => {
        await client.accounts.accountInfo()
        expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({ kind: 'refused', status: 401 })
        expect(service.asked('/auth/refresh')).toHaveLength(0)
        expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({ kind: 'accepted' })
        expect(writes()).toHaveLength(2)
        expect(service.asked('/auth/refresh')).toHaveLength(1)
      },
    )
  })

  it('survives a 401 that was about the signature', async () => {
    await tradingStage(
      withLogin(({ path }) =>
        path === ORDER
          ? { status: 401, body: { code: '401', msg: 'Invalid signature' } }
          : { body: [{ index: 'VN30' }] },
      ),
      async ({ client, service, writes }) => {
        for (let nth = 0; nth < 3; nth++)
          expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({
            kind: 'refused',
            error: { message: 'Invalid signature' },
          })
        expect(writes()).toHaveLength(3)
        expect(service.asked('/auth/token')).toHaveLength(1)
        expect(service.asked('/auth/refresh')).toHaveLength(0)
      },
    )
  })
})

describe('the throttle of a write', () => {
  it('is shared with reads: a write waits for a pause that the service asked for, and is sent once', async () => {
    await tradingStage(
      withLogin(({ path }, nth) =>
        path === ORDER
          ? { body: TAKEN }
          : nth === 1
            ? {
                body: [{ index: 'VN30' }],
                headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' },
              }
            : { body: [] },
      ),
      async ({ client, effects, writes }) => {
        await client.market.indexList({})
        expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({ kind: 'accepted' })
        expect(effects.slept).toEqual([7000])
        expect(writes()).toHaveLength(1)
      },
    )
  })

  it('learns from a 429 to a write', async () => {
    await tradingStage(
      withLogin((_, nth) =>
        nth === 1
          ? { status: 429, body: { code: '429', msg: 'slow' }, headers: { 'retry-after': '3' } }
          : { body: TAKEN },
      ),
      async ({ client, effects }) => {
        expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({ kind: 'refused', status: 429 })
        expect(effects.slept).toEqual([])
        expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({ kind: 'accepted' })
        expect(effects.slept).toEqual([3000])
      },
    )
  })
})
