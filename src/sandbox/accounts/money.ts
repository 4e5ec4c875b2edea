import { FUTURES_MULTIPLIER } from '../../market/futures.js'
import type { Service } from '../service.js'
import { decimal } from '../wire/format.js'
import { BALANCE_DERIVATIVE, BALANCE_EQUITY, filled, MARGIN_DERIVATIVE, MARGIN_EQUITY } from './fields.js'
import { type Account, CASH, holdings, LOAN, marketValue } from './holdings.js'
import { contractPosition } from './positions.js'

type Figures = Record<string, string>

/** The spec names these fields without explaining them: the sandbox keeps shared ones equal and sums whole. */
interface Money {
  equity: Figures
  derivative: Figures
}

/** Share of a contract's value asked as initial margin. */
const INITIAL_MARGIN = 0.17

export function balance(service: Service, { accountNo, accountType }: Account): Money {
  const cash = CASH[accountType]
  if (accountType !== 'DERIVATIVE') {
    const loan = LOAN[accountType]
    return {
      equity: filled(BALANCE_EQUITY, {
        accountNo,
        accountBalance: cash,
        totalDebt: loan,
        withdrawable: Math.max(0, cash - loan),
      }),
      derivative: filled(BALANCE_DERIVATIVE, { accountNo: '' }),
    }
  }
  const { floatingPL, tradingPL } = contractPosition(service)
  const total = floatingPL + tradingPL
  return {
    equity: filled(BALANCE_EQUITY, { accountNo: '' }),
    derivative: filled(BALANCE_DERIVATIVE, {
      accountNo,
      accountBalance: cash,
      floatingPL,
      tradingPL,
      totalPL: total,
      withdrawable: Math.floor(cash / 2),
      cashDepository: cash,
      withdrawableDepository: Math.floor(cash / 2),
    }),
  }
}

export function margin(service: Service, account: Account): Money {
  const { accountNo, accountType } = account
  const cash = CASH[accountType]
  if (accountType === 'DERIVATIVE') {
    const { floatingPL, tradingPL, net, price } = contractPosition(service)
    const required = Math.round(Math.abs(net) * price * FUTURES_MULTIPLIER * INITIAL_MARGIN)
    return {
      equity: filled(MARGIN_EQUITY, { accountNo: '', action: '', actionBroker: '' }),
      derivative: filled(MARGIN_DERIVATIVE, {
        accountNo,
        accountBalance: cash,
        floatingPL,
        tradingPL,
        totalPL: floatingPL + tradingPL,
        withdrawable: Math.floor(cash / 2),
        totalEquity: cash + floatingPL + tradingPL,
        cashDepository: cash,
        totalAssetDepository: cash,
        withdrawableDepository: Math.floor(cash / 2),
        eeDepository: cash - required,
        marginReqDepository: required,
        accountRatioDepository: decimal(required / cash, 4),
      }),
    }
  }
  const lmv = marketValue(holdings(service, accountType))
  const loan = LOAN[accountType]
  const equity = cash + lmv - loan
  return {
    equity: filled(MARGIN_EQUITY, {
      accountNo,
      accountBalance: cash,
      totalDebt: loan,
      debt: loan,
      liability: loan,
      netLiability: loan,
      withdrawable: Math.max(0, cash - loan),
      ee: Math.max(0, cash - loan),
      purchasingPower: Math.max(0, cash - loan) * (accountType === 'MARGIN' ? 2 : 1),
      action: 'NONE',
      actionBroker: 'NONE',
      equity,
      totalAssets: cash + lmv,
      totalEquity: equity,
      lmv,
      lmvMargin: accountType === 'MARGIN' ? lmv : 0,
      lmvNonMarginable: accountType === 'MARGIN' ? 0 : lmv,
      marginRatio: decimal(equity / (cash + lmv), 4),
    }),
    derivative: filled(MARGIN_DERIVATIVE, { accountNo: '' }),
  }
}
