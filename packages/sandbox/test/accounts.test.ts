import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from './caller.js'

let api: Caller
beforeAll(async () => {
  api = await caller({}, { otp: true })
})
afterAll(() => api.close())

const TRADING = '/api/v3/trading'
const [cash, margin, derivative] = ['0881234561', '0881234566', '0881234568'] as const

const BALANCE =
  'accountNo accountBalance totalDebt interestLoan overdueFeeLoan withdrawable onHoldCash sellUnmatched sellT0 sellT1 sellT2 buyUnmatched buyT0 buyT1 buyT2 advancedCashT0 advancedCashT1 holdSubscription dividend'
const BALANCE_DERIVATIVE =
  'accountNo accountBalance fee commission interest extInterest loan deliveryAmount floatingPL tradingPL totalPL withdrawable cashBroker validNonCashBroker withdrawableBroker cashDepository validNonCashDepository withdrawableDepository'
const MARGIN =
  'accountNo dividend loanValue totalDebt debt liability liabilityBroker netLiability fees interestBroker interestSPV withdrawable ee ee50 ee60 ee70 ee80 ee90 action actionBroker equity equityBroker eeCash holdSubscription bankBalance onHoldCash doverdue doverdue_broker accountBalance d dspv dbroker cia collateralAsset collateralAssetBroker totalAssets totalEquity totalEquityBroker callLMV forceLMV callLMVBroker forceLMVBroker lmv lmvMargin lmvMarginBroker lmvNonMarginable lmvNonMarginableBroker preLoan marginRatio marginRatioBroker purchasingPower eeOrigin buyUnmatched sellUnmatched buyT0 sellT0 sellT1 sellT2 buyT1 buyT2 creditLimit marginCallLMVSold marginCallLMVSoldBroker marginCall marginCallBroker collateralA collateralNon collateralABroker collateralNonBroker callMargin callForcesell callMarginBroker callForcesellBroker ar'
const POSITION =
  'accountNo symbol quantity blockQuantity dividendQuantity buyingQuantity boughtQuantity sellingQuantity soldQuantity t1SellQuantity t2SellQuantity costPrice mortgageQuantity sellableQuantity restrictedQuantity'
const ORDER =
  'clientRequestId orderId symbol side orderType quantity price filledQty cancelQty avgPrice inputTime modifiedTime orderStatus message'

describe('seeded accounts', () => {
  it('have one account per type, shown by the last digit', async () => {
    expect((await api.get('/api/v3/account/info')).list).toEqual([
      { accountNo: cash, accountType: 'CASH' },
      { accountNo: margin, accountType: 'MARGIN' },
      { accountNo: derivative, accountType: 'DERIVATIVE' },
    ])
  })
  it('have balances with every field of the specification', async () => {
    const { body } = await api.get(`${TRADING}/accountBalance`, { accountNo: cash, clientId: '123456' })
    expect(Object.keys(body.equity as object)).toEqual(BALANCE.split(' '))
    expect(Object.keys(body.derivative as object)).toEqual(BALANCE_DERIVATIVE.split(' '))
  })
  it('have margin figures with every field of the specification, agreeing with the balance where both speak', async () => {
    const { body } = await api.get(`${TRADING}/ppmmrAccount`, { accountNo: margin })
    const equity = body.equity as Record<string, string>
    expect(Object.keys(equity)).toEqual(MARGIN.split(' '))
    expect(Object.keys(body.derivative as object)).toHaveLength(17 + 2 * 13)
    const balance = (await api.get(`${TRADING}/accountBalance`, { accountNo: margin })).body
      .equity as typeof equity
    for (const field of ['accountNo', 'accountBalance', 'totalDebt', 'withdrawable']) {
      expect(equity[field]).toBe(balance[field])
    }
  })
  it('hold positions by kind of account', async () => {
    const held = async (accountNo: string, querySummary?: string) =>
      (
        (await api.get(`${TRADING}/position`, { accountNo, ...(querySummary ? { querySummary } : {}) }))
          .body as unknown as {
          data: {
            equity: Record<string, string>[]
            derivative: { derOpenPositions: Record<string, string>[]; derClosePositions: unknown[] }
          }
        }
      ).data
    const { equity } = await held(cash)
    expect(Object.keys(equity[0] ?? {})).toEqual(POSITION.split(' '))
    expect((await held(cash)).derivative).toEqual({
      accountNo: '',
      derOpenPositions: [],
      derClosePositions: [],
    })
  })
  it('hold contracts, of one row per symbol in the summary', async () => {
    // On the day after, the front contract of the scripted history has expired.
    const dayBefore = await caller({ date: '2025-11-19' }, { otp: true })
    const held = async (querySummary?: string) => {
      const query = { accountNo: derivative, ...(querySummary ? { querySummary } : {}) }
      const { body } = await dayBefore.get(`${TRADING}/position`, query)
      return (
        body.data as unknown as {
          derivative: { derOpenPositions: Record<string, string>[]; derClosePositions: unknown[] }
        }
      ).derivative
    }
    const summary = await held()
    expect([summary.derOpenPositions.length, summary.derClosePositions.length]).toEqual([1, 0])
    const open = summary.derOpenPositions[0]
    expect(Number(open?.net)).toBe(Number(open?.long) - Number(open?.short))
    expect((await held('false')).derOpenPositions.map((row) => row.net)).toEqual([open?.net])
    await dayBefore.close()
  })
  it('answer maximum quantities as numbers', async () => {
    const { body } = await api.get(`${TRADING}/maxBuySell`, {
      accountNo: cash,
      symbol: 'FPT',
      price: '10000',
    })
    const { equity } = (await api.get(`${TRADING}/ppmmrAccount`, { accountNo: cash })).body as unknown as {
      equity: Record<string, string>
    }
    const power = Number(equity.purchasingPower)
    expect(body.data).toMatchObject({ accountNo: cash, marginRatio: '0', purchasingPower: power })
    const { maxBuyQty, maxSellQty } = body.data as unknown as Record<string, number>
    expect([Number(maxBuyQty) % 100, Number(maxBuyQty) * 10_000 <= power]).toEqual([0, true])
    expect(maxSellQty).toBeGreaterThan(0)
  })
  it('have an order book in pages, by time and symbol', async () => {
    const book = async (query: Record<string, string>) =>
      (await api.get(`${TRADING}/orderBook`, { accountNo: cash, ...query })).body.data as unknown as {
        accountNo: string
        totalRecord: number
        orderList: Record<string, string>[]
      }
    const all = await book({ pageSize: '1000' })
    expect([all.accountNo, all.orderList.length]).toEqual([cash, all.totalRecord])
    expect(all.totalRecord).toBeGreaterThan(10)
    expect(Object.keys(all.orderList[0] ?? {})).toEqual(ORDER.split(' '))
    expect((await book({ pageSize: '5', pageIndex: '3' })).orderList).toEqual(all.orderList.slice(10, 15))
    for (const to of [
      '2025-11-20T23:59:59+07:00',
      '2025/11/20',
      '2025/11/20 23:59:59',
      '2025-11-20T23:59:59',
    ]) {
      const today = await book({ from: '2025-11-20T00:00:00+07:00', to })
      expect(today.orderList).toEqual(
        all.orderList.filter(({ inputTime }) => inputTime?.startsWith('2025/11/20')),
      )
    }
    const symbol = String(all.orderList[0]?.symbol)
    expect((await book({ symbol })).orderList.every((order) => order.symbol === symbol)).toBe(true)
  })
  it('have conditional orders and their history', async () => {
    const { body } = await api.get(`${TRADING}/fco/list`, { accountNo: cash, pageSize: '50' })
    const list = body.fcoList as { fcoId: string; status: string }[]
    expect(body).toMatchObject({ pageIndex: '1', pageSize: '50', itemsCount: String(list.length) })
    const [one] = list
    const filtered = await api.get(`${TRADING}/fco/list`, { accountNo: cash, fcoId: String(one?.fcoId) })
    expect(filtered.body.fcoList).toEqual([one])
    const history = (await api.get(`${TRADING}/fco/statusHistory`, { fcoId: String(one?.fcoId) })).body.data
    expect(history[0]).toMatchObject({ state: 'INIT', code: 0 })
    expect(history.at(-1)).toMatchObject({ state: one?.status })
  })
  it.each([
    ['accountBalance', {}],
    ['accountBalance', { accountNo: '0000000001' }],
    ['accountBalance', { accountNo: cash, clientId: '654321' }],
    ['position', { accountNo: cash, querySummary: 'maybe' }],
    ['maxBuySell', { accountNo: cash, symbol: 'FPT' }],
    ['orderBook', { accountNo: cash, from: 'soon' }],
    ['fco/list', {}],
    ['fco/statusHistory', {}],
  ])('refuse %s %j', async (endpoint, query) => {
    const { status, body } = await api.get(`${TRADING}/${endpoint}`, query as Record<string, string>)
    expect([status, body]).toEqual([400, { code: '400', msg: 'Invalid request' }])
  })
})
