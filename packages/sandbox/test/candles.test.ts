import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller, type Row } from './caller.js'

const OHLC = '/api/v3/data/ohlc'
let api: Caller
beforeAll(async () => {
  api = await caller()
})
afterAll(() => api.close())

const all = async (symbol: string, timeFrame: string, from = '2025-11-14', to = '2025-11-20') =>
  (await api.get(OHLC, { symbol, from, to, timeFrame, pageSize: '100000' })).body.data

const WIDTH: Record<string, number> = { '3m': 3, '5m': 5, '15m': 15, '30m': 30, '1h': 60 }

/** Clock buckets of one-minute rows, added up the plain way. */
function buckets(rows: readonly Row[], width: number): Row[] {
  const made = new Map<string, Row[]>()
  for (const row of rows) {
    const [day = '', time = ''] = String(row.tradingDate).split(' ')
    const minute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
    const start = minute - (minute % width)
    const at = `${String(Math.floor(start / 60)).padStart(2, '0')}:${String(start % 60).padStart(2, '0')}:00`
    const key = `${day} ${at}`
    made.set(key, [...(made.get(key) ?? []), row])
  }
  const sum = (of: readonly Row[], field: string) =>
    String(of.reduce((total, row) => total + Number(row[field]), 0))
  const numbers = (of: readonly Row[], field: string) => of.map((row) => Number(row[field]))
  return [...made].map(([tradingDate, of]) => ({
    symbol: of[0]?.symbol ?? '',
    tradingDate,
    open: of[0]?.open ?? '',
    high: String(Math.max(...numbers(of, 'high'))),
    low: String(Math.min(...numbers(of, 'low'))),
    close: of.at(-1)?.close ?? '',
    volume: sum(of, 'volume'),
    value: sum(of, 'value'),
  }))
}

describe('candles', () => {
  it.each(['FPT', 'SHS', 'VEA', 'E1VFVN30', '41I1FC000'])(
    'of %s add up from one minute to every timeframe and to the day',
    async (symbol) => {
      const minutes = await all(symbol, '1m')
      expect(minutes.length).toBeGreaterThan(100)
      for (const [timeFrame, width] of Object.entries(WIDTH)) {
        expect(await all(symbol, timeFrame)).toEqual(buckets(minutes, width))
      }
      const days = await all(symbol, '1d')
      expect(days).toEqual(
        buckets(minutes, 1440).map((row) => ({ ...row, tradingDate: String(row.tradingDate).slice(0, 10) })),
      )
      const summaries = (
        await api.get('/api/v3/data/securitiesSummary', {
          symbol,
          from: '2025/11/14',
          to: '2025/11/20',
          pageSize: '100',
        })
      ).body.data
      expect(
        summaries.map(({ tradingDate, open, high, low, close, totalMatch, totalMatchValue }) => ({
          symbol,
          tradingDate,
          open,
          high,
          low,
          close,
          volume: totalMatch,
          value: totalMatchValue,
        })),
      ).toEqual(days)
    },
  )

  it('are written as the specification names them, all strings, labelled by their start', async () => {
    const [first] = await all('FPT', '1m')
    expect(Object.keys(first ?? {})).toEqual([
      'symbol',
      'tradingDate',
      'open',
      'high',
      'low',
      'close',
      'volume',
      'value',
    ])
    expect(Object.values(first ?? {}).every((value) => typeof value === 'string')).toBe(true)
    expect(first?.tradingDate).toBe('2025/11/14 09:15:00')
  })

  it('do not exist for a symbol and day without matched volume', async () => {
    const summaries = (
      await api.get('/api/v3/data/securitiesSummary', {
        from: '2025/06/02',
        to: '2025/11/20',
        pageSize: '20000',
      })
    ).body.data
    const idle = summaries.find(({ totalMatch }) => totalMatch === '0')
    const day = String(idle?.tradingDate).replaceAll('/', '-')
    expect(await all(String(idle?.symbol), '1m', day, day)).toEqual([])
    expect(await all(String(idle?.symbol), '1d', day, day)).toEqual([])
  })
})

describe('ranges of candles', () => {
  it('come in pages that together are complete, counted by itemsCount and pageCount', async () => {
    const whole = await all('FPT', '1m')
    const joined: Row[] = []
    for (let page = 1; ; page++) {
      const { body } = await api.get(OHLC, {
        symbol: 'FPT',
        from: '2025-11-14',
        to: '2025-11-20',
        timeFrame: '1m',
        pageSize: '300',
        pageIndex: String(page),
      })
      expect(body).toMatchObject({
        pageSize: 300,
        pageNumber: page,
        itemsCount: whole.length,
        pageCount: Math.ceil(whole.length / 300),
      })
      joined.push(...body.data)
      if (body.data.length < 300) break
    }
    expect(joined).toEqual(whole)
  })

  it('are cut by times of day, both bounds included', async () => {
    const rows = await all('FPT', '1m', '2025/11/20 10:00:00', '2025/11/20 10:02:00')
    expect(rows.map(({ tradingDate }) => tradingDate)).toEqual([
      '2025/11/20 10:00:00',
      '2025/11/20 10:01:00',
      '2025/11/20 10:02:00',
    ])
  })

  it.each(['2025-11-20', '2025/11/20', '2025/11/20 00:00:00', '2025-11-20 00:00:00'])(
    'take %s as a bound',
    async (from) => {
      expect((await all('FPT', '1d', from, '2025-11-20')).length).toBe(1)
    },
  )

  it('default to one day and ten rows', async () => {
    const { body } = await api.get(OHLC, { symbol: 'FPT', from: '2025-10-01', to: '2025-11-20' })
    expect(body.data).toHaveLength(10)
    expect(body).toMatchObject({ pageSize: 10, pageNumber: 1 })
    expect(body.data[0]?.tradingDate).toBe('2025/10/01')
  })

  it('reach one year back intraday, further only by day', async () => {
    const ask = async (timeFrame: string, from: string) =>
      (await api.get(OHLC, { symbol: 'FPT', from, to: '2025-11-20', timeFrame })).status
    expect(await ask('1m', '2024-11-20')).toBe(200)
    expect(await ask('1m', '2024-11-19')).toBe(400)
    expect(await ask('1h', '2024-11-19')).toBe(400)
    expect(await ask('1d', '2021-01-04')).toBe(200)
  })

  it('are absent when an intraday range ends after today', async () => {
    const { status, body } = await api.get(OHLC, {
      symbol: 'FPT',
      from: '2025-11-19',
      to: '2025-11-21',
      timeFrame: '1m',
    })
    expect([status, body.itemsCount, body.data]).toEqual([200, 0, []])
    expect(await all('FPT', '1d', '2025-11-19', '2025-11-21')).toHaveLength(2)
  })
})
