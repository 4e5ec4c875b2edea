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
  const money = balances(accounts, cash).map(
    ({ account, amount }): Posting => ({ account, amount, symbol: null }),
  )
  return closed(day, 'opening balances', [...shares, ...money], accounts.opening)
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
  const newShares = changes.flatMap(({ symbol, from_dividends, unexplained }): Transaction[] => {
    // The only quantity that nothing but an ex-date explains and that still agrees.
    const amount = from_dividends + (unexplained ?? 0)
    const shares: Posting = { account: accounts.shares, amount, symbol, total: 0 }
    return [{ day, text: `new shares of ${symbol}`, postings: [shares] }]
  })
  return [
    ...trades,
    ...settled,
    ...dividends(day, accounts, before.cash, after.cash, cash),
    ...newShares,
    ...interestAndLoan(day, accounts, before.cash, after.cash, cash),
    ...costs(day, accounts, interval, before.cash, after.cash, cash),
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
    ...balances(accounts, cash).map(({ account, amount }) => ({ day, account, amount, symbol: null })),
    ...[...symbols]
      .sort()
      .map((symbol) => ({ day, account: accounts.shares, amount: held.get(symbol) ?? 0, symbol })),
  ]
}

function balances(accounts: Accounts, cash: Cash): { account: string; amount: number }[] {
  return [
    { account: accounts.cash, amount: cents(cash.balance) },
    { account: accounts.settling, amount: pending(cash) },
    { account: accounts.dividends, amount: cents(cash.dividend) },
    { account: accounts.loan, amount: -cents(cash.debt - cash.interest) },
    { account: accounts.interestOwed, amount: -cents(cash.interest) },
  ]
}

/** Money of trades that is to come, less what is to be paid, hundredths of a VND. */
function pending({ sell_t0, sell_t1, sell_t2, buy_t0, buy_t1, buy_t2 }: Cash): number {
  return cents(sell_t0) + cents(sell_t1) + cents(sell_t2) - cents(buy_t0) - cents(buy_t1) - cents(buy_t2)
}

function dividends(
  day: string,
  accounts: Accounts,
  then: Cash,
  now: Cash,
  { dividends: paid }: CashChange,
): Transaction[] {
  const announced = cents(now.dividend) - cents(then.dividend)
  const postings = [
    { account: accounts.cash, amount: cents(paid), symbol: null },
    { account: accounts.dividends, amount: announced, symbol: null },
  ]
  return [closed(day, 'dividends', postings, accounts.income)]
}

function interestAndLoan(
  day: string,
  accounts: Accounts,
  then: Cash,
  now: Cash,
  { interest, loan }: CashChange,
): Transaction[] {
  const owed = [
    { account: accounts.interestOwed, amount: cents(then.interest) - cents(now.interest), symbol: null },
    { account: accounts.cash, amount: -cents(interest), symbol: null },
  ]
  return [
    closed(day, 'interest', owed, accounts.interest),
    move(day, loan > 0 ? 'loan drawn' : 'loan paid back', accounts.loan, accounts.cash, cents(loan)),
  ]
}

/** Fees and tax are what the service's own figures leave: of sales in what settles, of buys in the balance. */
function costs(
  day: string,
  accounts: Accounts,
  { fills }: Interval,
  then: Cash,
  now: Cash,
  change: CashChange,
): Transaction[] {
  const traded = fills.reduce((sum, { side, value }) => sum + (side === 'S' ? 1 : -1) * cents(value ?? 0), 0)
  const left = cents(change.settledSells) - cents(change.settledBuys)
  const inSettling = pending(then) + traded - left - pending(now)
  const inCash =
    cents(then.balance) +
    left +
    cents(change.dividends) +
    cents(change.loan) -
    cents(change.interest) -
    cents(now.balance)
  return [
    move(day, 'fees and tax of sales', accounts.settling, accounts.fees, inSettling),
    move(day, 'fees of buys', accounts.cash, accounts.fees, inCash),
  ]
}

function move(day: string, text: string, from: string, to: string, amount: number): Transaction {
  return {
    day,
    text,
    postings: [
      { account: to, amount, symbol: null },
      { account: from, amount: -amount, symbol: null },
    ],
  }
}

/** A transaction whose remaining money is posted to one account. Lines of zero are skipped. */
function closed(day: string, text: string, postings: readonly Posting[], account: string): Transaction {
  const money = postings.reduce(
    (sum, { amount, symbol, total = 0 }) => sum + (symbol ? Math.sign(amount) * total : amount),
    0,
  )
  const lines = [...postings, { account, amount: -money, symbol: null }].filter(({ amount }) => amount !== 0)
  return { day, text, postings: lines }
}

/** Hundredths of a VND. */
function cents(amount: number): number {
  return Math.round(amount * 100)
}
