import { afterEach, describe, expect, it } from 'vitest'
import { type Caller, caller, type Row } from '../caller.js'
import { CASH } from './test-broker.js'

let api: Caller | undefined
afterEach(() => api?.close())

async function start(impact: boolean): Promise<Caller> {
  api = await caller({ at: '10:00', drive: true, ...(impact ? { impact } : {}) }, { otp: true })
  return api
}

/** Three orders at the market, seconds apart, each larger than what is offered at the best price. */
async function buy(from: Caller): Promise<Row[]> {
  const order = { accountNo: CASH, symbol: 'FPT', side: 'B', orderType: 'MTL', quantity: 2_000 }
  for (let count = 0; count < 3; count++) {
    await from.send('POST', '/api/v3/trading/order', order)
    await from.post('/sandbox/clock', { byMs: 2_000 })
  }
  const { data } = (await from.get('/api/v3/trading/orderBook', { accountNo: CASH, from: '2025-11-20' })).body
  const { orderList } = data as unknown as { orderList: Row[] }
  return orderList.filter(({ orderType }) => orderType === 'MTL')
}

async function candle(from: Caller): Promise<Row> {
  const query = { symbol: 'FPT', timeFrame: '1m', from: '2025-11-20', to: '2025-11-20', pageSize: '400' }
  const { data } = (await from.get('/api/v3/data/ohlc', query)).body
  return data.find(({ tradingDate }) => tradingDate === '2025/11/20 10:00:00') ?? {}
}

async function summary(from: Caller): Promise<Row> {
  const query = { symbol: 'FPT', from: '2025/11/20', to: '2025/11/20' }
  return (await from.get('/api/v3/data/securitiesSummary', query)).body.data[0] ?? {}
}

const total = (rows: readonly Row[]): number =>
  rows.reduce((sum, { filledQty }) => sum + Number(filledQty), 0)

describe('orders at the market', () => {
  it('leave it as it is', async () => {
    const quiet = await start(false)
    await quiet.post('/sandbox/clock', { to: '2025-11-20T10:02:00+07:00' })
    const before = await candle(quiet)
    await quiet.close()
    const traded = await start(false)
    await buy(traded)
    await traded.post('/sandbox/clock', { to: '2025-11-20T10:02:00+07:00' })
    expect(await candle(traded)).toEqual(before)
  })

  it('with impact move it, and are in its candle and its summary', async () => {
    const quiet = await start(false)
    await quiet.post('/sandbox/clock', { to: '2025-11-20T18:00:00+07:00' })
    const [before, dayBefore] = [await candle(quiet), await summary(quiet)]
    await quiet.close()
    const moved = await start(true)
    const orders = await buy(moved)
    const filled = total(orders)
    expect(filled).toBeGreaterThan(0)
    const prices = orders.map(({ avgPrice }) => Number(avgPrice)).reverse()
    expect(prices.at(-1)).toBeGreaterThan(prices[0] ?? 0)
    await moved.post('/sandbox/clock', { to: '2025-11-20T18:00:00+07:00' })
    const after = await candle(moved)
    const gained = Number(after.volume) - Number(before.volume)
    expect(gained).toBeGreaterThan(0)
    expect(gained).toBeLessThanOrEqual(total(orders))
    expect(Number(after.high)).toBeGreaterThanOrEqual(Math.max(...prices.map(Math.floor)))
    expect([after.open, after.close]).toEqual([before.open, before.close])
    const day = await summary(moved)
    expect(Number(day.totalMatch) - Number(dayBefore.totalMatch)).toBe(gained)
    expect([day.open, day.close]).toEqual([dayBefore.open, dayBefore.close])
  })
})
