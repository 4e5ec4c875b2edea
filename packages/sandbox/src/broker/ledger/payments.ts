import { derivativeMoney, money } from './balance.js'
import { loanOf } from './buying-power.js'
import { chart } from './chart-of-accounts.js'
import { VND } from './double-entry-book.js'
import type { Ledger } from './ledger.js'

/** Money arrives in an account, VND; it pays back the loan first, as a margin call asks. */
export function payIn(ledger: Ledger, accountNo: string, amount: number, at: number): void {
  const { book } = ledger
  book.transfer(at, 'paid in', VND, chart.street, chart.cash(accountNo), amount)
  const repaid = Math.min(amount, Math.max(0, loanOf(ledger, accountNo)))
  book.transfer(at, 'loan paid back', VND, chart.cash(accountNo), chart.loan(accountNo), repaid)
}

/** @returns false for more than can be withdrawn: nothing has changed then */
export function payOut(ledger: Ledger, accountNo: string, amount: number, at: number): boolean {
  const isOfContracts = ledger.account(accountNo)?.accountType === 'DERIVATIVE'
  const most = isOfContracts ? derivativeMoney(ledger, accountNo).free : money(ledger, accountNo).withdrawable
  if (amount > most) return false
  ledger.book.transfer(at, 'paid out', VND, chart.cash(accountNo), chart.street, amount)
  return true
}
