import { type Row, record } from './record.js'

/** An account (docs/brokerage-api.md#accountinfo): `accountType` is CASH, MARGIN or DERIVATIVE. */
export const account = record(['accountNo', 'accountType'])

export type Account = Row<(typeof account.fields)[number]>

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

/**
 * Purchasing power and margin ratio of an equity account (docs/brokerage-api.md#ppmmraccount). Meaning of the
 * fields: not shown there.
 */
export const equityMargin = record([
  'accountNo',
  'dividend',
  'loanValue',
  'totalDebt',
  'debt',
  'liability',
  'liabilityBroker',
  'netLiability',
  'fees',
  'interestBroker',
  'interestSPV',
  'withdrawable',
  'ee',
  'ee50',
  'ee60',
  'ee70',
  'ee80',
  'ee90',
  'action',
  'actionBroker',
  'equity',
  'equityBroker',
  'eeCash',
  'holdSubscription',
  'bankBalance',
  'onHoldCash',
  'doverdue',
  'doverdue_broker',
  'accountBalance',
  'd',
  'dspv',
  'dbroker',
  'cia',
  'collateralAsset',
  'collateralAssetBroker',
  'totalAssets',
  'totalEquity',
  'totalEquityBroker',
  'callLMV',
  'forceLMV',
  'callLMVBroker',
  'forceLMVBroker',
  'lmv',
  'lmvMargin',
  'lmvMarginBroker',
  'lmvNonMarginable',
  'lmvNonMarginableBroker',
  'preLoan',
  'marginRatio',
  'marginRatioBroker',
  'purchasingPower',
  'eeOrigin',
  'buyUnmatched',
  'sellUnmatched',
  'buyT0',
  'sellT0',
  'sellT1',
  'sellT2',
  'buyT1',
  'buyT2',
  'creditLimit',
  'marginCallLMVSold',
  'marginCallLMVSoldBroker',
  'marginCall',
  'marginCallBroker',
  'collateralA',
  'collateralNon',
  'collateralABroker',
  'collateralNonBroker',
  'callMargin',
  'callForcesell',
  'callMarginBroker',
  'callForcesellBroker',
  'ar',
])

export type EquityMargin = Row<(typeof equityMargin.fields)[number]>

/** Purchasing power and margin of a derivative account (docs/brokerage-api.md#ppmmraccount). */
export const derivativeMargin = record([
  'accountNo',
  'accountBalance',
  'fee',
  'commission',
  'interest',
  'loan',
  'deliveryAmount',
  'floatingPL',
  'tradingPL',
  'totalPL',
  'marginable',
  'depositable',
  'rcCall',
  'withdrawable',
  'nonCashDrawableRCCall',
  'totalEquity',
  'extInterest',
  'cashBroker',
  'cashDepository',
  'validNonCashBroker',
  'validNonCashDepository',
  'totalAssetBroker',
  'totalAssetDepository',
  'withdrawableBroker',
  'withdrawableDepository',
  'eeBroker',
  'eeDepository',
  'spreadMarginBroker',
  'spreadMarginDepository',
  'deliveryMarginBroker',
  'deliveryMarginDepository',
  'marginReqBroker',
  'marginReqDepository',
  'accountRatioBroker',
  'accountRatioDepository',
  'usedLimitWarningLevel1Broker',
  'usedLimitWarningLevel1Depository',
  'usedLimitWarningLevel2Broker',
  'usedLimitWarningLevel2Depository',
  'usedLimitWarningLevel3Broker',
  'usedLimitWarningLevel3Depository',
  'marginCallBroker',
  'marginCallDepository',
])

export type DerivativeMargin = Row<(typeof derivativeMargin.fields)[number]>

/** Answer of ppmmrAccount: either side is null where the account has none. */
export interface Margin {
  readonly equity: EquityMargin | null
  readonly derivative: DerivativeMargin | null
}

/** A holding of an equity account, shares and VND (docs/brokerage-api.md#position). */
export const equityPosition = record([
  'accountNo',
  'symbol',
  'quantity',
  'blockQuantity',
  'dividendQuantity',
  'buyingQuantity',
  'boughtQuantity',
  'sellingQuantity',
  'soldQuantity',
  't1SellQuantity',
  't2SellQuantity',
  'costPrice',
  'mortgageQuantity',
  'sellableQuantity',
  'restrictedQuantity',
])

export type EquityPosition = Row<(typeof equityPosition.fields)[number]>

/** A futures position, contracts and index points (docs/brokerage-api.md#position). */
export const derivativePosition = record([
  'symbol',
  'long',
  'short',
  'net',
  'bidAvgPrice',
  'askAvgPrice',
  'tradePrice',
  'tradingPL',
  'floatingPL',
])

export type DerivativePosition = Row<(typeof derivativePosition.fields)[number]>

/** Answer of position. A plain list under `derivative` (a summary) is `derivativeSummary`. */
export interface Positions {
  readonly equity: readonly EquityPosition[]
  readonly derivativeAccountNo: string | null
  readonly derivativeOpen: readonly DerivativePosition[]
  readonly derivativeClose: readonly DerivativePosition[]
  readonly derivativeSummary: readonly DerivativePosition[]
}

/** How much an account may buy and sell, shares; `purchasingPower` in VND (docs/brokerage-api.md#maxbuysell). */
export const maxQuantity = record(['accountNo', 'maxBuyQty', 'marginRatio', 'maxSellQty', 'purchasingPower'])

export type MaxQuantity = Row<(typeof maxQuantity.fields)[number]>
