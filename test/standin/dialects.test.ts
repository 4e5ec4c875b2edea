import { afterEach, describe, expect, it } from 'vitest'
import { at, get, JSON_TYPE, login, OHLC, raw, rows, SUMMARY, start } from './harness.js'

afterEach(() => at.standIn.close())

describe('dialects', () => {
  it('pages by the specification', async () => {
    await start()
    const { body } = await get('data/securitiesSummary', { ...SUMMARY, pageIndex: '2' })
    const items = at.standIn.market.summaries.length
    const pagesCount = Math.ceil(items / 10)
    expect(body).toMatchObject({ pageSize: 10, pageIndex: 2, pagesCount, itemsCount: items })
    expect(body.data).toEqual(at.standIn.market.summaries.slice(10, 20))
    const one = await get('data/ohlc', { ...OHLC, pageSize: '2' })
    expect(one.body).toMatchObject({ pageSize: 2, pageNumber: 1, pageCount: 3, itemsCount: 5 })
    expect(at.standIn.count('/ohlc', { symbol: 'HPG' })).toBe(1)
  })

  it('bends dates, numbers, order, counts and emptiness', async () => {
    await start({ dateFormat: 'DD/MM/YYYY', numbers: 'commas', ohlcOrder: 'newest-first', ohlcCounts: false })
    const bent = await get('data/ohlc', { ...OHLC, pageSize: '1' })
    expect(Object.keys(bent.body)).toEqual(['data'])
    expect(bent.body.data).toMatchObject([{ tradingDate: '07/03/2025', volume: '26,800' }])
    at.standIn.setOptions({ dateFormat: 'ISO', numbers: 'json', ohlcEnvelope: 'array', ohlcOrder: 'asc' })
    const bars = (await get('data/ohlc', { ...OHLC, timeFrame: '1m', pageSize: '1' })).body
    expect(bars).toMatchObject([{ tradingDate: '2025-03-03T09:15:00', volume: 2200 }])
    at.standIn.setOptions({ emptyAs: '204', ohlcBareDate: 'refuse', errorCode: 'number', pageCap: 3 })
    expect((await get('data/ohlc', { ...OHLC, symbol: 'NONE' })).body).toEqual({ code: 204 })
    const refused = await get('data/ohlc', { ...OHLC, from: '2025-03-03' })
    expect(refused).toMatchObject({ status: 400, body: { code: 400213 } })
    const capped = await get('data/masterdata', { pageSize: '1000' })
    expect(capped.body).toMatchObject({ pageSize: 3, pagesCount: 4 })
    at.standIn.setOptions({ emptyAs: 'http204', masterdataBoardField: 'board', today: '2026-06-01' })
    expect((await raw('data/ohlc', { ...OHLC, timeFrame: '1h' })).status).toBe(204)
    expect((await rows('data/masterdata', {}))[0]).toMatchObject({ board: 'HOSE' })
  })

  it('holds rows back until their session and lets a hook spoil them', async () => {
    await start({
      today: '2025-03-04',
      mutateRow: (set, row) => (set === 'ohlc' ? { ...row, volume: 'NaN' } : row),
    })
    expect((await rows('data/ohlc', OHLC)).map((one) => one.volume)).toEqual(['NaN', 'NaN'])
  })
})

describe('sessions', () => {
  it('keeps one session per key and guards the account reads', async () => {
    await start()
    expect((await get('account/info')).status).toBe(403)
    const old = at.token
    const fresh = await login({ otp: at.standIn.otp })
    expect((await get('account/info')).body).toMatchObject({ code: '401' })
    at.token = fresh.accessToken
    const accounts = (await get('account/info')).body
    expect(accounts).toHaveLength(3)
    expect(at.token).not.toBe(old)
    const accountNo = String(accounts[0]?.accountNo)
    const book = { accountNo, from: '2025-03-03T00:00:00Z', to: '2025-03-07T23:59:59Z', pageSize: '4' }
    expect((await get('trading/orderBook', book)).body).toMatchObject({ data: { totalRecord: 10 } })
    expect((await get('trading/accountBalance', { accountNo })).body).toMatchObject({ equity: { accountNo } })
    const refresh = (refreshToken: string) =>
      fetch(`${at.standIn.url}/api/v3/auth/refresh`, {
        method: 'POST',
        headers: JSON_TYPE,
        body: JSON.stringify({ refreshToken }),
      })
    expect((await refresh(fresh.refreshToken)).status).toBe(200)
    expect((await get('data/indexList')).status).toBe(401)
    expect((await refresh(fresh.refreshToken)).status).toBe(401)
    expect((await login({ apiKey: 'other' })).status).toBe(401)
    expect((await fetch(`${at.standIn.url}/api/v3/data/indexList`)).status).toBe(400)
  })
})
