import {
  type Check,
  dataOf,
  expectEqual,
  expectInvalid,
  expectRefused,
  expectSame,
  expectThat,
  isEmpty,
  NotEvaluable,
  objectOf,
  type Row,
  rowsOf,
  words,
} from '../check.js'
import { expectStrings, fieldOf, numberOf } from '../fields.js'
import { before, bookOf, found } from '../found.js'
import type { Probe, Query } from '../probe.js'
import { shown } from '../shown.js'

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
  const answer = await probe.get(`${TRADING}/${path}`, query)
  expectEqual(answer.status, 200, `HTTP status of ${path}`)
  return objectOf(answer.body, path)
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
        const side = objectOf(isDerivative ? answer.derivative : answer.equity, path)
        expectStrings(probe, side, isDerivative ? derivative : equity, path)
        expectEqual(side.accountNo, accountNo, 'accountNo')
      })
    }),
    trading(`${path}-client-id`, 'clientId is optional: the six digits after the prefix', async (probe) => {
      await eachAccount(probe, async (accountNo) => {
        await expectSame(
          () => ask(probe, path, { accountNo }),
          () => ask(probe, path, { accountNo, clientId: accountNo.slice(3, 9) }),
          `${path} with clientId`,
        )
      })
    }),
    trading(`${path}-account-required`, 'accountNo is required', async (probe) => {
      expectInvalid(await probe.get(`${TRADING}/${path}`), `${path} without accountNo`)
    }),
  ]
}

const balances: readonly Check[] = [
  trading('account-info', 'array of {accountNo, accountType: CASH, MARGIN, DERIVATIVE}', async (probe) => {
    const accounts = await found.accounts(probe)
    expectThat(accounts.length > 0, 'there is no account')
    const digits: Record<string, string> = { CASH: '1', MARGIN: '6', DERIVATIVE: '8' }
    for (const row of accounts) {
      expectStrings(probe, row, words('accountNo accountType'), 'account')
      expectThat(String(row.accountType) in digits, `accountType is ${shown(row.accountType)}`)
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
        const data = dataOf(probe, await ask(probe, 'position', { accountNo }), 'equity', 'position')
        const equity = rowsOf(data.equity, 'equity')
        const derivative = objectOf(data.derivative, 'derivative')
        const open = rowsOf(derivative.derOpenPositions, 'derOpenPositions')
        const close = rowsOf(derivative.derClosePositions, 'derClosePositions')
        for (const row of equity) expectStrings(probe, row, EQUITY_POSITION, 'equity position')
        for (const row of [...open, ...close]) expectStrings(probe, row, CONTRACT, 'derivative position')
        if (isDerivative) expectEqual(derivative.accountNo, accountNo, 'derivative.accountNo')
        else for (const row of equity) expectEqual(row.accountNo, accountNo, 'accountNo of a position')
      })
    },
  ),
  trading('position-held', 'CASH and MARGIN accounts give equity positions', async (probe) => {
    let held = 0
    await eachAccount(probe, async (accountNo, isDerivative) => {
      if (isDerivative) return
      const data = dataOf(probe, await ask(probe, 'position', { accountNo }), 'equity', 'position')
      held += rowsOf(data.equity, 'equity').length
    })
    if (held === 0) throw new NotEvaluable('no account of the key has a position')
  }),
  trading('position-summary', 'querySummary default true', async (probe) => {
    const accountNo = await found.derivativeAccount(probe)
    await expectSame(
      () => ask(probe, 'position', { accountNo }),
      () => ask(probe, 'position', { accountNo, querySummary: true }),
      'the position with querySummary=true',
    )
    await ask(probe, 'position', { accountNo, querySummary: false })
    expectInvalid(await probe.get(`${TRADING}/position`, { accountNo, querySummary: 'x' }), 'querySummary x')
  }),
  trading(
    'max-buy-sell',
    '{data: {accountNo, maxBuyQty number, marginRatio string, maxSellQty number, purchasingPower number}}',
    async (probe) => {
      const [accountNo, symbol] = [await found.cashAccount(probe), await found.symbol(probe)]
      const price = String(numberOf((await found.limits(probe, symbol)).refPrice, 'refPrice'))
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
      accountNo: await found.cashAccount(probe),
      symbol: await found.symbol(probe),
      price: '10000',
    }
    for (const missing of Object.keys(whole)) {
      const query = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== missing))
      expectInvalid(await probe.get(`${TRADING}/maxBuySell`, query), `maxBuySell without ${missing}`)
    }
  }),
]

async function book(probe: Probe, query: Query): Promise<ReturnType<typeof bookOf>> {
  const { status, body } = await probe.get(`${TRADING}/orderBook`, query)
  expectEqual(status, 200, 'HTTP status of orderBook')
  return bookOf(probe, body)
}

const orders: readonly Check[] = [
  trading(
    'order-book-shape',
    '{data: {accountNo, totalRecord integer, orderList}}: all strings',
    async (probe) => {
      const range = await wholeRange(probe)
      await eachAccount(probe, async (accountNo) => {
        const answer = await book(probe, { accountNo, ...range, pageSize: 1_000 })
        if (answer.total === 0 && answer.accountNo === undefined) return
        expectEqual(answer.accountNo, accountNo, 'accountNo')
        expectThat(Number.isInteger(answer.total), 'totalRecord is not an integer')
        if (answer.list.length < Number(answer.total))
          probe.knows('order-book-paging', 'one large page has fewer orders than totalRecord')
        else expectEqual(answer.list.length, answer.total, 'orders on one large page')
        for (const row of answer.list) {
          expectStrings(probe, row, ORDER, 'order')
          expectThat(['B', 'S'].includes(String(row.side)), `side is ${shown(row.side)}`)
          expectThat(/^[A-Z]{2,4}$/.test(String(row.orderStatus)), `orderStatus is ${shown(row.orderStatus)}`)
        }
      })
    },
  ),
  trading(
    'order-book-paging',
    'pageSize default e.g. 20, pageIndex default 1, starts at 1',
    async (probe) => {
      const asked = { accountNo: await busiest(probe), ...(await wholeRange(probe)) }
      const whole = async (): Promise<readonly Row[]> =>
        (await book(probe, { ...asked, pageSize: 1_000 })).list
      const orders = await whole()
      await expectSame(
        async () => (await whole()).slice(0, 20),
        async () => (await book(probe, asked)).list,
        'the default page',
      )
      if (orders.length < 3) throw new NotEvaluable('no account of the key has three orders to page through')
      const [first, second] = [1, 2].map((pageIndex) => book(probe, { ...asked, pageIndex, pageSize: 2 }))
      const [head, next] = [idsOf((await first)?.list), idsOf((await second)?.list)]
      expectThat(next.length > 0 && next.join() !== head.join(), 'the second page repeats the first')
      const isShifted = next.join() !== idsOf(orders.slice(2, 4)).join()
      const isOfBook = next.every((id) => idsOf(orders).includes(id))
      if (isShifted && isOfBook && next.some((id) => head.includes(id)))
        probe.knows('order-book-paging', 'the second page of orderBook overlaps the first')
      else
        await expectSame(
          async () => (await whole()).slice(2, 4),
          async () => (await book(probe, { ...asked, pageIndex: 2, pageSize: 2 })).list,
          'the second page of two',
        )
      expectInvalid(await probe.get(`${TRADING}/orderBook`, { ...asked, pageIndex: 0 }), 'pageIndex 0')
    },
  ),
  trading('order-book-symbol', 'symbol is an optional filter', async (probe) => {
    const asked = { accountNo: await busiest(probe), ...(await wholeRange(probe)), pageSize: 1_000 }
    const [order] = (await book(probe, asked)).list
    if (!order) throw new NotEvaluable('no account of the key has an order')
    const before = (await book(probe, asked)).list.filter((row) => row.symbol === order.symbol)
    const some = (await book(probe, { ...asked, symbol: String(order.symbol) })).list
    for (const row of some) expectEqual(row.symbol, order.symbol, 'symbol of an order')
    const listed = new Set(idsOf(some))
    for (const id of idsOf(before)) expectThat(listed.has(id), 'an order of the symbol is missing')
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
    expectInvalid(await probe.get(`${TRADING}/orderBook`, { accountNo, ...range, from: 'x' }), 'from x')
  }),
  trading('order-book-account', 'accountNo is required', async (probe) => {
    expectInvalid(await probe.get(`${TRADING}/orderBook`, await wholeRange(probe)), 'no accountNo')
  }),
]

function idsOf(orders: readonly Row[] = []): string[] {
  return orders.map((row) => String(row.orderId))
}

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
      const answer = await ask(probe, 'fco/list', { accountNo: await found.cashAccount(probe) })
      if (isEmpty(probe, answer, 'fco/list')) return
      for (const field of words('pageIndex pageSize itemsCount pagesCount'))
        expectEqual(typeof answer[field], 'string', `type of ${field}`)
      expectEqual([answer.pageIndex, answer.pageSize], ['1', '10'], 'default pageIndex and pageSize')
      for (const row of rowsOf(answer.fcoList, 'fcoList')) {
        expectStrings(probe, row, FCO, 'conditional order')
        for (const field of words('quantity matchedQuantity'))
          expectEqual(typeof row[field], 'number', `type of ${field}`)
        const isPlaced = fieldOf(probe, row, 'isPlaceOrder', 'conditional order')
        expectEqual(typeof isPlaced, 'boolean', 'type of isPlaceOrder')
        objectOf(row.params, 'params')
        for (const field of words('from to'))
          expectThat(
            /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}$/.test(String(row[field])),
            `${field} is ${shown(row[field])}`,
          )
      }
    },
  ),
  trading(
    'fco-list-filters',
    'filters: fcoId, type, processStatus (several by commas), symbol, side',
    async (probe) => {
      const accountNo = await found.cashAccount(probe)
      const listed = async (filter: Query): Promise<readonly Row[]> => {
        const answer = await ask(probe, 'fco/list', { accountNo, pageSize: 500, ...filter })
        return isEmpty(probe, answer, 'fco/list') ? [] : rowsOf(answer.fcoList, 'fcoList')
      }
      const [one] = await listed({})
      if (!one) throw new NotEvaluable('the account has no conditional order')
      for (const [name, field] of Object.entries({
        fcoId: 'fcoId',
        type: 'type',
        symbol: 'symbol',
        processStatus: 'status',
      })) {
        await expectSame(
          async () => (await listed({})).filter((row) => row[field] === one[field]),
          () => listed({ [name]: String(one[field]) }),
          `conditional orders by ${name}`,
        )
      }
      await expectSame(
        async () => (await listed({})).length,
        async () => {
          const statuses = new Set((await listed({})).map((row) => String(row.status)))
          return (await listed({ processStatus: [...statuses].join(',') })).length
        },
        'conditional orders of all statuses',
      )
      expectEqual((await listed({ processStatus: 'NONE' })).length, 0, 'conditional orders of no status')
    },
  ),
  trading('fco-list-account', 'accountNo is required', async (probe) => {
    expectInvalid(await probe.get(`${TRADING}/fco/list`), 'fco/list without accountNo')
  }),
  trading('fco-history', '{data: [{state, time, code integer, detail}]}', async (probe) => {
    const accountNo = await found.cashAccount(probe)
    const list = await ask(probe, 'fco/list', { accountNo })
    const [one] = isEmpty(probe, list, 'fco/list') ? [] : rowsOf(list.fcoList, 'fcoList')
    if (!one) throw new NotEvaluable('the account has no conditional order')
    const rows = rowsOf((await ask(probe, 'fco/statusHistory', { fcoId: String(one.fcoId) })).data, 'data')
    expectThat(rows.length > 0, 'the history is empty')
    for (const row of rows) {
      expectStrings(probe, row, HISTORY, 'history entry')
      expectThat(Number.isInteger(row.code), 'code is not an integer')
      if (/^\d{2}\/\d{2}\/\d{4} /.test(String(row.time)))
        probe.knows('conditional-orders', 'times of the status history are DD/MM/YYYY')
    }
    // Oldest first or newest first: the specification does not say.
    const ends = [rows.at(-1)?.state, rows[0]?.state]
    expectThat(ends.includes(one.status), `the last state is ${shown(ends[0])}, not ${shown(one.status)}`)
  }),
  trading('fco-history-required', 'fcoId is required', async (probe) => {
    expectRefused(await probe.get(`${TRADING}/fco/statusHistory`), 'statusHistory without fcoId')
  }),
]

export const accountReads: readonly Check[] = [...balances, ...positions, ...orders, ...conditional]
