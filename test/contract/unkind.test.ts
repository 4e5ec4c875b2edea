// Services that are less kind than real ones are known to be: what they do must never make a check "broken".

import { generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { onEnd } from '../support/cleanup.js'
import { EFFECT_NAMES, type EffectName } from './effects.js'
import type { Outside } from './outside.js'
import { Probe } from './probe.js'
import { CHECKS, type Outcome, type Result, type Run, runSuite } from './suite.js'
import { type Bench, openBench } from './virtual-outside.js'

const ALL: ReadonlySet<EffectName> = new Set(EFFECT_NAMES)
const TOKEN = '/api/v3/auth/token'

async function bench(options: Parameters<typeof openBench>[0] = {}): Promise<Bench> {
  const opened = await openBench(options)
  onEnd(() => opened.sandbox.close())
  return opened
}

interface Request {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly authorization: string | undefined
  readonly signal: AbortSignal | undefined
}

/** Stands between suite and sandbox: what it returns is the answer, what it returns nothing for goes on. */
type Double = (request: Request, at: number) => Response | Promise<Response | undefined> | undefined

function through(outside: Outside, double: Double): { outside: Outside; seen: Request[] } {
  const seen: Request[] = []
  const fetching: typeof fetch = async (input, init = {}) => {
    const headers = (init.headers ?? {}) as Record<string, string>
    const request = {
      method: init.method ?? 'GET',
      path: new URL(String(input)).pathname,
      body: typeof init.body === 'string' ? init.body : '',
      authorization: headers.authorization,
      signal: init.signal ?? undefined,
    }
    seen.push(request)
    return (await double(request, seen.length)) ?? (await outside.fetch(input, init))
  }
  return { outside: { ...outside, fetch: fetching }, seen }
}

const plain = (status: number, headers: Record<string, string> = {}, body = '{"code":"1","msg":"x"}') =>
  new Response(body, { status, headers })

const counts = ({ outcomes }: Run): Record<Result, number> => {
  const counts = { kept: 0, known: 0, broken: 0, skipped: 0 }
  for (const { result } of outcomes) counts[result]++
  return counts
}
const ids = (outcomes: readonly Outcome[], result: Result): string[] =>
  outcomes.filter((outcome) => outcome.result === result).map(({ id }) => id)

test('a buy at the floor is of a share whose price is far above it; where none is, no order is placed', async () => {
  const { target, outside } = await bench({ singleUseOtp: false })
  const orders = async (atFloor: (symbol: string) => boolean) => {
    const falling = through(outside, () => undefined)
    const fetching: typeof fetch = async (input, init) => {
      const response = await falling.outside.fetch(input, init)
      const url = new URL(String(input))
      if (!url.pathname.endsWith('/securitiesSummary') || !atFloor(url.searchParams.get('symbol') ?? ''))
        return response
      const text = (await response.text()).replaceAll(/"low":"\d+"/g, '"low":"1"')
      return new Response(text, { status: response.status, headers: response.headers })
    }
    const run = await runSuite(
      target(),
      { allowed: new Set<EffectName>(['orders']), only: ['order-place'] },
      { ...outside, fetch: fetching },
    )
    const placed = falling.seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/order'))
    const symbols = placed.map(({ body }) => (JSON.parse(body) as { symbol: string }).symbol)
    return { outcome: run.outcomes[0], symbols }
  }
  const usual = await orders(() => false)
  expect(usual.outcome?.result).toBe('kept')
  const other = await orders((symbol) => symbol === usual.symbols[0])
  expect(other.outcome?.result).toBe('kept')
  expect(other.symbols).not.toContain(usual.symbols[0])
  const none = await orders(() => true)
  expect(none.outcome).toMatchObject({ result: 'skipped', why: expect.stringContaining('near its floor') })
  expect(none.symbols).toEqual([])
})

test.each(['secret+body hex sha256=', 'body hex', 'body base64', 'secret+body base64 sha256='])(
  'orders are signed as %s',
  async (signatureForm) => {
    const { target, outside, sandbox } = await bench()
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const signed: { signature: string; body: string }[] = []
    const fetching: typeof fetch = (input, init) => {
      const { 'x-signature': signature } = (init?.headers ?? {}) as Record<string, string>
      if (signature) signed.push({ signature, body: String(init?.body) })
      return outside.fetch(input, init)
    }
    const probe = new Probe(target({ signingKey, signatureForm }), ALL, { ...outside, fetch: fetching })
    await probe.write('DELETE', '/api/v3/trading/order', { accountNo: '0881234561', orderId: 'none' })
    const [{ signature, body } = { signature: '', body: '' }] = signed
    const hasPrefix = signatureForm.endsWith('sha256=')
    expect(signature.startsWith('sha256=')).toBe(hasPrefix)
    const encoding = signatureForm.includes('base64') ? 'base64' : 'hex'
    const bytes = Buffer.from(hasPrefix ? signature.slice('sha256='.length) : signature, encoding)
    const data = signatureForm.startsWith('secret+') ? sandbox.apiSecret + body : body
    expect(verify('sha256', Buffer.from(data), publicKey, bytes)).toBe(true)
  },
)

test('429 in every form is waited for, of writes too', async () => {
  const { target, outside, sandbox } = await bench()
  const now = outside.now()
  const forms = [
    {},
    { 'retry-after': '7' },
    { 'retry-after': new Date(now + 9_000).toUTCString(), date: new Date(now).toUTCString() },
    { 'x-ratelimit-reset': String(now + 5_000) },
    { 'x-ratelimit-reset': '4' },
    { 'x-ratelimit-reset': 'soon' },
    { 'x-ratelimit-reset': '4102444800' },
  ]
  let refused = 0
  const double = through(outside, ({ method, path }, at) =>
    at % (method === 'GET' || path.includes('/auth/') ? 7 : 41) === 0
      ? plain(429, forms[refused++ % forms.length])
      : undefined,
  )
  const run = await runSuite(target(), { allowed: ALL, choices: true }, double.outside)
  expect(refused).toBeGreaterThan(25)
  expect(counts(run)).toEqual({ kept: CHECKS.length, known: 0, broken: 0, skipped: 0 })
  expect(run.openOrders).toEqual([])
  expect(sandbox.requests()).toBeGreaterThan(250)
})

test('reads survive resets, gateways, half bodies and answers that never come', async () => {
  const { target, outside } = await bench()
  const faults: Double[] = [
    () => Promise.reject(new TypeError('fetch failed')),
    () => plain(502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>'),
    () => plain(503, { 'retry-after': '30' }),
    () => plain(200, {}, '[{"symbol":"AC'),
    () => plain(500),
    () => Promise.reject(new DOMException('late', 'TimeoutError')),
  ]
  let failed = 0
  const double = through(outside, (request, at) =>
    request.method === 'GET' && at % 5 === 0 ? faults[failed++ % faults.length]?.(request, at) : undefined,
  )
  const run = await runSuite(target(), { choices: true }, double.outside)
  expect(failed).toBeGreaterThan(30)
  expect(counts(run)).toMatchObject({ known: 0, broken: 0 })
  expect(
    ids(run.outcomes, 'skipped').every((id) =>
      /^(order|fco|choice|otp|refresh|bearer|token|market)-?/.test(id),
    ),
  ).toBe(true)
  expect(run.stopped).toBeUndefined()
})

test('a service that does otherwise where the specification is silent breaks nothing', async () => {
  const { target, outside } = await bench()
  const double = through(outside, ({ path }) =>
    path.endsWith('/maxBuySell') ? plain(200, {}, '{"data":{}}') : undefined,
  )
  const only = ['choice-max-of-unknown-symbol']
  const run = await runSuite(target(), { choices: true, only }, double.outside)
  expect(run.outcomes).toMatchObject([
    { result: 'known', sections: ['docs/decisions/0058-what-the-specification-leaves-open.md'] },
  ])
})

test('a clock that stands lets no order reach the exchange: its change is not looked at', async () => {
  const { target, outside } = await bench()
  const only = ['choice-contradictory-change']
  const standing = { ...target(), onPass: () => Promise.resolve() }
  const run = await runSuite(standing, { allowed: ALL, choices: true, only }, outside)
  expect(run.outcomes).toMatchObject([{ result: 'skipped', why: expect.stringContaining('exchange') }])
})

test('a service that hangs is given up at the deadline, and the run stops without a result for the rest', async () => {
  const { target, outside } = await bench()
  const held = new AbortController()
  const double = through({ ...outside, deadline: () => held.signal }, ({ path, signal }) => {
    if (!path.endsWith('/masterdata')) return undefined
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
      if (signal?.aborted) reject(signal.reason as Error)
      held.abort(new DOMException('late', 'TimeoutError'))
    })
  })
  const run = await runSuite(target(), {}, double.outside)
  expect(run.stopped).toMatchObject({ kind: 'service' })
  expect(run.stopped?.why).toMatch(/no answer in time, 5 times/)
  expect(counts(run)).toMatchObject({ broken: 0, known: 0 })
})

test('a wait that exceeds the patience of the owner stops the run', async () => {
  const { target, outside, waited } = await bench()
  const double = through(outside, (_, at) => (at > 20 ? plain(429, { 'retry-after': '90000' }) : undefined))
  const run = await runSuite(target(), {}, double.outside)
  expect(run.stopped?.why).toMatch(/90000 s exceeds --patience/)
  expect(waited()).toBeLessThan(60_000)
  expect(counts(run).broken).toBe(0)
})

test('only reads, unless effects are allowed by name: no secret, no forged token, no request for a password', async () => {
  const { target, outside, sandbox } = await bench({ dialect: 'live' })
  const { seen, ...double } = through(outside, () => undefined)
  const run = await runSuite(target(), { choices: true }, double.outside)
  expect(counts(run).broken).toBe(0)
  const writes = seen.filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual([`POST ${TOKEN}`])
  expect(JSON.parse(writes[0]?.body ?? '')).toEqual({
    apiKey: sandbox.apiKey,
    apiSecret: sandbox.apiSecret,
    otp: sandbox.otp,
  })
  const tokens = new Set(seen.map(({ authorization }) => authorization?.replace(/^bearer /i, '')))
  // One token, in every request but the login and the one that has to be refused without it.
  expect([...tokens].filter(Boolean)).toHaveLength(1)
  expect(seen.filter(({ authorization }) => authorization === undefined)).toHaveLength(2)
})

test('a session that is stolen in the middle stops the run; with --resume it goes on where it was', async () => {
  const one = await bench({ dialect: 'live', onOtp: (otp) => passwords.push(otp) })
  const { target, outside, sandbox, post } = one
  const { apiKey, apiSecret } = sandbox
  const double = through(outside, async (_, at) => {
    if (at === 150) await post(TOKEN, { apiKey, apiSecret })
    return undefined
  })
  const first = await runSuite(target(), { allowed: new Set(['orders']) }, double.outside)
  expect(first.stopped).toMatchObject({ kind: 'session' })
  expect(first.stopped?.why).toContain('docs/market-facts.md#one-session-per-key')
  expect(counts(first).broken).toBe(0)
  const settled = first.outcomes.filter(({ result }) => result !== 'skipped')
  expect(settled.length).toBeGreaterThan(20)
  // The next request tells: two of the run are refused, the one that met it and the one that made sure.
  expect(double.seen.length).toBeLessThan(155)

  const otp = await sentPassword(one)
  const again = through(outside, () => undefined)
  const second = await runSuite(
    target({ signIn: { by: 'otp', otp } }),
    { allowed: new Set(['orders']), earlier: settled },
    again.outside,
  )
  expect(second.stopped).toBeUndefined()
  expect(second.outcomes.map(({ id }) => id)).toEqual(CHECKS.map(({ id }) => id))
  expect(counts(second).broken).toBe(0)
  expect(again.seen.length).toBeLessThan(260)
})

/** A password of the sandbox's phone: guesses are not needed, the log of the sandbox has it. */
async function sentPassword({ sandbox, post }: Bench): Promise<string> {
  const { apiKey, apiSecret } = sandbox
  await post('/api/v3/auth/requestOtp', { apiKey, apiSecret })
  return passwords.at(-1) ?? ''
}
const passwords: string[] = []

test.each([
  ['the login', TOKEN, 'POST', 1],
  ['an order', '/api/v3/trading/order', 'POST', 1],
  ['a cancel', '/api/v3/trading/order', 'DELETE', 2],
])('%s whose answer is lost is not sent again', async (_, path, method, most) => {
  const { target, outside } = await bench()
  let lost = 0
  const double = through(outside, async (request) => {
    if (request.path !== path || request.method !== method || lost > 0) return undefined
    lost++
    throw new TypeError('fetch failed')
  })
  const only = CHECKS.filter(({ effect }) => effect === 'orders').map(({ id }) => id)
  const run = await runSuite(target(), { allowed: ALL, only }, double.outside)
  expect(run.stopped).toMatchObject({ kind: 'service' })
  expect(counts(run).broken).toBe(0)
  const sent = double.seen.filter((request) => request.path === path && request.method === method)
  expect(sent.length).toBeLessThanOrEqual(most)
  if (path.endsWith('/order') && method === 'POST')
    expect(run.openOrders).toEqual([
      expect.stringMatching(/^an order, B 100 \w+ at \d+: its answer was lost/),
    ])
})

test('positions and orders without the object data are known, not broken', async () => {
  const { target, outside } = await bench()
  const unwrapped: typeof fetch = async (input, init) => {
    const response = await outside.fetch(input, init)
    const { status, headers } = response
    const text = await response.text()
    const isWrapped = status === 200 && /\/(position|orderBook)$/.test(new URL(String(input)).pathname)
    const body = isWrapped ? JSON.stringify((JSON.parse(text) as { data: unknown }).data) : text
    return new Response(body, { status, headers })
  }
  const run = await runSuite(target(), { allowed: ALL, choices: true }, { ...outside, fetch: unwrapped })
  expect(ids(run.outcomes, 'broken')).toEqual([])
  expect(ids(run.outcomes, 'known')).toEqual(
    expect.arrayContaining(['position-shape', 'order-book-shape', 'order-in-book']),
  )
})

test('a login that gives a token for market data only is not a broken service', async () => {
  const { target, outside } = await bench()
  const run = await runSuite(target({ signIn: { by: 'otp', otp: '' } }), { allowed: ALL }, outside)
  expect(ids(run.outcomes, 'broken')).toEqual([])
  const position = run.outcomes.find(({ id }) => id === 'position-shape')
  expect(position).toMatchObject({
    result: 'skipped',
    why: expect.stringContaining('may not read accounts'),
  })
})

test('a refused login is not tried again', async () => {
  const { target, outside } = await bench()
  const double = through(outside, () => undefined)
  const run = await runSuite(
    target({ signIn: { by: 'otp', otp: '000000' } }),
    { allowed: ALL },
    double.outside,
  )
  expect(run.stopped).toMatchObject({ kind: 'credentials' })
  expect(counts(run)).toMatchObject({ broken: 0, kept: 1 })
  const logins = double.seen.filter(({ path, body }) => path === TOKEN && body.includes('otp'))
  expect(logins).toHaveLength(1)
})

test('a password that is sent, and an approval in the mobile app, are waited for; their answers are the check', async () => {
  const sent = await bench({ onOtp: (otp) => passwords.push(otp) })
  const asked = await runSuite(
    sent.target({ signIn: { by: 'sent-otp', ask: () => Promise.resolve(passwords.at(-1) ?? '') } }),
    { only: ['token-shape', 'account-info', 'otp-request'] },
    sent.outside,
  )
  expect(counts(asked)).toEqual({ kept: 3, known: 0, broken: 0, skipped: 0 })
  expect(asked.sent.requests.get('POST /api/v3/auth/requestOtp')).toBe(1)

  const smart = await bench()
  const approved = await runSuite(
    smart.target({ signIn: { by: 'smart-otp', sleep: smart.outside.sleep } }),
    { only: ['token-shape', 'account-info', 'otp-request'] },
    smart.outside,
  )
  expect(counts(approved)).toEqual({ kept: 3, known: 0, broken: 0, skipped: 0 })

  const refused = await bench({ smartOtp: 'manual' })
  const waiting = await runSuite(
    refused.target({ signIn: { by: 'smart-otp', sleep: refused.outside.sleep } }),
    { only: ['token-shape'] },
    refused.outside,
  )
  expect(waiting.stopped).toMatchObject({ kind: 'credentials' })
  expect(counts(waiting).broken).toBe(0)
})

test('beside a nightly it logs in never, follows a refresh, and leaves the session alive', async () => {
  const { target, outside, sandbox, post } = await bench({ dialect: 'live' })
  const { apiKey, apiSecret, otp, url } = sandbox
  let nightly = await post(TOKEN, { apiKey, apiSecret, otp })
  let file = String(nightly.accessToken)
  let isStored = true
  const sleep = (ms: number): Promise<void> => {
    // The nightly stores its new tokens a moment after the service gave them.
    if (!isStored) file = String(nightly.accessToken)
    isStored = true
    return outside.sleep(ms)
  }
  const double = through({ ...outside, sleep }, async (_, at) => {
    if (at === 60 || at === 120) {
      nightly = await post('/api/v3/auth/refresh', { refreshToken: nightly.refreshToken })
      isStored = false
    }
    return undefined
  })
  const run = await runSuite(
    target({ apiKey: '', apiSecret: '', signIn: { by: 'file', read: () => file } }),
    { allowed: new Set(['second-login', 'refresh']) },
    double.outside,
  )
  expect(run.stopped).toBeUndefined()
  expect(counts(run).broken).toBe(0)
  expect(double.seen.filter(({ method }) => method !== 'GET')).toEqual([])
  const alive = await fetch(`${url}/api/v3/account/info`, {
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${String(nightly.accessToken)}`,
    },
  })
  expect(alive.status).toBe(200)
})

test('figures that move with every answer cannot be compared: skipped, not broken', async () => {
  const { target, outside } = await bench()
  let moves = 0
  const moving =
    /"(close|value|totalMatch|indexValue|withdrawable|accountBalance|ee|floatingPL|filledQty)":"-?\d+(\.\d+)?"/g
  const double = through(outside, () => undefined)
  const fetching: typeof fetch = async (input, init) => {
    const response = await double.outside.fetch(input, init)
    const { status, headers } = response
    // A close has to stay within its bar: others are free to move.
    const text = (await response.text()).replaceAll(moving, (all, name: string) =>
      name === 'close' ? all : `"${name}":"${++moves}"`,
    )
    return new Response(text, { status, headers })
  }
  const run = await runSuite(target(), {}, { ...outside, fetch: fetching })
  expect(ids(run.outcomes, 'broken')).toEqual([])
  const reasons = run.outcomes.filter(({ why }) => why.includes('move while they are compared'))
  expect(reasons.map(({ id }) => id)).toContain('accountBalance-client-id')
  expect(reasons.length).toBeGreaterThan(4)
})

test('an owner without a cash account, positions or orders is not a broken service', async () => {
  const { target, outside } = await bench()
  const double = through(outside, ({ path }) => {
    if (path.endsWith('/account/info'))
      return plain(200, {}, '[{"accountNo":"0881234568","accountType":"DERIVATIVE"}]')
    if (path.endsWith('/orderBook'))
      return plain(200, {}, '{"data":{"accountNo":"0881234568","totalRecord":0,"orderList":[]}}')
    return undefined
  })
  const run = await runSuite(target(), { allowed: new Set(['orders']) }, double.outside)
  expect(ids(run.outcomes, 'broken')).toEqual(['order-book-range', 'order-book-account'])
})

test('orders that the service refuses for its own reasons are skipped, and pages may be capped', async () => {
  const { target, outside } = await bench({ pageCap: 30 })
  const double = through(outside, ({ path, method }) =>
    method === 'POST' && path.endsWith('/order')
      ? plain(400, {}, '{"code":"4001","msg":"Not enough buying power"}')
      : undefined,
  )
  const run = await runSuite(target(), { allowed: new Set(['orders']) }, double.outside)
  expect(ids(run.outcomes, 'broken')).toEqual([])
  expect(ids(run.outcomes, 'skipped')).toContain('order-place')
})

test('an order that should have been refused is cancelled', async () => {
  const { target, outside, sandbox, post } = await bench()
  const { apiKey, apiSecret } = sandbox
  const blind: typeof fetch = (input, init = {}) =>
    outside.fetch(input, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'x-signature': '00ff' },
    })
  const run = await runSuite(
    target(),
    { allowed: new Set(['orders']), only: ['order-signature', 'fco-signature'] },
    { ...outside, fetch: blind },
  )
  expect(ids(run.outcomes, 'broken')).toEqual(['order-signature', 'fco-signature'])
  expect(run.openOrders).toEqual([])
  expect(run.sent.requests.get('DELETE /api/v3/trading/order')).toBeGreaterThan(0)
  expect(run.sent.requests.get('DELETE /api/v3/trading/fco/order')).toBeGreaterThan(0)
  await post('/api/v3/auth/requestOtp', { apiKey, apiSecret })
})
