import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fakeEffects } from '../../../foundation/test/fake-effects.js'
import { createTradingClient, ServiceError } from '../../src/index.js'
import { type HeldDeadline, heldDeadline } from '../support/deadline.js'
import { KEY, type Said, SECRET, serve, token, withLogin } from '../support/service.js'
import { PKCS8 } from '../support/signing-key.js'
import { ORDER, SMALLEST, TAKEN, type TradingStage, tradingStage } from '../support/trading.js'

type Act = (stage: TradingStage) => Promise<{ kind: string }>

const ACTS: readonly (readonly [string, Act])[] = [
  ['placeOrder', ({ client }) => client.trading.placeOrder(SMALLEST)],
  ['modifyOrder', ({ client }) => client.trading.modifyOrder({ ...SMALLEST, orderId: '1' })],
  ['cancelOrder', ({ client }) => client.trading.cancelOrder({ ...SMALLEST, orderId: '1' })],
  [
    'placeConditionalOrder',
    ({ client }) => client.trading.placeConditionalOrder({ ...SMALLEST, type: 'gtd' }),
  ],
  ['cancelConditionalOrder', ({ client }) => client.trading.cancelConditionalOrder({ fcoId: '1' })],
]

const TROUBLES: readonly (readonly [string, Said, 'unknown' | 'refused'])[] = [
  ['a reset', { reset: true }, 'unknown'],
  ['408', { status: 408, body: { code: '408', msg: 'timeout' } }, 'unknown'],
  ['429', { status: 429, body: { code: '429', msg: 'slow down' } }, 'refused'],
  ['500 with an error body', { status: 500, body: { code: '500', msg: 'internal' } }, 'unknown'],
  [
    '502 in HTML',
    { status: 502, body: '<html>bad gateway</html>', headers: { 'content-type': 'text/html' } },
    'unknown',
  ],
  ['503', { status: 503, headers: { 'retry-after': '1' } }, 'unknown'],
  ['401', { status: 401, body: { code: '401', msg: 'Unauthorized' } }, 'refused'],
]

const cases = ACTS.flatMap(([name, act]) =>
  TROUBLES.map(([trouble, said, kind]) => ({ name, act, trouble, said, kind })),
)

/** Each with a service of its own. */
async function sentOnce(act: Act, answer: () => Said, kind: string, deadline?: HeldDeadline): Promise<void> {
  await tradingStage(
    withLogin(answer),
    async (stage) => {
      expect(await act(stage)).toMatchObject({ kind })
      expect(stage.writes()).toHaveLength(1)
      expect(stage.client.stats()).toMatchObject({ retries: 0 })
    },
    deadline && { deadlineMs: deadline.ms },
    deadline && { after: deadline.after },
  )
}

/** One turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('a write is sent once', () => {
  it.each(cases)('$name after $trouble: $kind', async ({ act, said, kind }) => {
    await sentOnce(act, () => said, kind)
  })

  it.each(ACTS)('%s is unknown where no answer comes before the deadline', async (_, act) => {
    const deadline = heldDeadline()
    const hang = (): Said => {
      deadline.pass()
      return { hang: true }
    }
    await sentOnce(act, hang, 'unknown', deadline)
  })

  it.each<[string, Said]>([
    ['truncated JSON', { body: '{"orderId":"1' }],
    ['truncated gzip', { body: gzipSync('{}').subarray(0, 12), headers: { 'content-encoding': 'gzip' } }],
    ['nothing', { body: '' }],
    ['204', { status: 204 }],
    ['{"code":204}', { body: { code: 204 } }],
    ['{"code":500} on HTTP 200', { body: { code: 500, msg: 'internal' } }],
    ['a result without any id', { body: { orderStatus: 'PD' } }],
    ['a list', { body: [TAKEN] }],
    ['HTML on 200', { body: '<html>login</html>', headers: { 'content-type': 'text/html' } }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }],
  ])('and is unknown after an unclear answer: %s', async (_, said) => {
    await tradingStage(
      withLogin(() => said),
      async ({ client, effects, writes }) => {
        const before = effects.now()
        const outcome = await client.trading.placeOrder(SMALLEST)
        const [write] = writes()
        expect(writes()).toHaveLength(1)
        expect(outcome).toMatchObject({
          kind: 'unknown',
          accountNo: SMALLEST.accountNo,
          clientRequestId: (JSON.parse(write?.body ?? '') as { clientRequestId: string }).clientRequestId,
          message: expect.stringMatching(/^POST \/api\/v3\/trading\/order: .*; it may have been executed$/),
          sentAt: before,
        })
      },
    )
  })

  it('though the connection was kept from an earlier request and is reset as the write arrives', async () => {
    await tradingStage(
      withLogin(({ path }) => (path === ORDER ? { reset: true } : { body: [{ index: 'VN30' }] })),
      async ({ client, writes }) => {
        await client.market.indexList({})
        await client.market.indexList({})
        expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({ kind: 'unknown' })
        expect(await client.market.indexList({})).toMatchObject({ outcome: 'rows' })
        expect(writes()).toHaveLength(1)
      },
      { connections: 1 },
    )
  })

  it('even when the answer breaks off after its head', async () => {
    const seen: string[] = []
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        seen.push(text)
        const login = JSON.stringify(token())
        if (text.includes('apiSecret'))
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${login.length}\r\n\r\n${login}`)
        else if (text.includes('"price"')) {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"orderId":')
          socket.end()
        }
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const client = createTradingClient(
      { baseUrl, apiKey: KEY, apiSecret: SECRET, signingKey: PKCS8 },
      fakeEffects(),
    )
    expect(await client.trading.placeOrder(SMALLEST)).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('the answer broke off'),
    })
    expect(seen.filter((text) => text.includes(ORDER))).toHaveLength(1)
    await client.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  it('and is unknown when the caller gives up after it was sent', async () => {
    await tradingStage(
      withLogin(() => ({ hang: true })),
      async ({ client, service, writes }) => {
        await expect(
          client.trading.placeOrder(SMALLEST, AbortSignal.abort(new Error('too late'))),
        ).rejects.toThrow('too late')
        expect(service.seen).toEqual([])
        const stop = new AbortController()
        const placed = client.trading.placeOrder(SMALLEST, stop.signal)
        await expect.poll(() => writes().length).toBe(1)
        stop.abort(new Error('stopped here'))
        expect(await placed).toMatchObject({
          kind: 'unknown',
          message: expect.stringContaining('given up by the caller'),
        })
      },
    )
  })

  it('and never when the caller gives up while it waits for a connection', async () => {
    await tradingStage(
      withLogin(() => ({ hang: true })),
      async ({ client, writes }) => {
        const busy = client.market.indexList({}).catch(() => undefined)
        while (client.stats().requests < 2) await turn()
        const stop = new AbortController()
        const write = client.trading.placeOrder(SMALLEST, stop.signal)
        while (client.stats().requests < 3) await turn()
        const reason = new Error('too late for this auction')
        stop.abort(reason)
        await expect(write).rejects.toBe(reason)
        await client.close()
        await busy
        expect(writes()).toEqual([])
      },
      { connections: 1 },
    )
  })

  it('and is unknown when the client is closed meanwhile; afterwards nothing is sent', async () => {
    await tradingStage(
      withLogin(() => ({ hang: true })),
      async ({ client, writes }) => {
        const write = client.trading.placeOrder(SMALLEST)
        while (writes().length === 0) await turn()
        await client.close()
        expect(await write).toMatchObject({
          kind: 'unknown',
          message: expect.stringContaining('the client was closed before a whole answer'),
        })
        await expect(client.trading.placeOrder(SMALLEST)).rejects.toThrow(
          'the client is closed: nothing was sent',
        )
        expect(writes()).toHaveLength(1)
      },
    )
  })

  it('and without a connection the error says that nothing was sent', async () => {
    const gone = await serve(() => ({}))
    await gone.close()
    const tokens = {
      accessToken: 'kept',
      refreshToken: undefined,
      expiresAt: undefined,
      refreshExpiresAt: undefined,
      grade: 'trading',
      obtainedAt: 0,
    } as const
    const client = createTradingClient(
      { baseUrl: gone.url, apiKey: KEY, apiSecret: SECRET, signingKey: PKCS8, tokens },
      fakeEffects(),
    )
    const error: unknown = await client.trading.placeOrder(SMALLEST).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ message: expect.stringMatching(/ECONNREFUSED.*; nothing was sent$/) })
    expect(client.stats()).toMatchObject({ requests: 1, retries: 0 })
    await client.close()
  })
})
