import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type Effects, systemEffects } from 'candlehouse-foundation/effects'
import { afterEach, describe, expect, it } from 'vitest'
import type { Fault } from '../src/index.js'
import { startWithEffects } from '../src/start.js'
import { type Caller, caller } from './caller.js'

let api: Caller | undefined
afterEach(() => api?.close())

const SUMMARY = '/api/v3/data/securitiesSummary'
const query = { symbol: 'FPT', from: '2025/11/10', to: '2025/11/20' }
const onSecond = (fault: Fault) => ({ faults: [{ route: 'securitiesSummary', nth: 2, fault }] })

describe('planned faults of the transport', () => {
  it('answer HTML from a gateway', async () => {
    api = await caller(
      onSecond({
        kind: 'status',
        status: 502,
        body: '<h1>Bad Gateway</h1>',
        headers: { 'content-type': 'text/html' },
      }),
    )
    await api.get(SUMMARY, query)
    const { headers, text } = await api.get(SUMMARY, query)
    expect([headers.get('content-type'), text]).toEqual(['text/html', '<h1>Bad Gateway</h1>'])
  })

  it('drop the connection in the middle of the body', async () => {
    api = await caller(onSecond({ kind: 'drop' }))
    await api.get(SUMMARY, query)
    await expect(api.get(SUMMARY, query)).rejects.toThrow()
    expect((await api.get(SUMMARY, query)).status).toBe(200)
  })

  it('close the connection before an answer', async () => {
    api = await caller(onSecond({ kind: 'reset' }))
    await api.get(SUMMARY, query)
    await expect(api.get(SUMMARY, query)).rejects.toThrow()
    expect((await api.get(SUMMARY, query)).status).toBe(200)
  })

  it('put headers on an answer that is otherwise right', async () => {
    api = await caller(onSecond({ kind: 'headers', headers: { 'x-ratelimit-remaining': '0' } }))
    await api.get(SUMMARY, query)
    const { status, headers } = await api.get(SUMMARY, query)
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '0'])
  })

  it('cut a gzip answer short', async () => {
    api = await caller(onSecond({ kind: 'truncateGzip' }))
    await api.get(SUMMARY, query)
    // Read below fetch, which may or may not notice: the bytes themselves have to be short.
    const url = `${api.sandbox.url}${SUMMARY}?${new URLSearchParams(query)}`
    const headers = {
      authorization: `Bearer ${api.token}`,
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
    }
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      get(url, { headers, agent: false }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve(Buffer.concat(chunks)))
      }).on('error', reject)
    })
    expect(bytes.length).toBeGreaterThan(100)
    expect(() => gunzipSync(bytes)).toThrow(/unexpected end/)
  })

  it('truncate the JSON with a clean end', async () => {
    api = await caller(onSecond({ kind: 'truncate' }))
    await api.get(SUMMARY, query)
    const { status, text } = await api.get(SUMMARY, query)
    expect(status).toBe(200)
    expect(() => JSON.parse(text)).toThrow()
  })

  it('delay through the effects they were given', async () => {
    const slept: number[] = []
    const effects: Effects = {
      ...systemEffects,
      sleep: (ms) => {
        slept.push(ms)
        return Promise.resolve()
      },
    }
    api = await caller(onSecond({ kind: 'delay', ms: 30_000 }), { effects })
    await api.get(SUMMARY, query)
    await api.get(SUMMARY, query)
    expect(slept).toEqual([30_000])
  })
})

it.each([
  ['a planned delay', { faults: [{ route: 'indexList', nth: 1, fault: { kind: 'delay', ms: 60_000 } }] }],
  ['latency', { latencyMs: 60_000 }],
] as const)('no timer of %s outlives the service', async (_, options) => {
  let begin: (signal: AbortSignal | undefined) => void = () => undefined
  const begun = new Promise<AbortSignal | undefined>((resolve) => {
    begin = resolve
  })
  const effects: Effects = {
    ...systemEffects,
    sleep: (_ms, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
        begin(signal)
      }),
  }
  const sandbox = await startWithEffects(options, effects)
  const answer = fetch(`${sandbox.url}/api/v3/data/indexList`).then(
    () => 'answered',
    () => 'nothing',
  )
  const signal = await begun
  await sandbox.close()
  expect(signal?.aborted).toBe(true)
  expect(await answer).toBe('nothing')
})

describe('planned faults of the records', () => {
  it('miscount, repeat and change rows', async () => {
    api = await caller({
      faults: [
        { route: 'securitiesSummary', nth: 1, fault: { kind: 'itemsCount', by: 3 } },
        {
          route: 'securitiesSummary',
          nth: 2,
          fault: { kind: 'duplicateRow', row: 1, change: { open: '1' } },
        },
        {
          route: 'securitiesSummary',
          nth: 3,
          fault: { kind: 'mutate', symbol: 'FPT', field: 'close', value: 'NaN' },
        },
        { route: 'securitiesSummary', nth: 4, fault: { kind: 'body', body: 'null' } },
      ],
    })
    const count = (await api.get(SUMMARY, query)).body
    expect(count.itemsCount).toBe(count.data.length + 3)
    const twice = (await api.get(SUMMARY, query)).body.data
    expect(twice[2]).toEqual({ ...twice[1], open: '1' })
    expect((await api.get(SUMMARY, query)).body.data.every(({ close }) => close === 'NaN')).toBe(true)
    expect((await api.get(SUMMARY, query)).text).toBe('null')
  })

  it('restate a value everywhere it is answered, or on one route', async () => {
    api = await caller({
      restate: [
        { symbol: 'FPT', tradingDate: '2025-11-20', field: 'close', value: '99900' },
        { symbol: 'FPT', tradingDate: '2025-11-20 10:00:00', field: 'volume', value: '7', route: 'ohlc' },
      ],
    })
    const rows = (await api.get(SUMMARY, { ...query, pageSize: '100' })).body.data
    expect(rows.at(-1)?.close).toBe('99900')
    expect(rows.at(-2)?.close).not.toBe('99900')
    const at = { symbol: 'FPT', from: '2025-11-20', to: '2025-11-20' }
    expect((await api.get('/api/v3/data/ohlc', at)).body.data[0]?.close).toBe('99900')
    const minutes = (await api.get('/api/v3/data/ohlc', { ...at, timeFrame: '1m', pageSize: '400' })).body
      .data
    expect(minutes.filter(({ volume }) => volume === '7').map(({ tradingDate }) => tradingDate)).toEqual([
      '2025/11/20 10:00:00',
    ])
  })
})

describe('planned faults', () => {
  it('strike the nth call of their route and no other', async () => {
    api = await caller(onSecond({ kind: 'status', status: 503, headers: { 'retry-after': '7' } }))
    expect((await api.get(SUMMARY, query)).status).toBe(200)
    const struck = await api.get(SUMMARY, query)
    expect([struck.status, struck.headers.get('retry-after')]).toEqual([503, '7'])
    expect((await api.get(SUMMARY, query)).status).toBe(200)
  })

  it('count only the calls whose query they name', async () => {
    api = await caller({
      faults: [
        {
          route: 'securitiesSummary',
          nth: 1,
          query: { symbol: 'VNM' },
          fault: { kind: 'status', status: 500 },
        },
      ],
    })
    expect((await api.get(SUMMARY, query)).status).toBe(200)
    expect((await api.get(SUMMARY, { ...query, symbol: 'VNM' })).status).toBe(500)
  })

  it('expire the token once', async () => {
    api = await caller(onSecond({ kind: 'expiredToken' }))
    await api.get(SUMMARY, query)
    expect((await api.get(SUMMARY, query)).status).toBe(401)
    expect((await api.get(SUMMARY, query)).status).toBe(200)
  })
})
