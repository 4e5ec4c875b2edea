import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from './caller.js'

let api: Caller
beforeAll(async () => {
  api = await caller({ rateLimit: { limit: 1_000, windowSeconds: 60 } })
})
afterAll(() => api.close())
afterEach(() => fault('DELETE'))

const LIST = '/api/v3/data/indexList'

/** A request about the sandbox: it needs no token. */
async function fault(method: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.sandbox.url}/sandbox/faults`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}

const plan = (nth: number | 'every', kind: object) => ({ faults: [{ route: 'indexList', nth, fault: kind }] })

describe('faults of a running sandbox', () => {
  it('begin when they are posted, count calls from then on, and end when they are deleted', async () => {
    expect((await api.get(LIST)).status).toBe(200)
    await fault('POST', plan(2, { kind: 'status', status: 503 }))
    expect([
      (await api.get(LIST)).status,
      (await api.get(LIST)).status,
      (await api.get(LIST)).status,
    ]).toEqual([200, 503, 200])
    expect((await fault('GET')).body).toEqual({
      faults: [{ route: 'indexList', nth: 2, fault: { kind: 'status', status: 503 }, calls: 3 }],
    })
    await fault('POST', plan('every', { kind: 'expiredToken' }))
    expect((await api.get(LIST)).status).toBe(401)
    expect((await fault('DELETE')).body).toEqual({ faults: [] })
    expect((await api.get(LIST)).status).toBe(200)
  })
  it.each([
    [{ kind: 'delay', ms: 0 }, 200],
    [{ kind: 'headers', headers: { 'x-odd': '1' } }, 200],
    [{ kind: 'mutate', field: 'index', value: null }, 200],
    [{ kind: 'itemsCount', by: 1 }, 200],
    [{ kind: 'duplicateRow' }, 200],
    [{ kind: 'body', body: '[]' }, 200],
    [{ kind: 'truncate' }, 200],
  ])('can be %j', async (kind, status) => {
    expect((await fault('POST', plan('every', kind))).status).toBe(200)
    expect((await api.get(LIST)).status).toBe(status)
  })
  it.each([{ kind: 'reset' }, { kind: 'drop' }])('can be %j', async (kind) => {
    expect((await fault('POST', plan('every', kind))).status).toBe(200)
    await expect(api.get(LIST)).rejects.toThrow()
  })
  it('never apply to the routes about the sandbox: they can always be removed', async () => {
    await fault('POST', { faults: [{ route: '', nth: 'every', fault: { kind: 'reset' } }] })
    const everywhere = { faults: [{ route: 's', nth: 'every', fault: { kind: 'status', status: 500 } }] }
    expect((await fault('POST', everywhere)).status).toBe(200)
    expect((await fault('GET')).status).toBe(200)
  })
  it.each([
    [{ faults: [{ route: 'ohlc', nth: 0, fault: { kind: 'reset' } }] }, 'body faults.0.nth'],
    [{ faults: [{ route: 'ohlc', nth: 1, fault: { kind: 'explode' } }] }, 'body faults.0.fault.kind'],
    [{ faults: [{ route: 'ohlc', nth: 1, fault: { kind: 'delay' } }] }, 'body faults.0.fault.ms'],
    [{ fault: [] }, 'body faults'],
  ])('are refused with the name of the field: %j', async (body, field) => {
    const { status, headers } = await fault('POST', body)
    expect([status, headers.get('x-sandbox-problem')]).toEqual([400, expect.stringContaining(field)])
    expect((await fault('GET')).body).toEqual({ faults: [] })
  })
  it('cannot be reached from a web page', async () => {
    const { status } = await fault('POST', plan(1, { kind: 'reset' }), { origin: 'http://example.com' })
    expect(status).toBe(403)
    expect((await fault('GET')).body).toEqual({ faults: [] })
  })
})
