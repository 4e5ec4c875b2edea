import { afterEach, describe, expect, it } from 'vitest'
import { at, get, OHLC, rows, SUMMARY, start } from './harness.js'
import { buildMarket, DELISTED, NEVER_TRADED, ODD_SYMBOLS } from './index.js'

afterEach(() => at.standIn.close())

describe('market truth', () => {
  it('adds up: minute bars, daily candles, summaries, index totals', async () => {
    await start()
    const { market } = at.standIn
    const total = (list: { volume: string; value: string }[]) => [
      list.reduce((sum, row) => sum + Number(row.volume), 0),
      list.reduce((sum, row) => sum + Number(row.value), 0),
    ]
    const check = () => {
      for (const day of market.summaries) {
        const bars = market.minutes.filter(
          (one) => one.symbol === day.symbol && one.tradingDate.startsWith(day.tradingDate),
        )
        expect(total(bars)).toEqual([Number(day.totalMatch), Number(day.totalMatchValue)])
        if (bars.length === 0) continue
        expect(bars[0]?.open).toBe(day.open)
        expect(bars.at(-1)?.close).toBe(day.close)
        expect(Math.max(...bars.map((one) => Number(one.high)))).toBe(Number(day.high))
        expect(Math.min(...bars.map((one) => Number(one.low)))).toBe(Number(day.low))
        const limit = market.masterdata.find(
          (one) => one.symbol === day.symbol && one.tradingDate === day.tradingDate,
        )
        expect(Number(day.high)).toBeLessThanOrEqual(Number(limit?.ceiling))
        expect(Number(day.low)).toBeGreaterThanOrEqual(Number(limit?.floor))
        expect(Number(limit?.refPrice)).toBeCloseTo(Number(day.close) - Number(day.priceChange), 6)
      }
      for (const sum of market.indexSummaries) {
        const members = market.summaries.filter(
          (one) => one.tradingDate === sum.tradingDate && market.members[sum.index]?.includes(one.symbol),
        )
        expect(members.reduce((all, one) => all + Number(one.totalMatch), 0)).toBe(Number(sum.totalMatch))
      }
    }
    check()
    market.restate('HPG', '2025-03-05', { totalMatch: '31000', totalMatchValue: '777000000', high: '25400' })
    check()
    expect(market.daily.filter((one) => one.symbol === 'HPG')).toHaveLength(5)
    expect(market.daily.some((one) => one.symbol === NEVER_TRADED)).toBe(false)
    expect(buildMarket({ sessions: market.sessions }).minutes).toHaveLength(market.minutes.length)
  })

  it('serves odd and delisted names', async () => {
    await start({
      market: buildMarket({ sessions: ['2025-03-03', '2025-03-04'], extraSymbols: ODD_SYMBOLS }),
    })
    for (const symbol of ODD_SYMBOLS) {
      const bars = await rows('data/ohlc', { ...OHLC, symbol })
      expect(bars.map((one) => one.symbol)).toEqual([symbol, symbol])
    }
    expect(await rows('data/securitiesSummary', { ...SUMMARY, symbol: DELISTED })).toHaveLength(1)
    expect((await get('data/securitiesByBoard', { symbol: DELISTED })).body).toEqual([])
    expect((await get('data/indexSummary', { board: 'HOSE' })).body).toHaveLength(2)
    expect(Object.keys((await get('data/indexSummary', { index: 'VN30' })).body[0] ?? {})).not.toContain(
      'index',
    )
  })
})
