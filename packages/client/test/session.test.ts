import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import { describe, expect, it } from 'vitest'
import { type Client, loginBySmartOtp, type Tokens } from '../src/reading.js'
import { KEY, type Said, type Script, SECRET, type Seen, stage, token } from './support/service.js'

const LIST: Said = { body: [{ index: 'VN30', indexName: 'VN30', board: 'HOSE' }] }
const UNAUTHORIZED: Said = { status: 401, body: { code: '401', msg: 'Unauthorized' } }
const NOW = Date.UTC(2025, 0, 2, 10)

const bearer = (request: Seen): string => String(request.headers.authorization).replace('Bearer ', '')

/** Hands out numbered tokens; the one given last is the only one that works, as live (one session per key). */
function account(options: { expiresAt?: (n: number) => unknown; refresh?: Script } = {}) {
  let n = 0
  const state = { valid: '', end: () => (state.valid = '') }
  const give = (): Said => {
    n++
    state.valid = `access-token-${n}`
    return { body: { ...token(n), ...(options.expiresAt ? { expiresAt: options.expiresAt(n) } : {}) } }
  }
  const script: Script = (request, nth) => {
    if (request.path.endsWith('/auth/token')) return give()
    if (request.path.endsWith('/auth/refresh'))
      return options.refresh ? options.refresh(request, nth) : give()
    return bearer(request) === state.valid ? LIST : UNAUTHORIZED
  }
  return { script, state, give }
}

const kept = (over: Partial<Tokens> = {}): Tokens => ({
  accessToken: 'kept-access',
  refreshToken: 'kept-refresh',
  expiresAt: NOW + 3_600_000,
  refreshExpiresAt: NOW + 86_400_000,
  grade: 'trading',
  obtainedAt: NOW - 3_600_000,
  ...over,
})

describe('one session', () => {
  it('is opened once for workers that start together', async () => {
    const { script } = account()
    await stage(script, async ({ client, service }) => {
      await Promise.all(Array.from({ length: 20 }, () => client.market.indexList({})))
      expect(service.asked('/auth/token')).toHaveLength(1)
      expect(client.session.grade).toBe('market')
    })
  })

  it('that ends mid-walk is refreshed once for all workers', async () => {
    const { script, state } = account()
    await stage(script, async ({ client, service }) => {
      await client.market.indexList({})
      state.end()
      await Promise.all(Array.from({ length: 20 }, () => client.market.indexList({})))
      expect(service.asked('/auth/refresh').map((one) => JSON.parse(one.body))).toEqual([
        { refreshToken: 'refresh-token-1' },
      ])
      expect(service.asked('/auth/refresh')[0]?.headers.authorization).toBeUndefined()
      expect(service.asked('/auth/token')).toHaveLength(1)
    })
  })

  it.each([
    ['seconds', (NOW + 600_000) / 1000],
    ['milliseconds', NOW + 600_000],
    ['seconds as text', String((NOW + 600_000) / 1000)],
  ])('is renewed early, before a request meets the end: expiresAt in %s', async (_, expiresAt) => {
    const { script } = account({ expiresAt: () => expiresAt })
    await stage(
      script,
      async ({ client, service, effects }) => {
        await client.market.indexList({})
        effects.advance(530_000)
        await client.market.indexList({})
        expect(service.asked('/auth/refresh')).toHaveLength(0)
        effects.advance(15_000)
        await client.market.indexList({})
        expect(service.asked('/auth/refresh')).toHaveLength(1)
      },
      {},
    )
  })

  it('is stored before it is used', async () => {
    const { script } = account()
    const order: string[] = []
    await stage(
      (request, nth) => {
        order.push(request.path.split('/').at(-1) ?? '')
        return script(request, nth)
      },
      async ({ client }) => {
        await client.market.indexList({})
        expect(order).toEqual(['token', 'stored access-token-1 market', 'indexList'])
      },
      { onTokens: (tokens) => void order.push(`stored ${tokens.accessToken} ${tokens.grade}`) },
    )
  })

  it('kept from an earlier run is used, then refreshed, and stays good for trading', async () => {
    const { script, give } = account()
    await stage(
      (request, nth) => (request.path.endsWith('/auth/refresh') ? give() : script(request, nth)),
      async ({ client, service }) => {
        await client.market.indexList({})
        expect(service.asked('/auth/refresh').map((one) => JSON.parse(one.body))).toEqual([
          { refreshToken: 'kept-refresh' },
        ])
        expect(service.asked('/auth/token')).toHaveLength(0)
        expect(client.session.grade).toBe('trading')
      },
      { tokens: kept() },
    )
  })
})

describe('a session that is refused', () => {
  it.each<[string, Said]>([
    ['refused', { status: 400, body: { code: '400', msg: 'Invalid request' } }],
    ['of an unknown shape', { body: { hello: 'world' } }],
    ['without an endpoint', { status: 404, body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['broken off', { reset: true }],
  ])('whose refresh is %s logs in again', async (_, said) => {
    const { script, state } = account({ refresh: () => said })
    await stage(script, async ({ client, service }) => {
      await client.market.indexList({})
      state.end()
      expect(await client.market.indexList({})).toMatchObject({ outcome: 'rows' })
      expect(service.asked('/auth/refresh')).toHaveLength(1)
      expect(service.asked('/auth/token')).toHaveLength(2)
    })
  })

  it('without a key and with a refresh that is refused names the variables', async () => {
    const { script } = account({ refresh: () => UNAUTHORIZED })
    await stage(
      script,
      async ({ client }) => {
        await expect(client.market.indexList({})).rejects.toMatchObject({
          exitCode: 3,
          message: expect.stringContaining('BROKER_API_KEY'),
        })
      },
      { tokens: kept(), apiKey: undefined, apiSecret: undefined },
    )
  })

  it('refused right after login stops after one try', async () => {
    await stage(
      (request, nth) => (request.path.endsWith('/auth/token') ? { body: token(nth) } : UNAUTHORIZED),
      async ({ client, service }) => {
        const ends = await Promise.allSettled([client.market.indexList({}), client.market.indexList({})])
        for (const end of ends) expect(end).toMatchObject({ reason: expect.any(SettingsError) })
        expect(service.asked('/auth/token')).toHaveLength(1)
      },
    )
  })

  it('ended by another login is renewed once, then the run gives up', async () => {
    const { script, state } = account({ refresh: () => UNAUTHORIZED })
    await stage(script, async ({ client, service }) => {
      await client.market.indexList({})
      state.end()
      await client.market.indexList({})
      state.end()
      await expect(client.market.indexList({})).rejects.toBeInstanceOf(ServiceError)
      expect(service.asked('/auth/token')).toHaveLength(2)
    })
  })

  it.each([
    ['400', { status: 400, body: { code: '400', msg: 'apiKey is required' } }],
    ['401', { status: 401, body: { code: 401, msg: 'bad key' } }],
    ['403', { status: 403, body: '' }],
    ['a plain 400', { status: 400, body: { code: '400', msg: 'Invalid request' } }],
    [
      'a 400 in plain text',
      { status: 400, body: 'Invalid request', headers: { 'content-type': 'text/plain' } },
    ],
    ['an empty 400', { status: 400, body: '' }],
    ['a code on HTTP 200', { body: { code: '400', msg: 'Invalid request' } }],
  ])('with a wrong key (%s) names the variables', async (_, said) => {
    await stage(
      () => said,
      async ({ client, service }) => {
        const error = (await client.market.indexList({}).catch((caught) => caught)) as SettingsError
        expect(error).toBeInstanceOf(SettingsError)
        expect(error.message).toContain('BROKER_API_KEY')
        expect(error.message).toContain('BROKER_API_SECRET')
        await expect(client.market.indexList({})).rejects.toBe(error)
        expect(service.seen).toHaveLength(1)
      },
    )
  })
})

describe('clocks that differ', () => {
  it.each([
    ['ten minutes behind', -600_000],
    ['ten minutes ahead', 600_000],
  ])('a service %s does not shorten or end the session', async (_, skew) => {
    const expiresAt = (NOW + skew + 300_000) / 1000
    const { script } = account({ expiresAt: () => expiresAt })
    await stage(
      (request, nth) => ({ ...script(request, nth), headers: { date: new Date(NOW + skew).toUTCString() } }),
      async ({ client, service, effects }) => {
        await client.market.indexList({})
        effects.advance(200_000)
        await client.market.indexList({})
        expect(service.asked('/auth/refresh')).toHaveLength(0)
        effects.advance(60_000)
        await client.market.indexList({})
        expect(service.asked('/auth/refresh')).toHaveLength(1)
      },
    )
  })
})

describe('one-time passwords', () => {
  it('go with the token request and give a session that may trade', async () => {
    const { script } = account()
    await stage(
      script,
      async ({ client, service }) => {
        await client.market.indexList({})
        expect(JSON.parse(service.asked('/auth/token')[0]?.body ?? '')).toEqual({
          apiKey: KEY,
          apiSecret: SECRET,
          otp: '123456',
        })
        expect(client.session.grade).toBe('trading')
      },
      { otp: '123456' },
    )
  })

  it('open a session that is downgraded once a login without one has taken its place, until the next one', async () => {
    const { script, state } = account({ refresh: () => UNAUTHORIZED })
    const lose = async ({ market }: Client): Promise<void> => {
      await market.indexList({})
      state.end()
      await market.indexList({})
    }
    await stage(
      script,
      async ({ client }) => {
        expect(client.session.isDowngraded).toBe(false)
        await lose(client)
        expect([client.session.grade, client.session.isDowngraded]).toEqual(['market', true])
        await client.session.login()
        expect(client.session.isDowngraded).toBe(true)
        await client.session.login({ otp: '123457' })
        expect([client.session.grade, client.session.isDowngraded]).toEqual(['trading', false])
      },
      { otp: '123456' },
    )
    await stage(script, async ({ client }) => {
      await lose(client)
      expect([client.session.grade, client.session.isDowngraded]).toEqual(['market', false])
    })
  })

  it('that are refused are reported, and market data can still be read', async () => {
    const { script } = account()
    await stage(
      (request, nth) =>
        request.body.includes('otp')
          ? { status: 400, body: { code: '400', msg: 'Invalid request 123456' } }
          : script(request, nth),
      async ({ client }) => {
        expect(await client.market.indexList({})).toMatchObject({ outcome: 'rows' })
        expect(client.session.grade).toBe('market')
        // The key alone was accepted, so it is the one-time password, whatever the service's words are.
        expect(client.session.otpProblem).toContain('the one-time password was refused')
        expect(client.session.otpProblem).not.toContain('BROKER_API_KEY')
        expect(client.session.otpProblem).not.toContain('123456')
      },
      { otp: '123456' },
    )
  })

  it.each<[string, Said, string, string]>([
    [
      'in its own words',
      { status: 401, body: { code: '401', msg: 'Invalid OTP' } },
      'the one-time password was refused: it is wrong, expired or already used: 401 Invalid OTP',
      '',
    ],
    [
      'as a plain 400',
      { status: 400, body: { code: '400', msg: 'Invalid request' } },
      'the one-time password is wrong, expired or already used, or BROKER_API_KEY or BROKER_API_SECRET is wrong',
      '',
    ],
    [
      'as a plain 400, after the service has sent one',
      { status: 400, body: { code: '400', msg: 'Invalid request' } },
      'the one-time password was refused: it is wrong, expired or already used: 400 Invalid request',
      '/auth/requestOtp',
    ],
    [
      'naming key and OTP',
      { status: 401, body: { code: '401', msg: 'Invalid apiKey or otp' } },
      'BROKER_API_KEY or BROKER_API_SECRET is wrong',
      '',
    ],
  ])('a login whose one-time password is refused %s says so', async (_, said, words, sentBy) => {
    await stage(
      (request) => (request.path.endsWith('/auth/token') ? said : { body: { message: 'sent' } }),
      async ({ client }) => {
        if (sentBy) await client.session.requestOtp()
        await expect(client.session.login({ otp: '123456' })).rejects.toMatchObject({
          exitCode: 3,
          message: expect.stringContaining(words),
          hint: expect.stringContaining('log in with a new one-time password'),
        })
      },
    )
  })

  it('are missing: an account read is refused, and the session stays', async () => {
    await stage(
      (request, nth) => (request.path.endsWith('/auth/token') ? { body: token(nth) } : UNAUTHORIZED),
      async ({ client, service }) => {
        expect(await client.accounts.accountInfo()).toMatchObject({
          outcome: 'refused',
          error: { code: '401' },
        })
        expect(service.asked('/auth/token')).toHaveLength(1)
      },
    )
  })

  it('a request for one that is refused carries a numeric code (docs/brokerage-api.md#errors)', async () => {
    await stage(
      () => ({ status: 400, body: { code: 400, msg: 'apiKey is required' } }),
      async ({ client }) => {
        await expect(client.session.requestOtp()).rejects.toMatchObject({
          exitCode: 3,
          message: expect.stringContaining('400 apiKey is required'),
        })
      },
    )
  })
})

describe('logins', () => {
  it.each([
    [202, 401114],
    [401, 401114],
    [202, 0],
  ])(
    'by Smart OTP: the login is repeated until it is approved (HTTP %i, code %i until then)',
    async (status, code) => {
      await stage(
        (request, nth) => {
          if (request.path.endsWith('/auth/requestOtp'))
            return { body: { message: 'sent', transactionId: 'tx-900' } }
          return nth < 3 ? { status, body: { code } } : { body: token(1) }
        },
        async ({ client, service, effects }) => {
          expect(await loginBySmartOtp(client.session, effects)).toMatchObject({ grade: 'trading' })
          expect(service.asked('/auth/token').map((one) => JSON.parse(one.body).transactionId)).toEqual([
            'tx-900',
            'tx-900',
            'tx-900',
          ])
          expect(effects.slept).toEqual([2000, 2000])
        },
      )
    },
  )

  it.each([401113, 401115, 401116])('by Smart OTP: %i ends it', async (code) => {
    await stage(
      (request) =>
        request.path.endsWith('/auth/requestOtp')
          ? { body: { message: 'sent', transactionId: 'tx-900' } }
          : { status: 202, body: { code } },
      async ({ client, service, effects }) => {
        await expect(loginBySmartOtp(client.session, effects)).rejects.toBeInstanceOf(SettingsError)
        expect(service.asked('/auth/token')).toHaveLength(1)
      },
    )
  })
})
