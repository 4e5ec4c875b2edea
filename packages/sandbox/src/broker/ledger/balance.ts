import { BALANCE_DERIVATIVE, BALANCE_EQUITY, filled } from './answer-fields.js'
import { collateral, contractProfit, loanOf, marginRequired } from './buying-power.js'
import { chart, sessionOf } from './chart-of-accounts.js'
import type { Account } from './custody-view.js'
import type { Ledger } from './ledger.js'
import { tradeValue } from './tariff.js'

/** Both sides of an answer. The side that does not apply has an empty account number. */
export interface Sides {
  readonly equity: Record<string, string>
  readonly derivative: Record<string, string>
}

/** Figures of an equity account's money, VND; balance and PP/MMR both use them, so that they agree. */
export function money(ledger: Ledger, accountNo: string) {
  const { book, holds } = ledger
  const sumOfSession = (name: 'paying' | 'receiving', sessions: number): number =>
    book
      .below(`${accountNo}/${name}/`)
      .filter(({ account }) => ledger.session() - sessionOf(account) === sessions)
      .reduce((sum, { amount }) => sum + amount, 0)
  const sum = (name: string): number =>
    book.below(`${accountNo}/${name}/`).reduce((total, { amount }) => total + amount, 0)
  const reserved = book.balance(chart.reserved(accountNo))
  const cash = book.balance(chart.cash(accountNo))
  const loan = loanOf(ledger, accountNo)
  const interest = 0 - book.balance(chart.interest(accountNo))
  const sells = [...holds.values()].filter((hold) => hold.accountNo === accountNo && hold.side === 'S')
  return {
    cash,
    interest,
    loan,
    accountBalance: cash + reserved + sum('paying'),
    totalDebt: loan + interest,
    withdrawable: Math.max(0, cash - loan - interest),
    onHoldCash: reserved + sum('paying'),
    sellUnmatched: sells.reduce(
      (total, hold) => total + tradeValue(hold.instrument, hold.quantity, hold.price),
      0,
    ),
    sellT0: sumOfSession('receiving', 0),
    sellT1: sumOfSession('receiving', 1),
    sellT2: sumOfSession('receiving', 2),
    receiving: sum('receiving'),
    buyUnmatched: reserved,
    buyT0: sumOfSession('paying', 0),
    buyT1: sumOfSession('paying', 1),
    buyT2: sumOfSession('paying', 2),
    dividend: sum('dividend'),
  }
}

/** Figures of a derivative account, VND. All money is at the depository. */
export function derivativeMoney(ledger: Ledger, accountNo: string) {
  const { book } = ledger
  const cash = book.balance(chart.cash(accountNo))
  const profit = contractProfit(ledger, accountNo)
  const required = marginRequired(ledger, accountNo)
  const free = Math.max(0, collateral(ledger, accountNo) - required)
  return { cash, profit, required, free, variation: book.balance(chart.variation(accountNo)) }
}

/** accountBalance of the specification. */
export function balance(ledger: Ledger, { accountNo, accountType }: Account): Sides {
  if (accountType === 'DERIVATIVE') {
    const { cash, profit, free, variation } = derivativeMoney(ledger, accountNo)
    return {
      equity: filled(BALANCE_EQUITY, { accountNo: '' }),
      derivative: filled(BALANCE_DERIVATIVE, {
        accountNo,
        accountBalance: cash,
        deliveryAmount: variation,
        floatingPL: profit.floating,
        tradingPL: profit.trading,
        totalPL: profit.total,
        withdrawable: free,
        cashDepository: cash,
        withdrawableDepository: free,
      }),
    }
  }
  const { cash: _, loan: __, interest, receiving: ___, ...figures } = money(ledger, accountNo)
  return {
    equity: filled(BALANCE_EQUITY, { accountNo, ...figures, interestLoan: interest }),
    derivative: filled(BALANCE_DERIVATIVE, { accountNo: '' }),
  }
}
