import type { Cash, Interval } from '../explain/account-history.js'
import type { CashChange } from '../explain/cash-change.js'
import { accountPart } from './names.js'

/** One line of a transaction. Amounts of money are whole hundredths of a VND, shares are whole. */
export interface Posting {
  readonly account: string
  readonly amount: number
  /** Null: VND. */
  readonly symbol: string | null
  /** What the shares cost or brought, hundredths of a VND. */
  readonly total?: number
}

/** Postings of one event; their money adds up to zero. */
export interface Transaction {
  readonly day: string
  readonly text: string
  readonly postings: readonly Posting[]
}

/** What an account holds on the evening of a day, as the service reports it. */
export interface Assertion {
  readonly day: string
  readonly account: string
  readonly amount: number
  readonly symbol: string | null
}

/** What a service reports as held on an evening. */
export interface Holding {
  readonly symbol: string
  readonly quantity: number
  /** VND. */
  readonly cost: number | null
}

/** Names of the accounts of one brokerage account. */
export function accountsOf(account: string) {
  const number = accountPart(account)
  const assets = `Assets:Brokerage:${number}`
  return {
    cash: `${assets}:Cash`,
    shares: `${assets}:Shares`,
    /** Trades that have not settled: money to come less money to pay. */
    settling: `${assets}:Settling`,
    /** Dividends that were announced and are not paid yet. */
    dividends: `${assets}:Dividends`,
    loan: `Liabilities:Brokerage:${number}:Loan`,
    interestOwed: `Liabilities:Brokerage:${number}:Interest`,
    fees: `Expenses:Brokerage:${number}:FeesAndTax`,
    interest: `Expenses:Brokerage:${number}:Interest`,
    income: `Income:Brokerage:${number}:Dividends`,
    opening: `Equity:Opening:${number}`,
  } as const
}

type Accounts = ReturnType<typeof accountsOf>

/** What was there before the first snapshot. */
export function opening(
  day: string,
  accounts: Accounts,
  cash: Cash,
  holdings: readonly Holding[],
): Transaction {
  const shares = holdings
    .filter(({ quantity }) => quantity !== 0)
    .map(({ symbol, quantity, cost }): Posting => {
      return { account: accounts.shares, amount: quantity, symbol, total: cents(cost ?? 0) }
    })
  return closed(day, 'opening balances', [...shares, ...balances(accounts, cash)], accounts.opening)
}

/** Everything between two snapshots that agree, a transaction per event. */
export function transactions(accounts: Accounts, interval: Interval, cash: CashChange): Transaction[] {
  const { before, after, fills, changes } = interval
  const day = after.trading_date
  if (!before.cash || !after.cash) return []
  const trades = fills.map((fill): Transaction => {
    const sign = fill.side === 'B' ? 1 : -1
    const { symbol, quantity, value, order_id, price } = fill
    const shares: Posting = {
      account: accounts.shares,
      amount: sign * quantity,
      symbol,
      total: cents(value ?? 0),
    }
    const verb = sign > 0 ? 'buy' : 'sell'
    // What is reported late comes after the balances of the evening that did not know it.
    const traded = fill.trading_date > before.trading_date ? fill.trading_date : day
    return closed(
      traded,
      `${verb} ${quantity} ${symbol} at ${price}, order ${order_id}`,
      [shares],
      accounts.settling,
    )
  })
  const settled: Transaction[] = [
    move(day, 'sales settle', accounts.settling, accounts.cash, cents(cash.settledSells)),
    move(day, 'buys settle', accounts.cash, accounts.settling, cents(cash.settledBuys)),
  ]
  const newShares = changes.flatMap(({ symbol, from_dividends, expired, unexplained }): Transaction[] => {
    // The only quantity that nothing but an ex-date explains and that still agrees.
    const amount = from_dividends + (unexplained ?? 0) - expired
    const shares: Posting = { account: accounts.shares, amount, symbol, total: 0 }
    return [{ day, text: `${expired === 0 ? 'new shares' : 'expiry'} of ${symbol}`, postings: [shares] }]
  })
  const evenings = { day, accounts, before: before.cash, after: after.cash, change: cash }
  return [
    ...trades,
    ...settled,
    dividends(evenings),
    ...newShares,
    ...interestAndLoan(evenings),
    ...costs(evenings, fills),
  ].filter(({ postings }) => postings.some(({ amount }) => amount !== 0))
}

/** What the service reports on the evening of a day. Symbols that it no longer names are held with 0. */
export function assertions(
  day: string,
  accounts: Accounts,
  cash: Cash,
  holdings: readonly Holding[],
  symbols: Iterable<string>,
): Assertion[] {
  const held = new Map(holdings.map(({ symbol, quantity }) => [symbol, quantity]))
  return [
    ...balances(accounts, cash).map((balance) => ({ day, ...balance })),
    ...[...symbols]
      .sort()
      .map((symbol) => ({ day, account: accounts.shares, amount: held.get(symbol) ?? 0, symbol })),
  ]
}

function balances(accounts: Accounts, cash: Cash): Posting[] {
  return [
    money(accounts.cash, cents(cash.balance)),
    money(accounts.settling, pending(cash)),
    money(accounts.dividends, cents(cash.dividend)),
    money(accounts.loan, -cents(cash.debt - cash.interest)),
    money(accounts.interestOwed, -cents(cash.interest)),
  ]
}

/** @param amount hundredths of a VND */
function money(account: string, amount: number): Posting {
  return { account, amount, symbol: null }
}

/** Money of trades that is to come, less what is to be paid, hundredths of a VND. */
function pending({ sell_t0, sell_t1, sell_t2, buy_t0, buy_t1, buy_t2 }: Cash): number {
  return cents(sell_t0) + cents(sell_t1) + cents(sell_t2) - cents(buy_t0) - cents(buy_t1) - cents(buy_t2)
}

/** The cash of two evenings, and what it consists of between them. */
interface Evenings {
  /** The later one. */
  readonly day: string
  readonly accounts: Accounts
  readonly before: Cash
  readonly after: Cash
  readonly change: CashChange
}

function dividends({ day, accounts, before, after, change }: Evenings): Transaction {
  const announced = cents(after.dividend) - cents(before.dividend)
  const postings = [money(accounts.cash, cents(change.dividends)), money(accounts.dividends, announced)]
  return closed(day, 'dividends', postings, accounts.income)
}

function interestAndLoan({ day, accounts, before, after, change }: Evenings): Transaction[] {
  const { interest, loan } = change
  const owed = [
    money(accounts.interestOwed, cents(before.interest) - cents(after.interest)),
    money(accounts.cash, -cents(interest)),
  ]
  return [
    closed(day, 'interest', owed, accounts.interest),
    move(day, loan > 0 ? 'loan drawn' : 'loan paid back', accounts.loan, accounts.cash, cents(loan)),
  ]
}

/** Fees and tax are what the service's own figures leave: of sales in what settles, of buys in the balance. */
function costs({ day, accounts, before, after, change }: Evenings, fills: Interval['fills']): Transaction[] {
  const traded = fills.reduce((sum, { side, value }) => sum + (side === 'S' ? 1 : -1) * cents(value ?? 0), 0)
  const left = cents(change.settledSells) - cents(change.settledBuys)
  const inSettling = pending(before) + traded - left - pending(after)
  const inCash =
    cents(before.balance) +
    left +
    cents(change.dividends) +
    cents(change.loan) -
    cents(change.interest) -
    cents(after.balance)
  return [
    move(day, 'fees and tax of sales', accounts.settling, accounts.fees, inSettling),
    move(day, 'fees of buys', accounts.cash, accounts.fees, inCash),
  ]
}

function move(day: string, text: string, from: string, to: string, amount: number): Transaction {
  return { day, text, postings: [money(to, amount), money(from, -amount)] }
}

/** A transaction whose remaining money is posted to one account. Lines of zero are skipped. */
function closed(day: string, text: string, postings: readonly Posting[], account: string): Transaction {
  const rest = postings.reduce(
    (sum, { amount, symbol, total = 0 }) => sum + (symbol ? Math.sign(amount) * total : amount),
    0,
  )
  const lines = [...postings, money(account, -rest)].filter(({ amount }) => amount !== 0)
  return { day, text, postings: lines }
}

/** Hundredths of a VND. */
function cents(amount: number): number {
  return Math.round(amount * 100)
}
