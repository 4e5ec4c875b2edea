import type { Instrument } from '../../market/world/instrument.js'
import { chart } from './chart-of-accounts.js'
import type { Account, Hold } from './custody-view.js'
import type { ContractPosition } from './futures-position.js'
import { netOf, profitOf } from './futures-position.js'
import type { Ledger } from './ledger.js'
import { shareOf } from './rate.js'
import { marginOf, tradeValue } from './tariff.js'

/** Largest loan per account, VND. */
export const CREDIT_LIMIT = 2_000_000_000

type Parts = Pick<Ledger, 'book' | 'price' | 'world' | 'contracts' | 'holds' | 'session' | 'lending'>

/** Shares that an account owns: free, reserved for sale, and still arriving; without shares that it has sold. */
export function ownedShares({ book }: Pick<Ledger, 'book'>, accountNo: string): Map<string, number> {
  const owned = new Map<string, number>()
  for (const { account, unit, amount } of book.below(`${accountNo}/`)) {
    if (unit === 'VND' || !/\/(shares|selling|arriving\/\d+)$/.test(account)) continue
    owned.set(unit, (owned.get(unit) ?? 0) + amount)
  }
  return owned
}

/** Value of the shares of an account, VND: of all, of those that are lent on, and what is lent on them. */
export function marketValue(
  parts: Parts,
  accountNo: string,
): { all: number; marginable: number; lent: number } {
  let [all, marginable, lent] = [0, 0, 0]
  for (const [symbol, quantity] of ownedShares(parts, accountNo)) {
    const instrument = parts.world.find(symbol)
    if (!instrument) continue
    const value = tradeValue(instrument, quantity, parts.price(symbol))
    const rate = parts.lending(instrument, parts.session())
    all += value
    if (rate.part > 0) marginable += value
    lent += shareOf(value, rate, 'down')
  }
  return { all, marginable, lent }
}

/** Shares that open buy orders of an account will bring, as what is lent on them, VND. */
function lentOnOrders(parts: Parts, accountNo: string, without?: string): number {
  let lent = 0
  for (const hold of parts.holds.values())
    if (hold.accountNo === accountNo && hold.side === 'B' && hold.orderId !== without)
      lent += lentOn(parts, hold)
  return lent
}

function lentOn(parts: Parts, { instrument, quantity, price }: Hold): number {
  return shareOf(tradeValue(instrument, quantity, price), parts.lending(instrument, parts.session()), 'down')
}

export function loanOf({ book }: Pick<Ledger, 'book'>, accountNo: string): number {
  return 0 - book.balance(chart.loan(accountNo))
}

/** Money that a margin account can still borrow on the shares that it has and that are on order, VND. */
export function lendable(parts: Parts, { accountNo, accountType }: Account): number {
  if (accountType !== 'MARGIN') return 0
  const lent = marketValue(parts, accountNo).lent + lentOnOrders(parts, accountNo)
  return Math.max(0, Math.min(CREDIT_LIMIT, lent) - loanOf(parts, accountNo))
}

/** Money that an equity account has for buy orders without what is lent on the shares bought, VND. */
export function equityPower(parts: Parts, account: Account): number {
  return freeCash(parts, account) + lendable(parts, account)
}

/**
 * Money that a buy order of an account can use, VND: its cash, and for a share that is lent on what can be borrowed on the shares that
 * the account has, that it has ordered, and that this order brings. No loan buys a share that is not lent on.
 */
export function powerFor(parts: Parts, account: Account, order: Hold): number {
  const cash = freeCash(parts, account)
  if (!borrowsFor(parts, account, order.instrument)) return cash
  const { accountNo } = account
  const lent =
    marketValue(parts, accountNo).lent + lentOnOrders(parts, accountNo, order.orderId) + lentOn(parts, order)
  return cash + Math.max(0, Math.min(CREDIT_LIMIT, lent) - loanOf(parts, accountNo))
}

/** The value that an account can buy of an instrument, VND, fees apart. */
export function purchasingPower(parts: Parts, account: Account, instrument: Instrument): number {
  const cash = freeCash(parts, account)
  if (!borrowsFor(parts, account, instrument)) return cash
  const { accountNo } = account
  const { part, of } = parts.lending(instrument, parts.session())
  const loan = loanOf(parts, accountNo)
  const lent = marketValue(parts, accountNo).lent + lentOnOrders(parts, accountNo)
  // Of each VND of the value that is bought, this part is not lent on it.
  const onShares = shareOf(Math.max(0, cash + lent - loan), { part: of, of: of - part }, 'down')
  return Math.max(cash, Math.min(onShares, cash + CREDIT_LIMIT - loan))
}

function borrowsFor(parts: Parts, { accountType }: Account, instrument: Instrument): boolean {
  return accountType === 'MARGIN' && parts.lending(instrument, parts.session()).part > 0
}

function freeCash({ book }: Pick<Ledger, 'book'>, { accountNo }: Account): number {
  return Math.max(0, book.balance(chart.cash(accountNo)))
}

/**
 * Margin that the contracts of an account need, VND: of each symbol the larger of what all its buy orders and all its
 * sell orders would make of it, at the latest price.
 */
export function marginRequired(parts: Parts, accountNo: string, beside?: Hold): number {
  const orders = [...parts.holds.values()].filter(
    (hold) => hold.accountNo === accountNo && hold.orderId !== beside?.orderId,
  )
  if (beside) orders.push(beside)
  const positions = parts.contracts.get(accountNo) ?? new Map<string, ContractPosition>()
  const symbols = new Set([...positions.keys(), ...orders.map((hold) => hold.instrument.symbol)])
  let required = 0
  for (const symbol of symbols) {
    const ordersOfSymbol = orders.filter((hold) => hold.instrument.symbol === symbol)
    const position = positions.get(symbol)
    const instrument = position?.instrument ?? ordersOfSymbol[0]?.instrument
    if (!instrument) continue
    const net = position ? netOf(position) : 0
    const open = (side: 'B' | 'S'): number =>
      ordersOfSymbol.filter((hold) => hold.side === side).reduce((sum, hold) => sum + hold.quantity, 0)
    const contracts = Math.max(Math.abs(net + open('B')), Math.abs(net - open('S')), Math.abs(net))
    required += marginOf(instrument, contracts, parts.price(symbol))
  }
  return required
}

/** Profit and loss of an account's contracts since the last settlement, VND. */
export function contractProfit(parts: Parts, accountNo: string): ReturnType<typeof profitOf> {
  const sum = { trading: 0, floating: 0, total: 0 }
  for (const position of parts.contracts.get(accountNo)?.values() ?? []) {
    const profit = profitOf(position, parts.price(position.instrument.symbol))
    sum.trading += profit.trading
    sum.floating += profit.floating
    sum.total += profit.total
  }
  return sum
}

/** Money of a derivative account that counts as margin, VND. Losses count at once, gains when they are paid. */
export function collateral(parts: Parts, accountNo: string): number {
  const { book } = parts
  const variation = book.balance(chart.variation(accountNo))
  return (
    book.balance(chart.cash(accountNo)) +
    Math.min(0, variation) +
    Math.min(0, contractProfit(parts, accountNo).total)
  )
}
