import { afterEach, describe, expect, it } from 'vitest'
import { at, get, login, OHLC, raw, rows, SUMMARY, start } from './harness.js'
import { fall, hideSymbol, omitSummaries, renameSymbol, withdrawDay } from './index.js'

afterEach(() => at.standIn.close())

const DAY = '2025-03-05'
const symbolsOf = (list: Record<string, unknown>[]): Set<unknown> => new Set(list.map(({ symbol }) => symbol))
const onDay = { from: '2025/03/05', to: '2025/03/05' }

describe('a service that changes what it holds', () => {
  it('omits summaries of a symbol or of all, and hides a symbol, until it is undone', async () => {
    await start()
    const { market } = at.standIn
    const before = await rows('data/securitiesSummary', onDay)
    const undo = omitSummaries(market, DAY, 'HPG')
    expect(symbolsOf(await rows('data/securitiesSummary', onDay)).has('HPG')).toBe(false)
    undo()
    const undoAll = omitSummaries(market, DAY)
    expect(await rows('data/securitiesSummary', onDay)).toEqual([])
    undoAll()
    const show = hideSymbol(market, 'FPT')
    expect(symbolsOf(await rows('data/masterdata', onDay)).has('FPT')).toBe(false)
    expect(symbolsOf((await get('data/securitiesByBoard', { index: 'VN30' })).body).has('FPT')).toBe(false)
    show()
    expect(symbolsOf((await get('data/securitiesByBoard', { index: 'VN30' })).body).has('FPT')).toBe(true)
    expect(await rows('data/securitiesSummary', onDay)).toEqual(before)
  })

  it('withdraws a day, and renames a symbol with its history', async () => {
    await start()
    const { market } = at.standIn
    withdrawDay(market, 'HPG', DAY)
    expect(await rows('data/ohlc', OHLC)).toHaveLength(4)
    renameSymbol(market, 'HPG', 'HPX')
    expect(await rows('data/ohlc', OHLC)).toHaveLength(0)
    expect(symbolsOf(await rows('data/securitiesSummary', { ...SUMMARY, index: 'VN30' })).has('HPX')).toBe(
      true,
    )
  })

  it('lets a symbol fall to its floor; later sessions begin there', async () => {
    await start()
    const { market } = at.standIn
    fall(market, 'FPT', DAY)
    const own = market.summaries.filter(({ symbol }) => symbol === 'FPT')
    const limits = market.masterdata.filter(({ symbol }) => symbol === 'FPT')
    expect(own[2]?.close).toBe(limits[2]?.floor)
    expect(limits[3]?.refPrice).toBe(own[2]?.close)
    for (const [nth, row] of own.entries()) {
      expect(Number(row.close) - Number(row.priceChange)).toBe(Number(limits[nth]?.refPrice))
      expect(Number(row.high)).toBeLessThanOrEqual(Number(limits[nth]?.ceiling))
      expect(Number(row.low)).toBeGreaterThanOrEqual(Number(limits[nth]?.floor))
      expect(Number(row.average)).toBeGreaterThanOrEqual(Number(row.low))
      expect(Number(row.average)).toBeLessThanOrEqual(Number(row.high))
    }
  })
})

describe('a service that is stricter or out of reach', () => {
  it('accepts a one-time password once', async () => {
    await start({ otpSingleUse: true, otp: '1' })
    expect((await login({ otp: '1' })).status).toBe(200)
    expect((await login({ otp: '1' })).status).toBe(401)
    at.standIn.setOptions({ otp: '2' })
    expect((await login({ otp: '2' })).status).toBe(200)
  })

  it('refuses what begins before its edge of one year, or before its data', async () => {
    await start({ yearEdgeLaterDays: 5, beforeYearEdge: 'refuse', beforeData: 'refuse' })
    const minutes = (from: string) =>
      get('data/ohlc', { ...OHLC, timeFrame: '1m', from, to: '2025/03/03 23:59:59' })
    expect((await minutes('2024/03/11 00:00:00')).status).toBe(400)
    expect((await minutes('2024/03/12 00:00:00')).status).toBe(200)
    const before = { from: '2025/02/28', to: '2025/03/04' }
    for (const path of ['data/securitiesSummary', 'data/masterdata']) {
      expect((await get(path, before)).status).toBe(400)
      expect((await get(path, SUMMARY)).status).toBe(200)
    }
    expect((await get('data/indexSummary', { index: 'VN30', tradingDate: '2025/02/28' })).status).toBe(400)
  })

  it('refuses connections while it is unplugged', async () => {
    await start()
    await at.standIn.unplug()
    await expect(raw('data/indexList')).rejects.toThrow()
    await at.standIn.plug()
    expect((await raw('data/indexList')).status).toBe(200)
  })

  it('pours a body without an end, and one that is too large', async () => {
    await start()
    const match = { path: '/data/indexList' }
    at.standIn.setOptions({ faults: [{ kind: 'oversized', blanks: 1000, match }] })
    const large = await (await raw('data/indexList')).text()
    expect(large.endsWith(' '.repeat(1000))).toBe(true)
    expect(JSON.parse(large)).toHaveLength(4)
    at.standIn.setOptions({ faults: [{ kind: 'endless', match }] })
    const reader = (await raw('data/indexList')).body?.getReader()
    let bytes = 0
    while (bytes < 5 * 2 ** 20) bytes += (await reader?.read())?.value?.length ?? 0
    await reader?.cancel()
  })
})
