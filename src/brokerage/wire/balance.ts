import { type Row, record } from './record.js'

/** Cash of an equity account, VND (docs/brokerage-api.md#accountbalance). Meaning of the fields: not shown there. */
export const equityBalance = record([
  'accountNo',
  'accountBalance',
  'totalDebt',
  'interestLoan',
  'overdueFeeLoan',
  'withdrawable',
  'onHoldCash',
  'sellUnmatched',
  'sellT0',
  'sellT1',
  'sellT2',
  'buyUnmatched',
  'buyT0',
  'buyT1',
  'buyT2',
  'advancedCashT0',
  'advancedCashT1',
  'holdSubscription',
  'dividend',
])

export type EquityBalance = Row<(typeof equityBalance.fields)[number]>

/** Cash of a derivative account, VND (docs/brokerage-api.md#accountbalance), at the broker and at the depository. */
export const derivativeBalance = record([
  'accountNo',
  'accountBalance',
  'fee',
  'commission',
  'interest',
  'extInterest',
  'loan',
  'deliveryAmount',
  'floatingPL',
  'tradingPL',
  'totalPL',
  'withdrawable',
  'cashBroker',
  'cashDepository',
  'validNonCashBroker',
  'validNonCashDepository',
  'withdrawableBroker',
  'withdrawableDepository',
])

export type DerivativeBalance = Row<(typeof derivativeBalance.fields)[number]>

/** Answer of accountBalance: either side is null where the account has none. */
export interface Balance {
  readonly equity: EquityBalance | null
  readonly derivative: DerivativeBalance | null
}
