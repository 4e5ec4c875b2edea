import {
  type Check,
  expectEqual,
  expectInvalid,
  expectRefused,
  expectStrings,
  expectThat,
  objectOf,
  type Row,
  rowsOf,
  words,
} from '../check.js'
import { before, found } from '../found.js'
import type { Probe, Query } from '../probe.js'

const TRADING = '/api/v3/trading'
const both = (names: string): string[] =>
  words(names).flatMap((name) => [`${name}Broker`, `${name}Depository`])

const BALANCE =
  words(`accountNo accountBalance totalDebt interestLoan overdueFeeLoan withdrawable onHoldCash sellUnmatched
  sellT0 sellT1 sellT2 buyUnmatched buyT0 buyT1 buyT2 advancedCashT0 advancedCashT1 holdSubscription dividend`)
const BALANCE_DERIVATIVE = [
  ...words(`accountNo accountBalance fee commission interest extInterest loan deliveryAmount floatingPL tradingPL totalPL
    withdrawable`),
  ...both('cash validNonCash withdrawable'),
]
const MARGIN =
  words(`accountNo dividend loanValue totalDebt debt liability liabilityBroker netLiability fees interestBroker
  interestSPV withdrawable ee ee50 ee60 ee70 ee80 ee90 action actionBroker equity equityBroker eeCash holdSubscription
  bankBalance onHoldCash doverdue doverdue_broker accountBalance d dspv dbroker cia collateralAsset collateralAssetBroker
  totalAssets totalEquity totalEquityBroker callLMV forceLMV callLMVBroker forceLMVBroker lmv lmvMargin lmvMarginBroker
  lmvNonMarginable lmvNonMarginableBroker preLoan marginRatio marginRatioBroker purchasingPower eeOrigin buyUnmatched
  sellUnmatched buyT0 sellT0 sellT1 sellT2 buyT1 buyT2 creditLimit marginCallLMVSold marginCallLMVSoldBroker marginCall
  marginCallBroker collateralA collateralNon collateralABroker collateralNonBroker callMargin callForcesell
  callMarginBroker callForcesellBroker ar`)
const MARGIN_DERIVATIVE = [
  ...words(`accountNo accountBalance fee commission interest loan deliveryAmount floatingPL tradingPL totalPL marginable
    depositable rcCall withdrawable nonCashDrawableRCCall totalEquity extInterest`),
  ...both(`cash validNonCash totalAsset withdrawable ee spreadMargin deliveryMargin marginReq accountRatio
    usedLimitWarningLevel1 usedLimitWarningLevel2 usedLimitWarningLevel3 marginCall`),
]
const EQUITY_POSITION =
  words(`accountNo symbol quantity blockQuantity dividendQuantity buyingQuantity boughtQuantity
  sellingQuantity soldQuantity t1SellQuantity t2SellQuantity costPrice mortgageQuantity sellableQuantity restrictedQuantity`)
const CONTRACT = words('symbol long short net bidAvgPrice askAvgPrice tradePrice tradingPL floatingPL')
const ORDER =
  words(`clientRequestId orderId symbol side orderType quantity price filledQty cancelQty avgPrice inputTime
  modifiedTime orderStatus message`)

const trading = (id: string, says: string, run: Check['run']): Check => ({ id, says, needs: 'trading', run })

async function ask(probe: Probe, path: string, query: Query): Promise<Row> {
  const told = await probe.trading(`${TRADING}/${path}`, query)
  expectEqual(told.status, 200, `HTTP status of ${path}`)
  return objectOf(told.body, path)
}

/** An account of each kind, where there is one. */
async function eachAccount(
  probe: Probe,
  run: (accountNo: string, derivative: boolean) => Promise<void>,
): Promise<void> {
  for (const { accountNo, accountType } of await found.accounts(probe))
    await run(String(accountNo), accountType === 'DERIVATIVE')
}

/** Both sides of balance and PP/MMR; the specification does not say what the other side of an account holds. */
function sides(path: string, equity: readonly string[], derivative: readonly string[]): Check[] {
  return [
    trading(`${path}-fields`, '{equity, derivative}: all fields strings', async (probe) => {
      await eachAccount(probe, async (accountNo, isDerivative) => {
        const answer = await ask(probe, path, { accountNo })
        const side = objectOf(isDerivative ? answer.derivative : answer.equity, `${path} of ${accountNo}`)
        expectStrings(side, isDerivative ? derivative : equity, path)
        expectEqual(side.accountNo, accountNo, 'accountNo')
      })
    }),
    trading(`${path}-client-id`, 'clientId is optional: the six digits after the prefix', async (probe) => {
      await eachAccount(probe, async (accountNo) => {
        const plain = await ask(probe, path, { accountNo })
        expectEqual(
          await ask(probe, path, { accountNo, clientId: accountNo.slice(3, 9) }),
          plain,
          'with clientId',
        )
      })
    }),
    trading(`${path}-account-required`, 'accountNo is required', async (probe) => {
      expectInvalid(await probe.trading(`${TRADING}/${path}`), `${path} without accountNo`)
    }),
  ]
}

const balances: readonly Check[] = [
  trading('account-info', 'array of {accountNo, accountType: CASH, MARGIN, DERIVATIVE}', async (probe) => {
    const accounts = await found.accounts(probe)
    expectThat(accounts.length > 0, 'there is no account')
    const digits: Record<string, string> = { CASH: '1', MARGIN: '6', DERIVATIVE: '8' }
    for (const row of accounts) {
      expectStrings(row, words('accountNo accountType'), 'account')
      expectThat(String(row.accountType) in digits, `accountType is ${String(row.accountType)}`)
      const suffix = digits[String(row.accountType)]
      expectThat(/^.{3}\d{6}/.test(String(row.accountNo)), 'accountNo is not 3 characters and 6 digits')
      expectEqual(
        String(row.accountNo).at(-1),
        suffix,
        `suffix digit of a ${String(row.accountType)} account`,
      )
    }
  }),
  ...sides('accountBalance', BALANCE, BALANCE_DERIVATIVE),
  ...sides('ppmmrAccount', MARGIN, MARGIN_DERIVATIVE),
]

const positions: readonly Check[] = [
  trading(
    'position-shape',
    '{data: {equity: [], derivative: {accountNo, derOpenPositions, derClosePositions}}}',
    async (probe) => {
      await eachAccount(probe, async (accountNo, isDerivative) => {
        const data = objectOf((await ask(probe, 'position', { accountNo })).data, 'data')
        const equity = rowsOf(data.equity, 'equity')
        const derivative = objectOf(data.derivative, 'derivative')
        const open = rowsOf(derivative.derOpenPositions, 'derOpenPositions')
        const close = rowsOf(derivative.derClosePositions, 'derClosePositions')
        for (const row of equity) expectStrings(row, EQUITY_POSITION, 'equity position')
        for (const row of [...open, ...close]) expectStrings(row, CONTRACT, 'derivative position')
        if (isDerivative) expectEqual(derivative.accountNo, accountNo, 'derivative.accountNo')
        else for (const row of equity) expectEqual(row.accountNo, accountNo, 'accountNo of a position')
      })
    },
  ),
  trading('position-held', 'CASH and MARGIN accounts give equity positions', async (probe) => {
    let held = 0
    await eachAccount(probe, async (accountNo, isDerivative) => {
      if (isDerivative) return
      const data = objectOf((await ask(probe, 'position', { accountNo })).data, 'data')
      held += rowsOf(data.equity, 'equity').length
    })
    expectThat(held > 0, 'no account of the key holds anything: nothing to look at')
  }),
  trading('position-summary', 'querySummary default true', async (probe) => {
    const accountNo = await found.account(probe, 'DERIVATIVE')
    if (!accountNo) return
    const plain = await ask(probe, 'position', { accountNo })
    expectEqual(
      await ask(probe, 'position', { accountNo, querySummary: true }),
      plain,
      'with querySummary=true',
    )
    await ask(probe, 'position', { accountNo, querySummary: false })
    expectInvalid(
      await probe.trading(`${TRADING}/position`, { accountNo, querySummary: 'x' }),
      'querySummary x',
    )
  }),
  trading(
    'max-buy-sell',
    '{data: {accountNo, maxBuyQty number, marginRatio string, maxSellQty number, purchasingPower number}}',
    async (probe) => {
      const [accountNo, symbol] = [await found.account(probe, 'CASH'), await found.symbol(probe)]
      const price = String((await found.limits(probe, symbol)).refPrice)
      const data = objectOf((await ask(probe, 'maxBuySell', { accountNo, symbol, price })).data, 'data')
      expectEqual(data.accountNo, accountNo, 'accountNo')
      for (const field of words('maxBuyQty maxSellQty purchasingPower'))
        expectEqual(typeof data[field], 'number', `type of ${field}`)
      expectEqual(typeof data.marginRatio, 'string', 'type of marginRatio')
      expectThat(
        Number(data.maxBuyQty) * Number(price) <= Number(data.purchasingPower),
        'more than can be paid',
      )
    },
  ),
  trading('max-buy-sell-required', 'accountNo, symbol, price are all required', async (probe) => {
    const whole = {
      accountNo: await found.account(probe, 'CASH'),
      symbol: await found.symbol(probe),
      price: '10000',
    }
    for (const missing of Object.keys(whole)) {
      const query = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== missing))
      expectInvalid(await probe.trading(`${TRADING}/maxBuySell`, query), `maxBuySell without ${missing}`)
    }
  }),
]

async function book(
  probe: Probe,
  query: Query,
): Promise<{ total: unknown; list: readonly Row[]; accountNo: unknown }> {
  const data = objectOf((await ask(probe, 'orderBook', query)).data, 'data')
  return { total: data.totalRecord, list: rowsOf(data.orderList, 'orderList'), accountNo: data.accountNo }
}

const orders: readonly Check[] = [
  trading(
    'order-book-shape',
    '{data: {accountNo, totalRecord integer, orderList}}: all strings',
    async (probe) => {
      const range = await wholeRange(probe)
      await eachAccount(probe, async (accountNo) => {
        const answer = await book(probe, { accountNo, ...range, pageSize: 1_000 })
        expectEqual(answer.accountNo, accountNo, 'accountNo')
        expectThat(Number.isInteger(answer.total), 'totalRecord is no integer')
        expectEqual(answer.list.length, answer.total, 'orders on one large page')
        for (const row of answer.list) {
          expectStrings(row, ORDER, 'order')
          expectThat(['B', 'S'].includes(String(row.side)), `side is ${String(row.side)}`)
          expectThat(
            /^[A-Z]{2,4}$/.test(String(row.orderStatus)),
            `orderStatus is ${String(row.orderStatus)}`,
          )
        }
      })
    },
  ),
  trading(
    'order-book-paging',
    'pageSize default e.g. 20, pageIndex default 1, starts at 1',
    async (probe) => {
      const asked = { accountNo: await busiest(probe), ...(await wholeRange(probe)) }
      const whole = await book(probe, { ...asked, pageSize: 1_000 })
      const plain = await book(probe, asked)
      expectEqual(plain.list, whole.list.slice(0, 20), 'the default page')
      const second = await book(probe, { ...asked, pageIndex: 2, pageSize: 2 })
      expectEqual(second.list, whole.list.slice(2, 4), 'the second page of two')
      expectInvalid(await probe.trading(`${TRADING}/orderBook`, { ...asked, pageIndex: 0 }), 'pageIndex 0')
    },
  ),
  trading('order-book-symbol', 'symbol is an optional filter', async (probe) => {
    const asked = { accountNo: await busiest(probe), ...(await wholeRange(probe)), pageSize: 1_000 }
    const whole = await book(probe, asked)
    const symbol = String(whole.list[0]?.symbol)
    const some = await book(probe, { ...asked, symbol })
    expectEqual(
      some.list,
      whole.list.filter((row) => row.symbol === symbol),
      `orders of ${symbol}`,
    )
  }),
  trading('order-book-range', 'from and to are ISO 8601 date-times', async (probe) => {
    const accountNo = await busiest(probe)
    const range = await wholeRange(probe)
    const none = await book(probe, {
      accountNo,
      from: '2001-01-01T00:00:00+07:00',
      to: '2001-01-02T00:00:00+07:00',
    })
    expectEqual([none.total, none.list], [0, []], 'orders of 2001')
    expectInvalid(await probe.trading(`${TRADING}/orderBook`, { accountNo, ...range, from: 'x' }), 'from x')
  }),
  trading('order-book-account', 'accountNo is required', async (probe) => {
    expectInvalid(await probe.trading(`${TRADING}/orderBook`, await wholeRange(probe)), 'no accountNo')
  }),
]

async function wholeRange(probe: Probe): Promise<{ from: string; to: string }> {
  const day = await found.day(probe)
  const iso = (text: string): string => text.replaceAll('/', '-')
  return { from: `${iso(before(day, 90))}T00:00:00+07:00`, to: `${iso(before(day, -1))}T00:00:00+07:00` }
}

/** The account with the most orders. */
function busiest(probe: Probe): Promise<string> {
  return probe.once('busiest', async () => {
    const range = await wholeRange(probe)
    let most = { accountNo: '', total: -1 }
    await eachAccount(probe, async (accountNo) => {
      const { total } = await book(probe, { accountNo, ...range, pageSize: 1 })
      if (Number(total) > most.total) most = { accountNo, total: Number(total) }
    })
    return most.accountNo
  })
}

const FCO = words(`fcoId accountNo price priceSlip symbol orderType from to detail type status username`)
const HISTORY = words('state time detail')

const conditional: readonly Check[] = [
  trading(
    'fco-list-shape',
    '{pageIndex, pageSize, itemsCount, pagesCount} all strings, fcoList',
    async (probe) => {
      const answer = await ask(probe, 'fco/list', { accountNo: await found.account(probe, 'CASH') })
      for (const field of words('pageIndex pageSize itemsCount pagesCount'))
        expectEqual(typeof answer[field], 'string', `type of ${field}`)
      expectEqual([answer.pageIndex, answer.pageSize], ['1', '10'], 'default pageIndex and pageSize')
      for (const row of rowsOf(answer.fcoList, 'fcoList')) {
        expectStrings(row, FCO, 'conditional order')
        for (const field of words('quantity matchedQuantity'))
          expectEqual(typeof row[field], 'number', `type of ${field}`)
        expectEqual(typeof row.isPlaceOrder, 'boolean', 'type of isPlaceOrder')
        objectOf(row.params, 'params')
        for (const field of words('from to'))
          expectThat(
            /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}$/.test(String(row[field])),
            `${field} is ${String(row[field])}`,
          )
      }
    },
  ),
  trading(
    'fco-list-filters',
    'filters: fcoId, type, processStatus (several by commas), symbol, side',
    async (probe) => {
      const accountNo = await found.account(probe, 'CASH')
      const whole = rowsOf((await ask(probe, 'fco/list', { accountNo, pageSize: 500 })).fcoList, 'fcoList')
      const [one] = whole
      if (!one) return
      for (const [name, field] of Object.entries({
        fcoId: 'fcoId',
        type: 'type',
        symbol: 'symbol',
        processStatus: 'status',
      })) {
        const value = String(one[field])
        const some = rowsOf(
          (await ask(probe, 'fco/list', { accountNo, pageSize: 500, [name]: value })).fcoList,
          'fcoList',
        )
        expectEqual(
          some,
          whole.filter((row) => row[field] === one[field]),
          `conditional orders by ${name}`,
        )
      }
      const statuses = [...new Set(whole.map((row) => String(row.status)))].join(',')
      const all = await ask(probe, 'fco/list', { accountNo, pageSize: 500, processStatus: statuses })
      expectEqual(rowsOf(all.fcoList, 'fcoList').length, whole.length, 'conditional orders of all statuses')
      const none = await ask(probe, 'fco/list', { accountNo, processStatus: 'NONE' })
      expectEqual(none.itemsCount, '0', 'conditional orders of no status')
    },
  ),
  trading('fco-list-account', 'accountNo is required', async (probe) => {
    expectInvalid(await probe.trading(`${TRADING}/fco/list`), 'fco/list without accountNo')
  }),
  trading('fco-history', '{data: [{state, time, code integer, detail}]}', async (probe) => {
    const accountNo = await found.account(probe, 'CASH')
    const [one] = rowsOf((await ask(probe, 'fco/list', { accountNo })).fcoList, 'fcoList')
    if (one) {
      const rows = rowsOf((await ask(probe, 'fco/statusHistory', { fcoId: String(one.fcoId) })).data, 'data')
      expectThat(rows.length > 0, 'the history is empty')
      for (const row of rows) {
        expectStrings(row, HISTORY, 'history entry')
        expectThat(Number.isInteger(row.code), 'code is no integer')
      }
      expectEqual(rows.at(-1)?.state, one.status, 'the last state')
    }
    expectRefused(await probe.trading(`${TRADING}/fco/statusHistory`), 'statusHistory without fcoId')
  }),
]

export const accountReads: readonly Check[] = [...balances, ...positions, ...orders, ...conditional]
