import { type Check, expectEqual, expectRefused, expectThat, objectOf, words } from '../check.js'

const TOKEN = '/api/v3/auth/token'
const OTP = '/api/v3/auth/requestOtp'

/** Authentication endpoints and token rules, in the specification's order. */
export const auth: readonly Check[] = [
  {
    id: 'token-shape',
    says: 'tokenType Bearer, accessToken and refreshToken strings, expiresAt and refreshExpiresAt integers',
    needs: 'market',
    async run(probe) {
      const told = await probe.login(probe.target.otp !== undefined)
      expectEqual(told.status, 200, 'HTTP status of token')
      const token = objectOf(told.body, 'the token')
      expectEqual(token.tokenType, 'Bearer', 'tokenType')
      for (const field of words('accessToken refreshToken'))
        expectThat(typeof token[field] === 'string' && token[field] !== '', `${field} is no string`)
      for (const field of words('expiresAt refreshExpiresAt'))
        expectThat(Number.isInteger(token[field]), `${field} is no integer`)
      expectThat(Number(token.refreshExpiresAt) >= Number(token.expiresAt), 'the refresh token ends first')
    },
  },
  {
    id: 'token-jwt',
    says: 'accessToken is a JWT',
    needs: 'market',
    async run(probe) {
      await probe.get('/api/v3/data/indexList')
      const [head = '', , signature] = probe.token().split('.')
      const header = JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as { alg?: string }
      expectThat(Boolean(signature) && header.alg !== 'none', 'the access token is not a signed JWT')
    },
  },
  {
    id: 'token-required-fields',
    says: 'apiKey and apiSecret are required',
    needs: 'market',
    async run(probe) {
      const { apiKey, apiSecret } = probe.target
      for (const body of [{ apiKey }, { apiSecret }, {}])
        expectRefused(await probe.post(TOKEN, body), `a login with ${Object.keys(body).join() || 'nothing'}`)
    },
  },
  {
    id: 'token-wrong-secret',
    says: 'a token is obtained from an API key and secret',
    needs: 'market',
    async run(probe) {
      const { apiKey } = probe.target
      expectRefused(await probe.post(TOKEN, { apiKey, apiSecret: 'wrong' }), 'a login with a wrong secret')
    },
  },
  {
    id: 'bearer-required',
    says: 'all endpoints but token, refresh and requestOtp require Authorization: Bearer',
    needs: 'market',
    async run(probe) {
      for (const authorization of ['', 'Bearer x.y.z', `Basic ${probe.token()}`]) {
        const told = await probe.get('/api/v3/data/indexList', {}, { authorization })
        expectRefused(told, `a request with Authorization '${authorization.slice(0, 12)}'`)
      }
    },
  },
  {
    id: 'bearer-alg-none',
    says: 'the bearer is a JWT: one without a signature is none',
    needs: 'market',
    async run(probe) {
      await probe.get('/api/v3/data/indexList')
      const payload = probe.token().split('.')[1] ?? ''
      const head = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
      const authorization = `Bearer ${head}.${payload}.`
      expectRefused(await probe.get('/api/v3/data/indexList', {}, { authorization }), 'an unsigned token')
    },
  },
  {
    id: 'content-type-required',
    says: 'Every request carries header Content-Type: application/json (required)',
    needs: 'market',
    async run(probe) {
      const told = await probe.get('/api/v3/data/indexList', {}, { 'content-type': 'text/plain' })
      expectRefused(told, 'a request with Content-Type text/plain')
    },
  },
  {
    id: 'optional-headers',
    says: 'optional request headers: User-Agent, Accept-Language (default en when absent)',
    needs: 'market',
    async run(probe) {
      const told = await probe.get(
        '/api/v3/data/indexList',
        {},
        { 'accept-language': 'vi', 'user-agent': 'x' },
      )
      expectEqual(told.status, 200, 'HTTP status with optional headers')
    },
  },
  {
    id: 'rate-headers',
    says: 'optional response headers: X-RATELIMIT-LIMIT, -REMAINING, -RESET',
    needs: 'market',
    async run(probe) {
      const { headers } = await probe.get('/api/v3/data/indexList')
      for (const name of words('limit remaining reset')) {
        const value = headers.get(`x-ratelimit-${name}`)
        expectThat(value === null || /^\d+$/.test(value), `X-RATELIMIT-${name} is '${value}'`)
      }
    },
  },
  {
    id: 'otp-request',
    says: 'requestOtp answers {message, transactionId}',
    needs: 'market',
    async run(probe) {
      const { apiKey, apiSecret } = probe.target
      const told = await probe.post(OTP, { apiKey, apiSecret })
      expectEqual(told.status, 200, 'HTTP status of requestOtp')
      const { message, transactionId } = objectOf(told.body, 'requestOtp')
      expectEqual(
        [typeof message, typeof transactionId],
        ['string', 'string'],
        'types of message, transactionId',
      )
      expectThat(transactionId !== '', 'transactionId is empty')
    },
  },
  {
    id: 'otp-request-errors',
    says: 'code is a number on the OTP request endpoint; the message names a missing field',
    needs: 'market',
    async run(probe) {
      const { apiKey } = probe.target
      for (const [body, missing] of [
        [{}, 'apiKey'],
        [{ apiKey }, 'apiSecret'],
      ] as const) {
        const told = await probe.post(OTP, body)
        expectEqual(told.status, 400, `HTTP status without ${missing}`)
        const { code, msg } = objectOf(told.body, 'the error')
        expectEqual(code, 400, 'code')
        expectThat(String(msg).includes(missing), `msg '${msg}' does not name ${missing}`)
      }
    },
  },
  {
    id: 'refresh',
    says: 'an expired access token is replaced with the refresh token through POST /auth/refresh',
    needs: 'market',
    async run(probe) {
      const before = objectOf((await probe.login(probe.target.otp !== undefined)).body, 'the token')
      const told = await probe.post('/api/v3/auth/refresh', { refreshToken: before.refreshToken })
      expectEqual(told.status, 200, 'HTTP status of refresh')
      const after = objectOf(told.body, 'the refreshed token')
      expectThat(typeof after.accessToken === 'string' && after.accessToken !== '', 'no accessToken')
      const authorization = `Bearer ${String(after.accessToken)}`
      expectEqual((await probe.get('/api/v3/data/indexList', {}, { authorization })).status, 200, 'its use')
      expectRefused(await probe.post('/api/v3/auth/refresh', { refreshToken: 'x' }), 'a wrong refresh token')
      await probe.login(probe.target.otp !== undefined)
    },
  },
  {
    id: 'market-token-reads-no-accounts',
    says: 'a token obtained without an OTP may read market data only',
    needs: 'trading',
    async run(probe) {
      await probe.login(false)
      const authorization = `Bearer ${probe.token()}`
      try {
        for (const path of ['/api/v3/account/info', '/api/v3/trading/orderBook'])
          expectRefused(await probe.get(path, {}, { authorization }), `${path} with a market token`)
        expectEqual(
          (await probe.get('/api/v3/data/indexList', {}, { authorization })).status,
          200,
          'market data',
        )
      } finally {
        await probe.login(true)
      }
    },
  },
  {
    id: 'unknown-path',
    says: 'errors are {code, msg}',
    needs: 'market',
    async run(probe) {
      expectRefused(await probe.get('/api/v3/data/nothing'), 'an unknown path')
    },
  },
]
