import {
  type Check,
  expectEqual,
  expectRefused,
  expectThat,
  NotEvaluable,
  objectOf,
  words,
} from '../check.js'
import type { Answer, Probe } from '../probe.js'

const TOKEN = '/api/v3/auth/token'
const OTP = '/api/v3/auth/requestOtp'
const REFRESH = '/api/v3/auth/refresh'
const LIST = '/api/v3/data/indexList'

/** The answer to the one login of the run. */
async function loginOf(probe: Probe): Promise<Answer> {
  await probe.session.token()
  if (!probe.session.login)
    throw new NotEvaluable('the session is another program’s: this run did not log in')
  return probe.session.login
}

/** What is seen without an effect: one login, and reads. */
export const auth: readonly Check[] = [
  {
    id: 'market-token-reads-no-accounts',
    says: 'a token obtained without an OTP may read market data only',
    needs: 'market',
    effect: 'second-login',
    isPaid: ({ session }) => session.signIn.by === 'key',
    async run(probe) {
      const { session } = probe
      if (session.signIn.by === 'file')
        throw new NotEvaluable('the session is another program’s: a login would end it')
      if (session.signIn.by !== 'key' && !session.isClosed)
        throw new NotEvaluable('a login now would end the session that the password gave')
      const token = session.signIn.by === 'key' ? await session.token() : await session.loginForMarket()
      for (const path of ['/api/v3/account/info', '/api/v3/trading/orderBook'])
        expectRefused(await probe.getAs(`Bearer ${token}`, path), `${path} with a market token`)
      expectEqual((await probe.getAs(`Bearer ${token}`, LIST)).status, 200, 'HTTP status of market data')
    },
  },
  {
    id: 'token-shape',
    says: 'tokenType Bearer, accessToken and refreshToken strings, expiresAt and refreshExpiresAt integers',
    needs: 'market',
    async run(probe) {
      const answer = await loginOf(probe)
      expectEqual(answer.status, 200, 'HTTP status of token')
      const token = objectOf(answer.body, 'the token')
      expectEqual(token.tokenType, 'Bearer', 'tokenType')
      for (const field of words('accessToken refreshToken'))
        expectThat(typeof token[field] === 'string' && token[field] !== '', `${field} is not a string`)
      for (const field of words('expiresAt refreshExpiresAt'))
        expectThat(Number.isInteger(token[field]), `${field} is not an integer`)
      expectThat(Number(token.refreshExpiresAt) >= Number(token.expiresAt), 'the refresh token ends first')
    },
  },
  {
    id: 'token-jwt',
    says: 'accessToken is a JWT',
    needs: 'market',
    async run(probe) {
      const token = await probe.session.token()
      if (!token) throw new NotEvaluable('the login gave no access token')
      const [head = '', , signature] = token.split('.')
      expectThat(Boolean(signature) && algorithmOf(head) !== 'none', 'the access token is not a signed JWT')
    },
  },
  {
    id: 'bearer-required',
    says: 'all endpoints but token, refresh and requestOtp require Authorization: Bearer',
    needs: 'market',
    async run(probe) {
      expectRefused(await probe.getAs(undefined, LIST), 'a request without Authorization')
    },
  },
  {
    id: 'content-type-required',
    says: 'Every request carries header Content-Type: application/json (required)',
    needs: 'market',
    async run(probe) {
      const answer = await probe.get(LIST, {}, { 'content-type': 'text/plain' })
      expectRefused(answer, 'a request with Content-Type text/plain')
    },
  },
  {
    id: 'optional-headers',
    says: 'optional request headers: User-Agent, Accept-Language (default en when absent)',
    needs: 'market',
    async run(probe) {
      const answer = await probe.get(LIST, {}, { 'accept-language': 'vi', 'user-agent': 'x' })
      expectEqual(answer.status, 200, 'HTTP status with optional headers')
    },
  },
  {
    id: 'rate-headers',
    says: 'optional response headers: X-RATELIMIT-LIMIT, -REMAINING, -RESET',
    needs: 'market',
    async run(probe) {
      const { headers } = await probe.get(LIST)
      for (const name of words('limit remaining reset')) {
        const value = headers.get(`x-ratelimit-${name}`)
        expectThat(value === null || /^\d+$/.test(value), `X-RATELIMIT-${name} is '${value}'`)
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

function algorithmOf(head: string): string | undefined {
  try {
    return (JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as { alg?: string }).alg
  } catch {
    return 'none'
  }
}

/** Both tokens of the session around the one refresh of the run. */
export function refreshed(probe: Probe): Promise<{ former: string; answer: Answer }> {
  return probe.once('refresh', async () => {
    const former = await probe.session.token()
    return { former, answer: await probe.session.refresh() }
  })
}

/** What has an effect, last in a run: what may end the session, or make the service refuse the key, spoils nothing then. */
export const lastAuth: readonly Check[] = [
  {
    id: 'otp-request',
    says: 'requestOtp answers {message, transactionId}',
    needs: 'market',
    effect: 'sms',
    isPaid: ({ session }) => session.signIn.by === 'sent-otp' || session.signIn.by === 'smart-otp',
    async run(probe) {
      // First the login: a new password may end the one that was given.
      await probe.session.token()
      const { apiKey, apiSecret } = probe.target
      const answer = probe.session.otpRequest ?? (await probe.post(OTP, { apiKey, apiSecret }))
      expectEqual(answer.status, 200, 'HTTP status of requestOtp')
      const { message, transactionId } = objectOf(answer.body, 'requestOtp')
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
    effect: 'sms',
    async run(probe) {
      const { apiKey } = probe.target
      for (const [body, missing] of [
        [{}, 'apiKey'],
        [{ apiKey }, 'apiSecret'],
      ] as const) {
        const answer = await probe.post(OTP, body)
        expectEqual(answer.status, 400, `HTTP status without ${missing}`)
        const { code, msg } = objectOf(answer.body, 'the error')
        expectEqual(code, 400, 'code')
        expectThat(String(msg).includes(missing), `msg '${String(msg)}' does not name ${missing}`)
      }
    },
  },
  {
    id: 'refresh',
    says: 'an expired access token is replaced with the refresh token through POST /auth/refresh',
    needs: 'market',
    effect: 'refresh',
    async run(probe) {
      await loginOf(probe)
      const { answer } = await refreshed(probe)
      expectEqual(answer.status, 200, 'HTTP status of refresh')
      const { accessToken } = objectOf(answer.body, 'the refreshed token')
      expectThat(typeof accessToken === 'string' && accessToken !== '', 'no accessToken')
      expectEqual((await probe.get(LIST)).status, 200, 'HTTP status with the new token')
      expectRefused(await probe.post(REFRESH, { refreshToken: 'x' }), 'a wrong refresh token')
    },
  },
  {
    id: 'choice-token-replaced',
    says: 'a refresh ends the former access token',
    needs: 'market',
    effect: 'refresh',
    isChoice: true,
    async run(probe) {
      await loginOf(probe)
      const { former } = await refreshed(probe)
      expectRefused(await probe.getAs(`Bearer ${former}`, LIST), 'the former access token')
      expectEqual((await probe.get(LIST)).status, 200, 'HTTP status with the new one')
    },
  },
  {
    id: 'bearer-forged',
    says: 'the bearer is a token of the service, under the scheme Bearer',
    needs: 'market',
    effect: 'forged-token',
    async run(probe) {
      const token = await probe.session.token()
      expectRefused(await probe.getAs('Bearer x.y.z', LIST), 'a request with a token of nobody')
      expectRefused(await probe.getAs(`Basic ${token}`, LIST), 'a request with the scheme Basic')
    },
  },
  {
    id: 'bearer-alg-none',
    says: 'the bearer is a JWT: one without a signature is none',
    needs: 'market',
    effect: 'forged-token',
    async run(probe) {
      const payload = (await probe.session.token()).split('.')[1] ?? ''
      const head = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
      expectRefused(await probe.getAs(`Bearer ${head}.${payload}.`, LIST), 'an unsigned token')
    },
  },
  {
    id: 'token-required-fields',
    says: 'apiKey and apiSecret are required',
    needs: 'market',
    effect: 'wrong-secret',
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
    effect: 'wrong-secret',
    async run(probe) {
      const { apiKey } = probe.target
      expectRefused(await probe.post(TOKEN, { apiKey, apiSecret: 'wrong' }), 'a login with a wrong secret')
    },
  },
]
