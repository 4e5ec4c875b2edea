import { boardAt } from '../../market/world/instrument.js'
import { chart } from './chart-of-accounts.js'
import type { Account, Hold } from './custody-view.js'
import type { ContractPosition } from './futures-position.js'
import { netOf, profitOf } from './futures-position.js'
import type { Ledger } from './ledger.js'
import { type Rate, shareOf } from './rate.js'
import { marginOf, tradeValue } from './tariff.js'

/** Part of the market value of marginable shares that can be borrowed. */
export const LENDING: Rate = { part: 1, of: 2 }
/** Largest loan per account, VND. */
export const CREDIT_LIMIT = 2_000_000_000

type Parts = Pick<Ledger, 'book' | 'price' | 'world' | 'contracts' | 'holds' | 'session'>

/** Shares that an account owns: free, reserved for sale, and still arriving; without shares that it has sold. */
export function ownedShares({ book }: Pick<Ledger, 'book'>, accountNo: string): Map<string, number> {
  const owned = new Map<string, number>()
  for (const { account, unit, amount } of book.below(`${accountNo}/`)) {
    if (unit === 'VND' || !/\/(shares|selling|arriving\/\d+)$/.test(account)) continue
    owned.set(unit, (owned.get(unit) ?? 0) + amount)
  }
  return owned
}

/** Market value of the shares of an account, VND; `marginable` counts stocks and funds listed on HOSE and HNX. */
export function marketValue(parts: Parts, accountNo: string): { all: number; marginable: number } {
  let [all, marginable] = [0, 0]
  for (const [symbol, quantity] of ownedShares(parts, accountNo)) {
    const instrument = parts.world.find(symbol)
    if (!instrument) continue
    const value = tradeValue(instrument, quantity, parts.price(symbol))
    all += value
    if (instrument.kind !== 'covered_warrant' && boardAt(instrument, parts.session()) !== 'UPCOM')
      marginable += value
  }
  return { all, marginable }
}

export function loanOf({ book }: Pick<Ledger, 'book'>, accountNo: string): number {
  return 0 - book.balance(chart.loan(accountNo))
}

/** Money that a margin account can still borrow, VND. */
export function lendable(parts: Parts, { accountNo, accountType }: Account): number {
  if (accountType !== 'MARGIN') return 0
  const limit = Math.min(CREDIT_LIMIT, shareOf(marketValue(parts, accountNo).marginable, LENDING, 'down'))
  return Math.max(0, limit - loanOf(parts, accountNo))
}

/** Money that an equity account can reserve for buy orders, VND. */
export function equityPower(parts: Parts, account: Account): number {
  return Math.max(0, parts.book.balance(chart.cash(account.accountNo))) + lendable(parts, account)
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
