import { filled, MARGIN_DERIVATIVE, MARGIN_EQUITY } from './answer-fields.js'
import { derivativeMoney, money, type Sides } from './balance.js'
import { CREDIT_LIMIT, equityPower, lendable, marketValue } from './buying-power.js'
import type { Account } from './custody-view.js'
import type { Ledger } from './ledger.js'
import { isBelow, quotientText, type Rate, shareOf } from './rate.js'

/**
 * Assets at which equity falls to a ratio of what is at risk, whole VND: debt / (1 − ratio), less what sales that have not settled will
 * pay back.
 */
const assetsAt = (debt: number, settling: number, { part, of }: Rate): number =>
  shareOf(Math.max(0, debt * of - settling * part), { part: 1, of: of - part }, 'nearest')

/**
 * ppmmrAccount of the specification, which names the fields and does not explain them: each is derived here from
 * the ledger in the sense its name suggests. Figures "at the broker" are the same figures: the sandbox has one rule
 * book. Fields without a feature in the sandbox are zero; `packages/sandbox/README.md` lists them.
 */
export function margin(ledger: Ledger, account: Account): Sides {
  return account.accountType === 'DERIVATIVE' ? derivative(ledger, account) : equity(ledger, account)
}

function equity(ledger: Ledger, account: Account): Sides {
  const { accountNo, accountType } = account
  const figures = money(ledger, accountNo)
  const { accountBalance, totalDebt, withdrawable, receiving, dividend, loan, interest, cash } = figures
  const { all: lmv, marginable, lent } = marketValue(ledger, accountNo)
  const lends = accountType === 'MARGIN'
  const { call, sell } = ledger.marginRatios
  const lmvMargin = lends ? marginable : 0
  const totalAssets =
    accountBalance - figures.buyT0 - figures.buyT1 - figures.buyT2 + receiving + dividend + lmv
  const net = totalAssets - totalDebt
  const power = equityPower(ledger, account)
  const excess = (percent: number): number =>
    cash + receiving - totalDebt + shareOf(lmvMargin, { part: percent, of: 100 }, 'nearest')
  // What was sold and has not settled counts as paid back: the broker does not ask twice.
  const settling = Math.min(receiving, totalDebt)
  const atRisk = totalAssets - settling
  const called = totalDebt > receiving && isBelow(net, atRisk, call)
  const marginCall = called ? shareOf(atRisk, call, 'up') - net : 0
  const action = called ? (isBelow(net, atRisk, sell) ? 'FORCESELL' : 'CALL') : 'NONE'
  const callLMV = assetsAt(totalDebt, settling, call)
  const forceLMV = assetsAt(totalDebt, settling, sell)
  const callMargin = called ? 1 : 0
  const callForcesell = action === 'FORCESELL' ? 1 : 0
  const figuresOfBothSides = {
    liability: totalDebt,
    action,
    equity: net,
    collateralAsset: lmvMargin,
    totalEquity: net,
    callLMV,
    forceLMV,
    lmvMargin,
    lmvNonMarginable: lmv - lmvMargin,
    marginRatio: quotientText(net, totalAssets, 4),
    // Sales that pay back debt make the assets smaller and leave the equity.
    marginCallLMVSold: shareOf(marginCall, { part: call.of, of: call.part }, 'up'),
    marginCall,
    collateralA: lmvMargin,
    collateralNon: lmv - lmvMargin,
    callMargin,
    callForcesell,
  }
  const atBroker = Object.fromEntries(
    Object.entries(figuresOfBothSides).map(([name, value]) => [`${name}Broker`, value]),
  )
  return {
    equity: filled(MARGIN_EQUITY, {
      ...figures,
      ...figuresOfBothSides,
      ...atBroker,
      accountNo,
      loanValue: lends ? lent : 0,
      debt: loan,
      d: loan,
      dbroker: loan,
      netLiability: Math.max(0, totalDebt - cash),
      interestBroker: interest,
      ee: power,
      eeOrigin: Math.max(0, cash),
      eeCash: Math.max(0, cash),
      ee50: excess(50),
      ee60: excess(60),
      ee70: excess(70),
      ee80: excess(80),
      ee90: excess(90),
      withdrawable,
      bankBalance: accountBalance,
      cia: receiving,
      totalAssets,
      lmv,
      preLoan: lendable(ledger, account),
      purchasingPower: power,
      creditLimit: lends ? CREDIT_LIMIT : 0,
      ar: receiving,
    }),
    derivative: filled(MARGIN_DERIVATIVE, { accountNo: '' }),
  }
}

function derivative(ledger: Ledger, { accountNo }: Account): Sides {
  const { cash, profit, required, free, variation } = derivativeMoney(ledger, accountNo)
  const asset = cash + variation + profit.total
  const call = Math.max(0, required - asset)
  return {
    equity: filled(MARGIN_EQUITY, { accountNo: '', action: '', actionBroker: '' }),
    derivative: filled(MARGIN_DERIVATIVE, {
      accountNo,
      accountBalance: cash,
      deliveryAmount: variation,
      floatingPL: profit.floating,
      tradingPL: profit.trading,
      totalPL: profit.total,
      marginable: cash,
      depositable: cash,
      rcCall: call,
      withdrawable: free,
      totalEquity: asset,
      cashDepository: cash,
      totalAssetDepository: asset,
      withdrawableDepository: free,
      eeDepository: asset - required,
      marginReqDepository: required,
      accountRatioDepository: asset <= 0 ? '0' : quotientText(required, asset, 4),
      usedLimitWarningLevel1Depository: '0.8',
      usedLimitWarningLevel2Depository: '0.9',
      usedLimitWarningLevel3Depository: '1',
      marginCallDepository: call,
    }),
  }
}
