import { type Effects, systemEffects } from 'candlehouse-foundation/effects'
import { afterEach, describe, expect, it } from 'vitest'
import { type Caller, caller } from './caller.js'

let api: Caller | undefined
afterEach(() => api?.close())

const key = ({ sandbox: { apiKey, apiSecret } }: Caller) => ({ apiKey, apiSecret })
const LIST = '/api/v3/data/indexList'

describe('tokens', () => {
  it('have the five fields of the specification, expiring in epoch seconds', async () => {
    api = await caller({ tokenTtlSeconds: 600 })
    const { status, body } = await api.post('/api/v3/auth/token', key(api))
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      'tokenType',
      'accessToken',
      'refreshToken',
      'expiresAt',
      'refreshExpiresAt',
    ])
    expect(body.tokenType).toBe('Bearer')
    expect(Math.abs(Number(body.expiresAt) - Date.now() / 1000 - 600)).toBeLessThan(5)
  })
  it('are needed on every read', async () => {
    api = await caller()
    const bad = await api.get(LIST, {}, { authorization: '' })
    expect(bad.status).toBe(401)
    expect(bad.body.code).toBe('401')
    expect((await api.get(LIST, {}, { authorization: 'Bearer x.y.z' })).status).toBe(401)
    const none = `${btoa('{"alg":"none"}')}.${btoa('{"use":"access"}')}.`.replaceAll('=', '')
    expect((await api.get(LIST, {}, { authorization: `Bearer ${none}` })).status).toBe(401)
  })
  it('without an OTP read market data only', async () => {
    api = await caller()
    expect((await api.get(LIST)).status).toBe(200)
    const refused = await api.get('/api/v3/account/info')
    expect([refused.status, refused.body.code]).toEqual([403, '403'])
  })
  it('expire', async () => {
    let now = Date.now()
    const effects: Effects = { ...systemEffects, now: () => now }
    api = await caller({ tokenTtlSeconds: 60 }, { effects })
    expect((await api.get(LIST)).status).toBe(200)
    now += 61_000
    expect((await api.get(LIST)).status).toBe(401)
  })
  it('end with the next login', async () => {
    api = await caller()
    await api.post('/api/v3/auth/token', key(api))
    expect((await api.get(LIST)).status).toBe(401)
  })
  it('of several keys are separate, and each key reads the accounts of its client', async () => {
    api = await caller({ keys: 2 })
    const service = api
    const bearers = await Promise.all(
      service.sandbox.keys.map(async ({ apiKey, apiSecret }) => {
        const otp = service.sandbox.otp
        const { body } = await service.post('/api/v3/auth/token', { apiKey, apiSecret, otp })
        return { authorization: `Bearer ${body.accessToken}` }
      }),
    )
    const accounts = await Promise.all(
      bearers.map(async (bearer) =>
        (await service.get('/api/v3/account/info', {}, bearer)).list.map(({ accountNo }) => accountNo),
      ),
    )
    expect(accounts).toEqual([
      ['0881234561', '0881234566', '0881234568'],
      ['0992345671', '0992345678'],
    ])
    const query = { accountNo: '0881234561' }
    const path = '/api/v3/trading/accountBalance'
    expect((await service.get(path, query, bearers[0])).status).toBe(200)
    expect((await service.get(path, query, bearers[1])).status).toBe(400)
    const crossed = { apiKey: 'sandbox-key-2', apiSecret: 'sandbox-secret' }
    expect((await service.post('/api/v3/auth/token', crossed)).status).toBe(401)
  })
  it('rotate: a refresh token works once, and its reuse revokes the session', async () => {
    api = await caller()
    const first = await api.post('/api/v3/auth/token', key(api))
    const second = await api.post('/api/v3/auth/refresh', { refreshToken: first.body.refreshToken })
    expect(second.status).toBe(200)
    const bearer = { authorization: `Bearer ${second.body.accessToken}` }
    expect((await api.get(LIST, {}, bearer)).status).toBe(200)
    expect((await api.post('/api/v3/auth/refresh', { refreshToken: first.body.refreshToken })).status).toBe(
      401,
    )
    expect((await api.get(LIST, {}, bearer)).status).toBe(401)
  })
  it('are refused for a wrong secret, and 400 for a missing one', async () => {
    api = await caller()
    expect((await api.post('/api/v3/auth/token', { ...key(api), apiSecret: 'no' })).status).toBe(401)
    const missing = await api.post('/api/v3/auth/token', { apiKey: 'x' })
    expect(missing.body).toEqual({ code: '400', msg: 'Invalid request' })
  })
})

describe('one-time passwords', () => {
  it('answer a missing field with its name and a numeric error code', async () => {
    api = await caller()
    const { body } = await api.post('/api/v3/auth/requestOtp', key(api))
    expect(Object.keys(body)).toEqual(['message', 'transactionId'])
    const missing = await api.post('/api/v3/auth/requestOtp', { apiSecret: 'x' })
    expect([missing.status, missing.body]).toEqual([400, { code: 400, msg: 'apiKey is required' }])
  })
  it('cannot be guessed: five wrong ones lock them', async () => {
    api = await caller()
    for (let i = 0; i < 5; i++) {
      expect((await api.post('/api/v3/auth/token', { ...key(api), otp: '000000' })).status).toBe(401)
    }
    expect((await api.post('/api/v3/auth/token', { ...key(api), otp: api.sandbox.otp })).status).toBe(403)
  })
  it('of the Smart kind are pending first, then approved', async () => {
    api = await caller()
    const { body } = await api.post('/api/v3/auth/requestOtp', key(api))
    const poll = { ...key(api), transactionId: body.transactionId }
    const pending = await api.post('/api/v3/auth/token', poll)
    expect([pending.status, pending.body.code]).toEqual([202, 401114])
    const approved = await api.post('/api/v3/auth/token', poll)
    const bearer = { authorization: `Bearer ${approved.body.accessToken}` }
    expect((await api.get('/api/v3/account/info', {}, bearer)).status).toBe(200)
  })
})
