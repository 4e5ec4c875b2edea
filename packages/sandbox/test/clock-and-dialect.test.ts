import { afterEach, describe, expect, it } from 'vitest'
import { EARLY_DAY } from '../../../test/support/early-day.js'
import { type Caller, caller, type Row } from './caller.js'

let api: Caller
afterEach(() => api.close())

describe('the clock', () => {
  it('is shown and moves only forward, with the drive option', async () => {
    api = await caller({ at: '09:00', drive: true })
    expect((await api.get('/sandbox/clock')).body).toEqual({ now: '2025-11-20T09:00:00.000+07:00' })
    const moved = await api.post('/sandbox/clock', { to: '2025-11-20T10:00:00+07:00' })
    expect(moved.body).toEqual({ now: '2025-11-20T10:00:00.000+07:00' })
    expect((await api.post('/sandbox/clock', { byMs: 500 })).body.now).toContain('10:00:00.500')
    for (const bad of [{ to: '2025-11-20T09:00:00+07:00' }, { to: 'soon' }, { byMs: -1 }, {}])
      expect((await api.post('/sandbox/clock', bad)).status).toBe(400)
  })

  it('has no routes without the drive option', async () => {
    api = await caller({})
    expect((await api.get('/sandbox/clock')).status).toBe(404)
  })

  it('shows the market what has happened by then', async () => {
    api = await caller({ at: '09:20', drive: true })
    const candles = async () => {
      const query = { symbol: 'FPT', from: '2025-11-20', to: '2025-11-20', timeFrame: '1m', pageSize: '500' }
      return (await api.get('/api/v3/data/ohlc', query)).body.data.length
    }
    const early = await candles()
    await api.post('/sandbox/clock', { to: '2025-11-20T11:00:00+07:00' })
    expect(await candles()).toBeGreaterThan(early)
  })
})

describe('a scripted day', () => {
  const books = async (): Promise<Record<string, string>[]> => {
    const all: Record<string, string>[] = []
    for (const accountNo of ['0881234561', '0881234566', '0881234568']) {
      const { body } = await api.get('/api/v3/trading/orderBook', { accountNo, pageSize: '500' })
      all.push(...(body.data as unknown as { orderList: Record<string, string>[] }).orderList)
    }
    return all
  }

  it.each(['2025-11-20', '2025-03-14'])('leaves an order of every status in the book: %s', async (date) => {
    api = await caller({ date, trade: '14:20' }, { otp: true })
    const statuses = new Set((await books()).map((row) => row.orderStatus))
    const all = ['CL', 'EX', 'FF', 'FFPC', 'IAV', 'PD', 'PF', 'QU', 'RJ', 'RS', 'SD', 'WA', 'WC', 'WM']
    expect([...statuses].sort()).toEqual(all)
    const { body } = await api.get('/api/v3/trading/fco/list', { accountNo: '0881234566', pageSize: '50' })
    const types = new Set((body.fcoList as { type: string }[]).map(({ type }) => type))
    expect([...types]).toEqual(
      expect.arrayContaining(['stop', 'oco', 'trailing_stop', 'trailing_stop_limit']),
    )
  })

  it('has fills at prices of the market only', async () => {
    api = await caller({ date: '2025-11-20', trade: '18:00' }, { otp: true })
    const filled = (await books()).filter(({ filledQty }) => Number(filledQty) > 0)
    expect(filled.length).toBeGreaterThan(15)
    const days = new Map<string, Row>()
    for (const symbol of new Set(filled.map((row) => row.symbol ?? ''))) {
      const query = { symbol, from: '2025/09/01', to: '2025/11/20', pageSize: '100' }
      for (const row of (await api.get('/api/v3/data/securitiesSummary', query)).body.data)
        days.set(`${symbol} ${row.tradingDate}`, row)
    }
    const outside = filled.filter(({ symbol, modifiedTime = '', avgPrice }) => {
      const { low, high } = days.get(`${symbol} ${modifiedTime.slice(0, 10)}`) ?? {}
      return !(Number(avgPrice) >= Number(low) && Number(avgPrice) <= Number(high))
    })
    expect(outside).toEqual([])
  })

  it('is the same day every time', async () => {
    api = await caller({ date: EARLY_DAY, trade: '14:20' }, { otp: true })
    const first = await books()
    await api.close()
    api = await caller({ date: EARLY_DAY, trade: '14:20' }, { otp: true })
    expect(await books()).toEqual(first)
  })
})

describe('one-time passwords', () => {
  it('are sent to the console, good once', async () => {
    const sent: string[] = []
    api = await caller({ onOtp: (otp) => sent.push(otp) })
    const { apiKey, apiSecret } = api.sandbox
    await api.post('/api/v3/auth/requestOtp', { apiKey, apiSecret })
    const login = () => api.post('/api/v3/auth/token', { apiKey, apiSecret, otp: sent[0] })
    expect([sent[0]?.length, (await login()).status, (await login()).status]).toEqual([6, 200, 401])
  })

  it('cannot be guessed: five attempts, then locked until another is sent', async () => {
    api = await caller({})
    const { apiKey, apiSecret, otp } = api.sandbox
    const login = async (code: string) =>
      (await api.post('/api/v3/auth/token', { apiKey, apiSecret, otp: code })).status
    for (let i = 0; i < 5; i++) expect(await login(`00000${i}`)).toBe(401)
    expect(await login(otp)).toBe(403)
    await api.post('/api/v3/auth/requestOtp', { apiKey, apiSecret })
    expect(await login(otp)).toBe(200)
  })

  it('of Smart OTP wait for the thumb: pending, approved, used; declined', async () => {
    api = await caller({ at: '09:00', drive: true, smartOtp: 'manual' })
    const { apiKey, apiSecret } = api.sandbox
    const ask = async () =>
      (await api.post('/api/v3/auth/requestOtp', { apiKey, apiSecret })).body.transactionId
    const poll = async (transactionId: unknown) => {
      const { status, body } = await api.post('/api/v3/auth/token', { apiKey, apiSecret, transactionId })
      return [status, body.code]
    }
    const first = await ask()
    expect(await poll(first)).toEqual([202, 401114])
    await api.post('/sandbox/smart-otp', { transactionId: first, approve: true })
    expect(await poll(first)).toEqual([200, undefined])
    expect(await poll(first)).toEqual([401, 401116])
    const second = await ask()
    await api.post('/sandbox/smart-otp', { transactionId: second, approve: false })
    expect(await poll(second)).toEqual([401, 401113])
  })
})

describe('the live dialect', () => {
  it('answers candles newest first without counts, and refuses a bare slashed day', async () => {
    api = await caller({ dialect: 'live' })
    const ask = (from: string, to: string) =>
      api.get('/api/v3/data/ohlc', { symbol: 'FPT', timeFrame: '1m', from, to, pageSize: '3' })
    expect((await ask('2025/11/20', '2025/11/20')).body).toMatchObject({ code: '400213' })
    const { body } = await ask('2025/11/20 00:00:00', '2025/11/20 23:59:59')
    expect(Object.keys(body)).toEqual(['pageSize', 'pageNumber', 'data'])
    const [a, b] = body.data
    expect(String(a?.tradingDate) > String(b?.tradingDate)).toBe(true)
    expect(typeof a?.volume).toBe('number')
  })

  it('names the exchange board, answers empty results with 204, adds fields, has its own spelling of indexes', async () => {
    api = await caller({ dialect: 'live' })
    const { body } = await api.get('/api/v3/data/masterdata')
    expect(Object.keys(body.data[0] ?? {})).toEqual([
      'symbol',
      'board',
      'tradingDate',
      'ceiling',
      'floor',
      'refPrice',
    ])
    const none = await api.get('/api/v3/data/securitiesByBoard', { symbol: 'NONE' })
    expect([none.status, none.text]).toEqual([200, '{"code":204}'])
    const day = { from: '2025/11/20', to: '2025/11/20' }
    const [row] = (await api.get('/api/v3/data/securitiesSummary', { symbol: 'FPT', ...day })).body.data
    expect(row).toHaveProperty('ceilingPrice')
    expect(String(row?.totalMatch)).toMatch(/^\d{1,3}(,\d{3})+$/)
    const indexes = (await api.get('/api/v3/data/indexList')).list.map(({ index }) => index)
    expect(indexes).toEqual(expect.arrayContaining(['VNIndex', 'HNXUpcomIndex']))
    const summary = await api.get('/api/v3/data/indexSummary', { index: 'hnxupcomindex' })
    expect(summary.list[0]).toHaveProperty('totalForeignBuy')
  })

  it('answers lists of orders without records with 204, and keeps objects', async () => {
    api = await caller({ date: EARLY_DAY, dialect: 'live' }, { otp: true })
    const accountNo = '0881234561'
    for (const [path, query] of [
      ['orderBook', { orderStatus: 'NONE' }],
      ['orderBook', { pageIndex: '999' }],
      ['fco/list', { processStatus: 'NONE' }],
    ] as const) {
      const { status, text } = await api.get(`/api/v3/trading/${path}`, { accountNo, ...query })
      expect([status, text], path).toEqual([200, '{"code":204}'])
    }
    const position = await api.get('/api/v3/trading/position', { accountNo: '0881234568' })
    expect(position.body.data).toHaveProperty('derivative')
  })

  it('abbreviates broker and depository as its options say', async () => {
    api = await caller(
      { date: EARLY_DAY, fieldSuffixes: { broker: 'ABC', depository: 'XYZ' } },
      { otp: true },
    )
    const { body } = await api.get('/api/v3/trading/ppmmrAccount', { accountNo: '0881234561' })
    const [equity, derivative] = [body.equity, body.derivative].map((side) => Object.keys(side as object))
    expect(equity).toEqual(expect.arrayContaining(['liabilityABC', 'doverdue_abc', 'dABC', 'interestABC']))
    expect(derivative).toEqual(expect.arrayContaining(['cashABC', 'usedLimitWarningLevel3XYZ']))
    expect([...(equity ?? []), ...(derivative ?? [])].join()).not.toMatch(/broker|depository/i)
  })

  it('sends no reset on a 401, and a limit of 100', async () => {
    api = await caller({ dialect: 'live' })
    const refused = await api.get('/api/v3/data/indexList', {}, { authorization: 'Bearer x' })
    expect([refused.status, refused.headers.get('x-ratelimit-reset')]).toEqual([401, null])
    expect(refused.headers.get('x-ratelimit-limit')).toBe('100')
  })
})
