import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from './caller.js'

let api: Caller
const lines: string[] = []
beforeAll(async () => {
  api = await caller({ at: '10:00', log: (line) => lines.push(line) }, { otp: true })
})
afterAll(() => api.close())

const TRADING = '/api/v3/trading'
const accountNo = '0881234561'
const INVALID = { code: '400', msg: 'Invalid request' }

/** Any request, with the token and the content type of the others unless headers replace them. */
async function ask(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const response = await fetch(api.sandbox.url + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${api.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : undefined) as unknown,
  }
}

/** Bytes that no HTTP client sends, and what comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.sandbox.url).port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (part) => (answer += String(part)))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('times that do not exist are refused', () => {
  it.each([
    '2025-11-20T10:00:99',
    '2025-11-20T24:00',
    '2025-11-20T24:00:00+07:00',
    '2025-11-20T23:60',
    '2025-11-20T10:00:60Z',
    '2025-02-29T10:00:00',
    '2025-11-20T10:00:00+15:00',
    '2025-11-20T10:00:00+07:60',
    '2025/11-20',
    // Basic, week and ordinal dates of ISO 8601.
    '20251120T100000',
    '2025-W47-4',
    '2025-324',
    '2025-11-20T1000',
  ])('order book, from %s', async (from) => {
    const { status, body, headers } = await api.get(`${TRADING}/orderBook`, { accountNo, from })
    expect([status, body]).toEqual([400, INVALID])
    expect(headers.get('x-sandbox-problem')).toMatch(/^query from: expected a date-time that exists/)
  })
  it.each([
    '2025-11-20 10:00:99',
    '2025-11-20 24:00:00',
    '2025-11-20 23:60:00',
    '2025-11-20T10:00:00',
    '20251120',
  ])('candles, to %s', async (to) => {
    const { status, body } = await api.get('/api/v3/data/ohlc', { symbol: 'FPT', from: '2025-11-20', to })
    expect([status, body]).toEqual([400, INVALID])
  })
  it.each(['2025/11/21 10:00:99', '2025/11/21 24:00:00', '2025/11/21 23:60:00', '2025/02/29 10:00:00'])(
    'conditional orders, to %s',
    async (to) => {
      const stop = { type: 'stop', stopPrice: 1, operator: 'lesser_or_equal', price: null }
      const order = { accountNo, deviceId: 'x', symbol: 'FPT', side: 'S', quantity: 100, to, ...stop }
      const { status, body, headers } = await api.send('POST', `${TRADING}/fco/order`, order)
      expect([status, body]).toEqual([400, INVALID])
      expect(headers.get('x-sandbox-problem')).toContain('body to: expected YYYY/MM/DD hh:mm:ss')
    },
  )
})

describe('every error is {code, msg}', () => {
  it.each([
    ['GET', '/api/v3/data/nothing', 404, undefined],
    ['DELETE', '/api/v3/data/ohlc', 405, 'GET'],
    ['GET', '/api/v3/trading/order', 405, 'POST, PUT, DELETE'],
    ['PATCH', '/api/v3/trading/order', 405, 'POST, PUT, DELETE'],
    ['PUT', '/api/v3/auth/token', 405, 'POST'],
    ['OPTIONS', '/api/v3/data/indexList', 405, 'GET'],
    ['POST', '/sandbox/clock', 404, undefined],
    ['GET', '/%zz', 400, undefined],
  ])('%s %s: %d', async (method, path, status, allow) => {
    const answer = await ask(method, path)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ code: String(status), msg: expect.any(String) })
    expect(answer.headers.get('allow')).toBe(allow ?? null)
    expect(answer.headers.get('x-sandbox-problem')).toMatch(/^(path|method)/)
  })
  it('a wrong method needs no token to be refused', async () => {
    expect((await ask('PUT', '/api/v3/data/ohlc', { authorization: '' })).status).toBe(405)
  })
  it('what is not HTTP gets an answer too', async () => {
    expect(await raw('WHAT IS THIS\r\n\r\n')).toMatch(
      /^HTTP\/1.1 400 .*\r\n\r\n\{"code":"400","msg":"Invalid request"\}$/s,
    )
  })
  it.each([
    ['a field is missing', '{}', {}, 400, 'apiKey is required'],
    ['a field has another type', '{"apiKey":5}', {}, 400, 'Invalid request'],
    ['the body is not JSON', '{', {}, 400, 'Invalid request'],
    ['the content type is missing', '{}', { 'content-type': 'text/plain' }, 400, 'Invalid request'],
    ['the key is wrong', '{"apiKey":"x","apiSecret":"y"}', {}, 401, 'Invalid API key or secret'],
  ])('its code is a number on requestOtp: %s', async (_, body, headers, code, msg) => {
    const answer = await ask('POST', '/api/v3/auth/requestOtp', headers, body)
    expect([answer.status, answer.body]).toEqual([code, { code, msg }])
  })
  it('and also for a wrong method there', async () => {
    expect((await ask('GET', '/api/v3/auth/requestOtp')).body).toEqual({
      code: 405,
      msg: 'Method not allowed',
    })
  })
})

describe('a refused request names the field', () => {
  it.each([
    ['securitiesSummary?from=2025/11/20&to=2025/11/19', 'query to: is before from'],
    ['securitiesSummary?to=2025/11/19', 'query from: expected a day that exists, like 2025/11/20'],
    ['securitiesSummary?from=2025/11/20&to=2025/11/20&pageSize=0', 'query pageSize: expected a whole number'],
    ['securitiesByBoard?symbol=FPT&board=HOSE', 'query symbol, board, index: expected at most one'],
    ['indexSummary', 'query board, index: expected exactly one'],
    ['indexList?board=X', 'query board: Invalid option: expected one of "HOSE"|"HNX"|"UPCOM"'],
    ['ohlc?from=2025-11-20&to=2025-11-20', 'query symbol: is required'],
    [
      `ohlc?symbol=${'X'.repeat(41)}&from=2025-11-20&to=2025-11-20`,
      'query symbol: is longer than 40 characters',
    ],
  ])('%s', async (path, problem) => {
    const answer = await ask('GET', `/api/v3/data/${path}`)
    expect([answer.status, answer.body]).toEqual([400, INVALID])
    expect(answer.headers.get('x-sandbox-problem')).toContain(problem)
  })
  it('also in a body, and says what is wrong with a token or a header', async () => {
    const order = { accountNo, symbol: 'FPT', side: 'B', orderType: 'LO', quantity: '100', price: '13000' }
    const answer = await api.send('POST', `${TRADING}/order`, order)
    expect(answer.headers.get('x-sandbox-problem')).toBe(
      'body quantity: Invalid input: expected number, received string',
    )
    const problems = await Promise.all(
      [
        { authorization: '' },
        { authorization: 'Basic x' },
        { authorization: 'Bearer x' },
        { 'content-type': '' },
      ].map(async (headers) =>
        (await ask('GET', '/api/v3/data/indexList', headers)).headers.get('x-sandbox-problem'),
      ),
    )
    expect(problems).toEqual([
      'header Authorization: is missing; expected "Bearer <accessToken>"',
      'header Authorization: expected the form "Bearer <accessToken>"',
      'header Authorization: is not a valid access token of this sandbox, or expired',
      'header Content-Type: expected application/json on every request, GET included',
    ])
  })
})

describe('the request log', () => {
  it('has a line per request with its status and why it was refused', async () => {
    lines.length = 0
    await api.get('/api/v3/data/indexSummary', { board: 'HOSE' })
    await api.get('/api/v3/data/indexSummary', { board: 'NYSE' })
    const time = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z`
    expect(
      lines.map((line) => line.replace(new RegExp(`^${time}  `), '').replace(/[\d.]+ ms {2}\d+ bytes/, '…')),
    ).toEqual([
      '200  GET /api/v3/data/indexSummary?board=HOSE  …',
      '400  GET /api/v3/data/indexSummary?board=NYSE  …  (query board: Invalid option: expected one of "HOSE"|"HNX"|"UPCOM")',
    ])
  })
  it('has no key, password, token or signature, wherever they are sent', async () => {
    lines.length = 0
    const secrets = ['canary-key', 'canary-secret', '135791', 'canary-refresh', 'ca9a7e00', api.token]
    const [apiKey = '', apiSecret = '', otp = '', refreshToken = '', signature = ''] = secrets
    await api.post('/api/v3/auth/token', { apiKey, apiSecret, otp })
    await api.post('/api/v3/auth/refresh', { refreshToken })
    await api.send('POST', `${TRADING}/order`, { apiSecret }, { 'x-signature': signature })
    await api.get('/api/v3/data/indexList', { apiKey, apiSecret, otp, token: api.token })
    await ask('GET', `/api/v3/data/${api.token}`)
    await ask('GET', '/a%0d%0aforged%20line')
    expect(lines).toHaveLength(6)
    for (const secret of secrets) expect(lines.join('\n')).not.toContain(secret)
  })
})

describe('GET /', () => {
  it('names the API document, the guide and a first request that works, without a token', async () => {
    const response = await fetch(`${api.sandbox.url}/`)
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ])
    for (const part of [
      `${api.sandbox.url}/openapi.json`,
      'packages/sandbox/README.md',
      '2025/11/20 10:00:00 (UTC+7)',
    ])
      expect(text).toContain(part)
    const body = /-d '(.*)'/.exec(text)?.[1] ?? ''
    const other = await caller({ at: '10:00' })
    expect((await other.post('/api/v3/auth/token', JSON.parse(body))).status).toBe(200)
    await other.close()
  })
})
