import { type Effects, systemEffects } from 'candlehouse-foundation/effects'
import { instantOf } from 'candlehouse-foundation/market/day'
import { afterEach, describe, expect, it } from 'vitest'
import { startSandbox } from '../src/index.js'
import type { SandboxOptions } from '../src/options.js'
import { type Caller, caller } from './caller.js'

let api: Caller | undefined
afterEach(() => api?.close())

const SUMMARY = '/api/v3/data/securitiesSummary'
const OHLC = '/api/v3/data/ohlc'
const range = { from: '2025/11/17', to: '2025/11/20' }
const candles = { symbol: 'FPT', from: '2025-11-17', to: '2025-11-20', timeFrame: '1m' }

describe('options that a program wrote', () => {
  it.each<[string, SandboxOptions]>([
    ['date', { date: '2025-02-29' }],
    ['at', { date: '2025-12-05', at: '25:00' }],
    ['trade', { date: '2025-12-05', trade: '9:30' }],
    ['forcedSale', { date: '2025-12-05', forcedSale: '10:70' }],
    ['marginRatios', { marginRatios: { call: 30, sell: 40 } }],
    ['lending.FPT', { lending: { FPT: 80 } }],
    ['lending.FPT', { lending: { FPT: Number.NaN } }],
  ])('are refused by name: %s', async (name, options) => {
    await expect(startSandbox(options)).rejects.toThrow(`option ${name} of the sandbox`)
  })
  it.each([
    [{ dialekt: 'live' }, 'the sandbox has no option dialekt: did you mean dialect?'],
    [{ rateLimits: { limit: 5, windowSeconds: 1 } }, 'did you mean rateLimit?'],
    [{ SEED: 2 }, 'did you mean seed?'],
    [{ nonsense: undefined }, 'the sandbox has no option nonsense'],
    [{ dialect: 'life' }, 'option dialect of the sandbox: expected one of spec, live'],
    [{ universe: 'whole' }, 'option universe of the sandbox: expected one of demo, full'],
    [{ rateLimit: 5 }, 'option rateLimit of the sandbox: expected a limit and its window'],
    [{ rateLimit: { limits: 5, windowSeconds: 1 } }, 'option rateLimit of the sandbox'],
    [{ keys: 9 }, 'option keys of the sandbox: expected a whole number from 1 to 3'],
    [{ impact: 'yes' }, 'option impact of the sandbox: expected true or false'],
    [{ faults: 'drop' }, 'option faults of the sandbox: expected a list of faults'],
    [{ faults: [{ route: '/order', nth: 1, fault: { kind: 'dorp' } }] }, 'option faults.0 of the sandbox'],
    [{ restate: {} }, 'option restate of the sandbox'],
    [null, 'the options of the sandbox are an object'],
  ])('of a program without types are refused too: %j', async (options, problem) => {
    await expect(startSandbox(options as SandboxOptions)).rejects.toThrow(problem)
  })
})

describe('a deployment', () => {
  it('caps a page silently', async () => {
    api = await caller({ pageCap: 50 })
    const { body } = await api.get(SUMMARY, { ...range, pageSize: '1000' })
    expect([body.pageSize, body.data.length]).toEqual([50, 50])
  })
  it('refuses a page that is too large', async () => {
    api = await caller({ pageSizeRefusedAbove: 100 })
    expect((await api.get(SUMMARY, { ...range, pageSize: '101' })).status).toBe(400)
    expect((await api.get(SUMMARY, { ...range, pageSize: '100' })).status).toBe(200)
  })
  it.each([
    ['DD/MM/YYYY', '17/11/2025', '17/11/2025 09:15:00'],
    ['iso', '2025-11-17', '2025-11-17T09:15:00'],
  ] as const)('writes dates as %s', async (dateFormat, day, bar) => {
    api = await caller({ dateFormat })
    expect((await api.get(SUMMARY, range)).body.data[0]?.tradingDate).toBe(day)
    expect((await api.get(OHLC, candles)).body.data[0]?.tradingDate).toBe(bar)
  })
  it('answers candles newest first and without counts', async () => {
    api = await caller({ ohlcOrder: 'newest', ohlcCounts: false })
    const newest = (await api.get(OHLC, { ...candles, pageSize: '5000' })).body
    expect(Object.keys(newest)).toEqual(['pageSize', 'pageNumber', 'data'])
    const dates = newest.data.map(({ tradingDate }) => String(tradingDate))
    expect(dates).toEqual([...dates].sort().reverse())
    const page = (await api.get(OHLC, { ...candles, pageSize: '300', pageIndex: '2' })).body.data
    expect(page).toEqual(newest.data.slice(300, 600))
  })
  it('answers empty results with code 204', async () => {
    api = await caller({ emptyAs: 'code204' })
    const empty = { status: 200, body: { code: 204 } }
    expect(await api.get(SUMMARY, { ...range, symbol: 'NOPE' })).toMatchObject(empty)
    expect(await api.get('/api/v3/data/securitiesByBoard', { symbol: 'NOPE' })).toMatchObject(empty)
  })
  it('stops its clock inside a session: bars until then, limits of the day', async () => {
    api = await caller({ now: instantOf('2025-11-20', '10:00') })
    const rows = (await api.get(OHLC, { ...candles, from: '2025-11-20', pageSize: '400' })).body.data
    expect(rows.at(-1)?.tradingDate).toBe('2025/11/20 09:59:00')
    const [day] = (await api.get(SUMMARY, { symbol: 'FPT', from: '2025/11/20', to: '2025/11/20' })).body.data
    expect(Number(day?.totalMatch)).toBe(rows.reduce((sum, { volume }) => sum + Number(volume), 0))
  })
  it('has limits before the opening but no trades', async () => {
    api = await caller({ now: instantOf('2025-11-20', '08:30') })
    expect((await api.get('/api/v3/data/masterdata')).body.data[0]?.tradingDate).toBe('2025/11/20')
    expect((await api.get('/api/v3/data/indexSummary', { index: 'VN30' })).list[0]?.tradingDate).toBe(
      '2025/11/19',
    )
  })
  it('answers a past day the same for every today', async () => {
    const ask = async (date: string) => {
      const one = await caller({ date })
      const answer = [
        (await one.get(SUMMARY, { ...range, pageSize: '500' })).text,
        (await one.get(OHLC, candles)).text,
      ]
      await one.close()
      return answer
    }
    expect(await ask('2025-11-20')).toEqual(await ask('2026-03-02'))
  })
})

describe('rate limits', () => {
  it('are in the headers of every answer, refusals included', async () => {
    api = await caller()
    for (const path of [OHLC, '/api/v3/account/info', '/nothing', '/openapi.json']) {
      const { headers } = await api.get(path)
      for (const header of ['X-RATELIMIT-LIMIT', 'X-RATELIMIT-REMAINING', 'X-RATELIMIT-RESET']) {
        expect(headers.get(header), path).toMatch(/^\d+$/)
      }
    }
  })
  it('answer 429 until the window ends', async () => {
    let now = Date.now()
    const effects: Effects = { ...systemEffects, now: () => now }
    api = await caller({ rateLimit: { limit: 3, windowSeconds: 10 } }, { effects })
    const list = () => (api as Caller).get('/api/v3/data/indexList')
    expect((await list()).headers.get('x-ratelimit-remaining')).toBe('1')
    await list()
    const refused = await list()
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      '429',
      '10',
    ])
    now += 10_000
    expect((await list()).status).toBe(200)
  })
})

describe('compression', () => {
  it('is used only when the client accepts it', async () => {
    api = await caller()
    const query = { ...candles, pageSize: '500' }
    const packed = await api.get(OHLC, query, { 'accept-encoding': 'gzip' })
    const plain = await api.get(OHLC, query, { 'accept-encoding': 'identity' })
    expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
      'gzip',
      null,
    ])
    expect(packed.text).toBe(plain.text)
  })
})
