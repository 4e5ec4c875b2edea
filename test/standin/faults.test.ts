import { afterEach, describe, expect, it } from 'vitest'
import { at, JSON_TYPE, raw, SUMMARY, start } from './harness.js'
import type { Fault } from './index.js'

afterEach(() => at.standIn.close())

describe('faults', () => {
  const hit = async (fault: object) => {
    const match = { path: '/securitiesSummary' }
    at.standIn.setOptions({ faults: [{ match, ...fault } as Fault] })
    return raw('data/securitiesSummary', { ...SUMMARY, pageIndex: '2' })
  }

  it('damages bytes', async () => {
    await start()
    await expect(hit({ kind: 'reset' }).then((answer) => answer.text())).rejects.toThrow()
    const cut = await hit({ kind: 'truncate' })
    expect(cut.headers.get('content-length')).toBeNull()
    expect(cut.headers.get('transfer-encoding')).toBeNull()
    const text = await cut.text()
    expect(text.startsWith('{"pageSize"')).toBe(true)
    expect(() => JSON.parse(text)).toThrow()
    for (const how of ['truncated', 'crc']) {
      const bad = await hit({ kind: 'badGzip', how })
      expect(bad.headers.get('content-encoding')).toBe('gzip')
      await bad.text().catch(() => '')
    }
    expect(await (await hit({ kind: 'emptyBody' })).text()).toBe('')
    expect(new Uint8Array(await (await hit({ kind: 'bom' })).arrayBuffer())[0]).toBe(0xef)
    expect(await (await hit({ kind: 'body', transform: () => 'null' })).text()).toBe('null')
    expect((await hit({ kind: 'html502' })).status).toBe(502)
    expect((await hit({ kind: '429', retryAfter: 3 })).headers.get('retry-after')).toBe('3')
    expect((await raw('data/securitiesSummary', SUMMARY)).status).toBe(200)
    expect(at.standIn.requests.at(-2)?.fault).toBe('429')
  })

  it('damages pages', async () => {
    await start()
    const truths = at.standIn.market.summaries
    const page = async (fault: object) => ((await (await hit(fault)).json()) as { data: unknown[] }).data
    expect(await page({ kind: 'dup' })).toEqual(truths.slice(9, 20))
    expect(await page({ kind: 'short' })).toEqual(truths.slice(10, 19))
    expect(await page({ kind: 'samePage' })).toEqual(truths.slice(0, 10))
    expect(await page({ kind: 'dup', times: 0 })).toEqual(truths.slice(10, 20))
  })

  it('leaves a request hanging, waits for its hook, and limits the rate', async () => {
    await start({ rateLimit: { limit: 3, windowMs: 60_000 } })
    at.standIn.setOptions({ faults: [{ match: (_, nth) => nth === 1, kind: 'hang' }] })
    const signal = AbortSignal.timeout(100)
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${at.token}` }
    await expect(fetch(`${at.standIn.url}/api/v3/data/indexList`, { headers, signal })).rejects.toThrow()
    at.standIn.onRequest = () => {
      at.standIn.market.indexes.pop()
    }
    const answer = await raw('data/indexList')
    expect(await answer.json()).toHaveLength(3)
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('1')
    await raw('data/indexList')
    expect((await raw('data/indexList')).status).toBe(429)
  })
})
