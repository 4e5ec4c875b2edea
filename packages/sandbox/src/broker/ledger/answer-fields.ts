/** Field names of the account answers, in the order of the specification. */

export const BALANCE_EQUITY = [
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
]

const SIDES = ['Broker', 'Depository']

/** A name for the broker's figure and one for the depository's. */
const forBothSides = (...names: string[]) => SIDES.flatMap((side) => names.map((name) => `${name}${side}`))

export const BALANCE_DERIVATIVE = [
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
  ...forBothSides('cash', 'validNonCash', 'withdrawable'),
]

export const MARGIN_EQUITY = [
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
]

export const MARGIN_DERIVATIVE = [
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
  ...forBothSides(
    'cash',
    'validNonCash',
    'totalAsset',
    'withdrawable',
    'ee',
    'spreadMargin',
    'deliveryMargin',
  ),
  ...forBothSides('marginReq', 'accountRatio', 'usedLimitWarningLevel1', 'usedLimitWarningLevel2'),
  ...forBothSides('usedLimitWarningLevel3', 'marginCall'),
]

export const EQUITY_POSITION = [
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
]

export const DERIVATIVE_POSITION = [
  'symbol',
  'long',
  'short',
  'net',
  'bidAvgPrice',
  'askAvgPrice',
  'tradePrice',
  'tradingPL',
  'floatingPL',
]

/** Every field as a string: the given value, or `0`. */
export function filled(
  fields: readonly string[],
  values: Readonly<Record<string, string | number>>,
): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, String(values[field] ?? 0)]))
}
