// Account and trading reads. They need a token verified with an OTP; that is checked before a route runs.

import {
  BALANCE_DERIVATIVE,
  BALANCE_EQUITY,
  filled,
  POWER_DERIVATIVE,
  POWER_EQUITY,
} from './account-fields.js'
import type { StandInAccounts } from './accounts.js'
import { type Answer, type Call, invalid, nothing, param, required, serve } from './answer.js'
import { readMoment } from './dates.js'
import { dialectRow } from './dialect.js'
import { pageOf } from './page.js'
import type { Row } from './rows.js'

type Account = StandInAccounts['accounts'][number]

const accountOf = (call: Call, truth: StandInAccounts): Account => {
  const accountNo = required(call, 'accountNo')
  const account = truth.accounts.find((one) => one.accountNo === accountNo)
  if (!account) throw invalid('accountNo is invalid')
  return account
}

/** Field suffixes as this deployment abbreviates its own name and the depository's. */
const suffixed = (call: Call, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name
        .replace(/Broker$/, call.options.brokerSuffix)
        .replace(/Depository$/, call.options.depositorySuffix),
      value,
    ]),
  )

const sides = (call: Call, account: Account, equity: string[], derivative: string[]): Answer => {
  const out: Row = {}
  for (const [side, names] of [['equity', equity] as const, ['derivative', derivative] as const]) {
    const has = (account.accountType === 'DERIVATIVE') === (side === 'derivative')
    if (!has && call.options.otherSide === 'absent') continue
    const row = filled(account.accountNo, names, 1_000_000, has ? 12_500 : 0)
    const wanted = has || call.options.otherSide === 'zeros'
    out[side] = wanted ? suffixed(call, dialectRow(call, 'account', row)) : null
  }
  return serve(out)
}

const rowsOf = (call: Call, rows: object[]): Row[] => rows.map((row) => dialectRow(call, 'account', row))

const position = (call: Call, truth: StandInAccounts): Answer => {
  const account = accountOf(call, truth)
  const futures = account.accountType === 'DERIVATIVE'
  return serve({
    data: {
      equity: rowsOf(
        call,
        truth.positions.filter((row) => row.accountNo === account.accountNo),
      ),
      derivative: {
        accountNo: account.accountNo,
        derOpenPositions: rowsOf(call, futures ? truth.openContracts : []),
        derClosePositions: rowsOf(call, futures ? truth.closedContracts : []),
      },
    },
  })
}

const maxBuySell = (call: Call, truth: StandInAccounts): Answer => {
  const { accountNo } = accountOf(call, truth)
  const [symbol, price] = [required(call, 'symbol'), Number(required(call, 'price'))]
  if (!call.market.securities.some((row) => row.symbol === symbol)) throw invalid('symbol is invalid')
  if (!(price > 0)) throw invalid('price is invalid')
  const maxBuyQty = Math.floor(100_000_000 / price / 100) * 100
  return serve({
    data: { accountNo, maxBuyQty, marginRatio: '1', maxSellQty: 1000, purchasingPower: 100_000_000 },
  })
}

const orderBook = (call: Call, truth: StandInAccounts): Answer => {
  const { accountNo } = accountOf(call, truth)
  const from = readMoment(required(call, 'from'), false)
  const to = readMoment(required(call, 'to'), true)
  if (!from || !to || to.at < from.at) throw invalid('from or to is invalid')
  const symbol = param(call, 'symbol')
  const mine = truth.orders.filter(
    (row) =>
      row.accountNo === accountNo &&
      row.inputTime >= from.at &&
      row.inputTime <= to.at &&
      (symbol ?? row.symbol) === row.symbol,
  )
  const page = pageOf(
    call,
    'account',
    mine.map(({ accountNo: _own, ...row }) => row),
    20,
  )
  const envelope = { data: { accountNo, totalRecord: page.items, orderList: page.rows } }
  return page.rows.length === 0 ? nothing(call.options, envelope) : serve(envelope)
}

const fcoList = (call: Call, truth: StandInAccounts): Answer => {
  const { accountNo } = accountOf(call, truth)
  const statuses = param(call, 'processStatus')?.split(',')
  const fits = (row: Row, name: string): boolean => (param(call, name) ?? row[name]) === row[name]
  const mine = truth.conditional.filter(
    (row) =>
      row.accountNo === accountNo &&
      ['fcoId', 'type', 'symbol'].every((name) => fits(row, name)) &&
      (!statuses || statuses.includes(String(row.status))),
  )
  const page = pageOf(call, 'account', mine)
  return serve({
    pageIndex: String(page.index),
    pageSize: String(page.size),
    itemsCount: String(page.items),
    pagesCount: String(page.pages),
    fcoList: page.rows,
  })
}

const statusHistory = (call: Call, truth: StandInAccounts): Answer => {
  const fcoId = required(call, 'fcoId')
  return serve({ data: truth.histories[fcoId] ?? [] })
}

export const accountRoutes: Record<string, (call: Call, truth: StandInAccounts) => Answer> = {
  '/api/v3/account/info': (call, truth) => serve(rowsOf(call, truth.accounts)),
  '/api/v3/trading/accountBalance': (call, truth) =>
    sides(call, accountOf(call, truth), BALANCE_EQUITY, BALANCE_DERIVATIVE),
  '/api/v3/trading/ppmmrAccount': (call, truth) =>
    sides(call, accountOf(call, truth), POWER_EQUITY, POWER_DERIVATIVE),
  '/api/v3/trading/position': position,
  '/api/v3/trading/maxBuySell': maxBuySell,
  '/api/v3/trading/orderBook': orderBook,
  '/api/v3/trading/fco/list': fcoList,
  '/api/v3/trading/fco/statusHistory': statusHistory,
}
