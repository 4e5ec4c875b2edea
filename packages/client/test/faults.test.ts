import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { ServiceError } from 'candlehouse-foundation/errors'
import { describe, expect, it } from 'vitest'
import { fakeEffects } from '../../foundation/test/fake-effects.js'
import { createClient, UnprovenPageError } from '../src/reading.js'
import { parseDay } from '../src/values.js'
import { heldDeadline } from './support/deadline.js'
import { KEY, type Said, SECRET, serve, stage, token, withLogin } from './support/service.js'

const LIST = [{ index: 'VN30', indexName: 'VN30', board: 'HOSE' }]
const ENVELOPE = { pageSize: 10, pageIndex: 1, pagesCount: 1, itemsCount: 1, data: [{ symbol: 'FPT' }] }
const GZ = { 'content-encoding': 'gzip' }
const DAYS = { from: parseDay('2025-01-02'), to: parseDay('2025-01-02') }

const whole = gzipSync(JSON.stringify(LIST))
const badCrc = Buffer.from(whole)
badCrc.writeUInt32LE((badCrc.readUInt32LE(whole.length - 8) ^ 1) >>> 0, whole.length - 8)

describe('an incomplete answer is requested again', () => {
  it.each<[string, Said]>([
    ['a reset', { reset: true }],
    ['truncated JSON with a clean close', { body: '[{"index":"VN30","indexName":"VN' }],
    ['truncated gzip', { body: whole.subarray(0, whole.length - 12), headers: GZ }],
    ['a bad CRC', { body: badCrc, headers: GZ }],
    ['gzip that is none', { body: '[]', headers: GZ }],
    ['an empty body', { body: '' }],
    ['null', { body: 'null' }],
    ['invalid UTF-8', { body: Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d]) }],
    ['two documents', { body: '[{"index":"A"}][{"index":"B"}]' }],
    ['an HTML 200', { body: '<html>login</html>', headers: { 'content-type': 'text/html' } }],
    [
      'an HTML 502',
      { status: 502, body: '<html>bad gateway</html>', headers: { 'content-type': 'text/html' } },
    ],
    ['408', { status: 408 }],
    ['425', { status: 425 }],
    ['503 with an error body', { status: 503, body: { code: '503', msg: 'later' } }],
    ['a 500 told on HTTP 200', { body: { code: 500, msg: 'internal' } }],
    ['an object for an array', { body: {} }],
  ])('%s', async (_, said) => {
    await stage(
      withLogin((_request, nth) => (nth === 1 ? said : { body: LIST })),
      async ({ client }) => {
        const answer = await client.market.indexList({})
        expect(answer).toMatchObject({ outcome: 'rows', attempts: 2 })
        expect(client.stats()).toMatchObject({ retries: 1 })
        expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual(LIST)
      },
    )
  })

  it('as often as its caller still wants, who is asked after each attempt', async () => {
    await stage(
      withLogin(() => ({ status: 500 })),
      async ({ client }) => {
        let asked = 0
        const attempts = (): number | undefined => (++asked < 3 ? undefined : 1)
        const { signal } = new AbortController()
        await expect(client.market.get('indexList', {}, signal, { attempts })).rejects.toThrow(
          'attempt 3, the last',
        )
      },
    )
  })

  it('an array for an envelope is a fault once, and believed when the service insists', async () => {
    await stage(
      withLogin((_request, nth) => (nth === 1 ? { body: [] } : { body: ENVELOPE })),
      async ({ client }) => {
        expect(await client.market.masterdata(DAYS)).toMatchObject({ outcome: 'rows', attempts: 2 })
      },
    )
    await stage(
      withLogin(() => ({ body: [{ symbol: 'FPT' }] })),
      async ({ client }) => {
        expect(await client.market.masterdata(DAYS)).toMatchObject({ outcome: 'rows', attempts: 3 })
        expect(await client.market.masterdata(DAYS)).toMatchObject({ outcome: 'rows', attempts: 1 })
      },
    )
  })

  it('a byte order mark is cut off, and the wire bytes with it', async () => {
    await stage(
      withLogin(() => ({ body: gzipSync(`\uFEFF${JSON.stringify(LIST)}`), headers: GZ })),
      async ({ client }) => {
        const answer = await client.market.indexList({})
        expect(JSON.parse(Buffer.from(answer.body).toString())).toEqual(LIST)
        expect(answer.wire).toBeUndefined()
      },
    )
  })
})

describe('giving up', () => {
  it('asks three times for a page that is not one, within a second, and hands over the last body', async () => {
    const broken = '[{"index":"VN30"},}]'
    await stage(
      withLogin(() => ({ body: broken })),
      async ({ client, service, effects }) => {
        const error = (await client.market.indexList({}).catch((caught) => caught)) as UnprovenPageError
        expect(error).toBeInstanceOf(UnprovenPageError)
        expect(error).toMatchObject({
          exitCode: 5,
          attempts: 3,
          problem: 'not one whole JSON document: a value expected at byte 18',
        })
        expect(Buffer.from(error.body).toString()).toBe(broken)
        expect(service.asked('/indexList')).toHaveLength(3)
        expect(effects.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1000)
      },
    )
  })

  it('a broken page without a retry left is given up alone: no outage', async () => {
    await stage(
      withLogin(() => ({ body: '[' })),
      async ({ client }) => {
        const asks = Array.from({ length: 150 }, () => client.market.indexList({}))
        for (const end of await Promise.allSettled(asks))
          expect(end).toMatchObject({ status: 'rejected', reason: expect.any(UnprovenPageError) })
        expect(client.stats().retryBudget).toBe(0)
      },
    )
  })

  it('ends an outage in a bounded number of requests, for all endpoints together', async () => {
    await stage(
      withLogin(() => ({ status: 503 })),
      async ({ client, service, effects }) => {
        const asks = Array.from({ length: 60 }, () => client.market.indexList({}))
        const ends = await Promise.allSettled(asks)
        for (const end of ends)
          expect(end).toMatchObject({ status: 'rejected', reason: expect.any(ServiceError) })
        expect(service.asked('/indexList').length).toBeLessThanOrEqual(200 + 60)
        expect(client.stats().retryBudget).toBe(0)
        expect(Math.max(...effects.slept)).toBeLessThanOrEqual(30_000)
      },
    )
  })

  it('waits by full jitter from one second on, doubling to half a minute', async () => {
    await stage(
      withLogin(() => ({ status: 503 })),
      async ({ client, effects }) => {
        await expect(client.market.indexList({})).rejects.toThrow(/HTTP 503/)
        expect(effects.slept).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000])
      },
    )
  })

  it('names host and cause when nothing listens, after few attempts', async () => {
    const gone = await serve(() => ({}))
    await gone.close()
    const client = createClient({ baseUrl: gone.url, apiKey: KEY, apiSecret: SECRET }, fakeEffects())
    await expect(client.market.indexList({})).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/cannot reach 127\.0\.0\.1:\d+.*ECONNREFUSED.*attempt 4/),
      hint: expect.stringContaining('BROKER_BASE_URL'),
    })
    await client.close()
  })

  it('rejects with the reason of the signal', async () => {
    await stage(
      withLogin(() => ({ hang: true })),
      async ({ client, service }) => {
        const stop = new AbortController()
        const asked = client.market.indexList({}, stop.signal)
        await expect.poll(() => service.asked('/indexList').length).toBe(1)
        stop.abort(new Error('stopped here'))
        await expect(asked).rejects.toThrow('stopped here')
      },
    )
  })

  it('has one deadline for an attempt, from connecting to the last byte', async () => {
    const deadline = heldDeadline()
    await stage(
      withLogin((_request, nth) => {
        if (nth > 1) return { body: LIST }
        deadline.pass()
        return { hang: true }
      }),
      async ({ client }) => {
        expect(await client.market.indexList({})).toMatchObject({ attempts: 2 })
      },
      { deadlineMs: deadline.ms },
      { after: deadline.after },
    )
  })
})

describe('an answer that is not read', () => {
  it('names status, content type and 200 escaped characters of an HTML answer', async () => {
    const body = `<html>\u001b[31m${'x'.repeat(500)}`
    await stage(
      withLogin(() => ({ status: 502, body, headers: { 'content-type': 'text/html' } })),
      async ({ client }) => {
        const error = (await client.market.indexList({}).catch((caught) => caught)) as Error
        expect(error.message).toContain('HTTP 502, text/html: <html>\\u{1b}[31mxxx')
        expect(error.message.length).toBeLessThan(400)
      },
    )
  })

  it('refuses a redirect, and sends the bearer nowhere else', async () => {
    const elsewhere = await serve(() => ({ body: LIST }))
    await stage(
      withLogin(() => ({ status: 302, headers: { location: `${elsewhere.url}/steal` } })),
      async ({ client, service }) => {
        await expect(client.market.indexList({})).rejects.toThrow(/redirects to http.*not followed/)
        expect(service.asked('/indexList')).toHaveLength(1)
        expect(elsewhere.seen).toHaveLength(0)
      },
    )
    await elsewhere.close()
  })

  it('stops a gzip bomb at the cap', async () => {
    const bomb = gzipSync(Buffer.alloc(2_000_000, 0x20))
    await stage(
      withLogin(() => ({ body: bomb, headers: GZ })),
      async ({ client, service }) => {
        await expect(client.market.indexList({})).rejects.toThrow(/grows beyond 100000 bytes/)
        expect(service.asked('/indexList')).toHaveLength(1)
      },
      { maxBodyBytes: 100_000 },
    )
  })

  it('a page that does not exist is requested once', async () => {
    await stage(
      withLogin(() => ({ status: 404, body: 'not found', headers: { 'content-type': 'text/plain' } })),
      async ({ client, service }) => {
        await expect(client.market.indexList({})).rejects.toMatchObject({ exitCode: 5 })
        expect(service.asked('/indexList')).toHaveLength(1)
      },
    )
  })
})

describe('a closed client', () => {
  it('ends what is under way, and sends nothing more', async () => {
    await stage(
      withLogin(() => ({ hang: true })),
      async ({ client, service, effects }) => {
        const read = client.market.indexList({}).catch((error: unknown) => error)
        while (service.asked('/indexList').length === 0) await new Promise((resolve) => setImmediate(resolve))
        await client.close()
        expect(await read).toMatchObject({
          name: 'UnansweredError',
          message: expect.stringContaining('the client was closed before a whole answer'),
        })
        const later = await client.market.indexList({}).catch((error: unknown) => error)
        expect(later).toBeInstanceOf(ServiceError)
        expect(later).toMatchObject({ message: 'the client is closed: nothing was sent' })
        expect(service.asked('/indexList')).toHaveLength(1)
        expect(effects.slept).toEqual([])
      },
    )
  })
})

describe('secrets', () => {
  it.each(['market', 'trading'] as const)('are not printed with a client for %s', async (grade) => {
    const otp = 'otp-271828'
    const refresh = 'refresh-token-1'
    await stage(
      withLogin(() => ({ body: LIST })),
      async ({ client }) => {
        const printed = (): string =>
          `${inspect(client, { depth: Infinity, showHidden: true })} ${JSON.stringify(client)}`
        const before = printed()
        await client.market.indexList({})
        for (const text of [before, printed()])
          for (const secret of [KEY, SECRET, otp, 'access-token-1', refresh])
            expect(text).not.toContain(secret)
      },
      grade === 'trading' ? { otp } : {},
    )
  })

  it('never appear in a code that the service repeats them in, and a code cannot drive a terminal', async () => {
    await stage(
      withLogin(() => ({ status: 400, body: { code: `access-token-1\n\u001b[2J${KEY}`, msg: '' } })),
      async ({ client }) => {
        const { error } = await client.market.securitiesByBoard({ symbol: 'FPT' })
        expect(error?.code).toBe('[secret] \\u{1b}[2J[secret]')
      },
    )
  })

  it('never appear in an error, even when the service repeats them', async () => {
    const echo = `${KEY} ${SECRET} access-token-1 ${encodeURIComponent(SECRET)}`
    await stage(
      (request) =>
        request.path.endsWith('/auth/token')
          ? { body: token(1) }
          : request.path.endsWith('/indexList')
            ? { status: 500, body: echo, headers: { 'content-type': 'text/plain' } }
            : { status: 400, body: { code: '400', msg: echo } },
      async ({ client }) => {
        const error = (await client.market.indexList({}).catch((caught) => caught)) as ServiceError
        const answer = await client.market.securitiesByBoard({ symbol: 'FPT' })
        const said = `${error.stack} ${(error.cause as Error).stack} ${JSON.stringify(answer.error)}`
        for (const secret of [KEY, SECRET, 'access-token-1']) expect(said).not.toContain(secret)
        expect(said).toContain('[secret]')
      },
    )
  })
})
