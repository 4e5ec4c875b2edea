import { type FieldTable, money, price, quantity, ratio, text } from './field.js'

const DIGITS = 'Account number; its last digit is its type: 1 cash, 6 margin, 8 derivative'

/** In the answer to a request that names the account. */
export const accountNumber = text(DIGITS, { isAsked: true })

/** An account (docs/brokerage-api.md#accountinfo). */
export const account = {
  accountNo: text(DIGITS, { isRequired: true }),
  accountType: text('CASH, MARGIN or DERIVATIVE'),
} satisfies FieldTable

/** Cash of an equity account (docs/brokerage-api.md#accountbalance). Meaning of the fields: not shown there. */
export const equityBalance = {
  accountNo: accountNumber,
  accountBalance: money('Cash of the account'),
  totalDebt: money('Debt in all'),
  interestLoan: money('Interest on loans'),
  overdueFeeLoan: money('Fees of overdue loans'),
  withdrawable: money('Cash that may be withdrawn'),
  onHoldCash: money('Cash held for orders or other purposes'),
  sellUnmatched: money('Value of sell orders not yet matched'),
  sellT0: money('Sold today, to be settled'),
  sellT1: money('Sold one session ago, to be settled'),
  sellT2: money('Sold two sessions ago, to be settled'),
  buyUnmatched: money('Value of buy orders not yet matched'),
  buyT0: money('Bought today, to be settled'),
  buyT1: money('Bought one session ago, to be settled'),
  buyT2: money('Bought two sessions ago, to be settled'),
  advancedCashT0: money('Proceeds of today paid in advance'),
  advancedCashT1: money('Proceeds of one session ago paid in advance'),
  holdSubscription: money('Cash held for subscriptions of rights'),
  dividend: money('Cash dividends to come'),
} satisfies FieldTable

/** Cash of a derivative account (docs/brokerage-api.md#accountbalance), at the broker and at the depository. */
export const derivativeBalance = {
  accountNo: accountNumber,
  accountBalance: money('Cash of the account'),
  fee: money('Fees'),
  commission: money('Commission'),
  interest: money('Interest'),
  extInterest: money('Other interest'),
  loan: money('Loan'),
  deliveryAmount: money('Amount to be delivered'),
  floatingPL: money('Profit or loss of open positions'),
  tradingPL: money('Profit or loss of closed positions'),
  totalPL: money('Profit or loss in all'),
  withdrawable: money('Cash that may be withdrawn'),
  cashBroker: money(),
  cashDepository: money(),
  validNonCashBroker: money(),
  validNonCashDepository: money(),
  withdrawableBroker: money(),
  withdrawableDepository: money(),
} satisfies FieldTable

/**
 * Purchasing power and margin ratio of an equity account (docs/brokerage-api.md#ppmmraccount). Meaning of the fields: not shown
 * there.
 */
export const equityMargin = {
  accountNo: accountNumber,
  dividend: money('Cash dividends to come'),
  loanValue: money(),
  totalDebt: money('Debt in all'),
  debt: money(),
  liability: money(),
  liabilityBroker: money(),
  netLiability: money(),
  fees: money(),
  interestBroker: money(),
  interestSPV: money(),
  withdrawable: money('Cash that may be withdrawn'),
  ee: money(),
  ee50: money(),
  ee60: money(),
  ee70: money(),
  ee80: money(),
  ee90: money(),
  action: text('Word of the broker for what is due, such as a margin call'),
  actionBroker: text("The same by the broker's own rules"),
  equity: money(),
  equityBroker: money(),
  eeCash: money(),
  holdSubscription: money('Cash held for subscriptions of rights'),
  bankBalance: money(),
  onHoldCash: money('Cash held for orders or other purposes'),
  doverdue: money(),
  doverdue_broker: money(),
  accountBalance: money('Cash of the account'),
  d: money(),
  dspv: money(),
  dbroker: money(),
  cia: money(),
  collateralAsset: money(),
  collateralAssetBroker: money(),
  totalAssets: money(),
  totalEquity: money(),
  totalEquityBroker: money(),
  callLMV: money(),
  forceLMV: money(),
  callLMVBroker: money(),
  forceLMVBroker: money(),
  lmv: money(),
  lmvMargin: money(),
  lmvMarginBroker: money(),
  lmvNonMarginable: money(),
  lmvNonMarginableBroker: money(),
  preLoan: money(),
  marginRatio: ratio('Margin ratio as the broker writes it'),
  marginRatioBroker: ratio("Margin ratio by the broker's own rules, as written"),
  purchasingPower: money('Purchasing power'),
  eeOrigin: money(),
  buyUnmatched: money('Value of buy orders not yet matched'),
  sellUnmatched: money('Value of sell orders not yet matched'),
  buyT0: money('Bought today, to be settled'),
  sellT0: money('Sold today, to be settled'),
  sellT1: money('Sold one session ago, to be settled'),
  sellT2: money('Sold two sessions ago, to be settled'),
  buyT1: money('Bought one session ago, to be settled'),
  buyT2: money('Bought two sessions ago, to be settled'),
  creditLimit: money(),
  marginCallLMVSold: money(),
  marginCallLMVSoldBroker: money(),
  marginCall: money(),
  marginCallBroker: money(),
  collateralA: money(),
  collateralNon: money(),
  collateralABroker: money(),
  collateralNonBroker: money(),
  callMargin: money(),
  callForcesell: money(),
  callMarginBroker: money(),
  callForcesellBroker: money(),
  ar: ratio('ar: a ratio as written; its meaning is not given by the specification'),
} satisfies FieldTable

/** Purchasing power and margin of a derivative account (docs/brokerage-api.md#ppmmraccount). */
export const derivativeMargin = {
  accountNo: accountNumber,
  accountBalance: money('Cash of the account'),
  fee: money('Fees'),
  commission: money('Commission'),
  interest: money('Interest'),
  loan: money('Loan'),
  deliveryAmount: money('Amount to be delivered'),
  floatingPL: money('Profit or loss of open positions'),
  tradingPL: money('Profit or loss of closed positions'),
  totalPL: money('Profit or loss in all'),
  marginable: money(),
  depositable: money(),
  rcCall: money(),
  withdrawable: money('Cash that may be withdrawn'),
  nonCashDrawableRCCall: money(),
  totalEquity: money(),
  extInterest: money('Other interest'),
  cashBroker: money(),
  cashDepository: money(),
  validNonCashBroker: money(),
  validNonCashDepository: money(),
  totalAssetBroker: money(),
  totalAssetDepository: money(),
  withdrawableBroker: money(),
  withdrawableDepository: money(),
  eeBroker: money(),
  eeDepository: money(),
  spreadMarginBroker: money(),
  spreadMarginDepository: money(),
  deliveryMarginBroker: money(),
  deliveryMarginDepository: money(),
  marginReqBroker: money(),
  marginReqDepository: money(),
  accountRatioBroker: ratio(
    'accountRatio at the broker, a ratio as written; its meaning is not given by the specification',
  ),
  accountRatioDepository: ratio(
    'accountRatio at the depository, a ratio as written; its meaning is not given by the specification',
  ),
  usedLimitWarningLevel1Broker: ratio(
    'usedLimitWarningLevel1 at the broker, a ratio as written; its meaning is not given by the specification',
  ),
  usedLimitWarningLevel1Depository: ratio(
    'usedLimitWarningLevel1 at the depository, a ratio as written; its meaning is not given by the specification',
  ),
  usedLimitWarningLevel2Broker: ratio(
    'usedLimitWarningLevel2 at the broker, a ratio as written; its meaning is not given by the specification',
  ),
  usedLimitWarningLevel2Depository: ratio(
    'usedLimitWarningLevel2 at the depository, a ratio as written; its meaning is not given by the specification',
  ),
  usedLimitWarningLevel3Broker: ratio(
    'usedLimitWarningLevel3 at the broker, a ratio as written; its meaning is not given by the specification',
  ),
  usedLimitWarningLevel3Depository: ratio(
    'usedLimitWarningLevel3 at the depository, a ratio as written; its meaning is not given by the specification',
  ),
  marginCallBroker: money(),
  marginCallDepository: money(),
} satisfies FieldTable

/** A holding of an equity account (docs/brokerage-api.md#position). */
export const equityPosition = {
  accountNo: accountNumber,
  symbol: text('Symbol of the security or contract', { isRequired: true }),
  quantity: quantity('Quantity', { unit: 'shares or contracts' }),
  blockQuantity: quantity('Shares blocked'),
  dividendQuantity: quantity('Shares to come from dividends'),
  buyingQuantity: quantity('Shares in buy orders not yet matched'),
  boughtQuantity: quantity('Shares bought today'),
  sellingQuantity: quantity('Shares in sell orders not yet matched'),
  soldQuantity: quantity('Shares sold today'),
  t1SellQuantity: quantity('Shares sold one session ago, to be delivered'),
  t2SellQuantity: quantity('Shares sold two sessions ago, to be delivered'),
  costPrice: price('Average cost of a share', { unit: 'VND' }),
  mortgageQuantity: quantity('Shares mortgaged'),
  sellableQuantity: quantity('Shares that may be sold now'),
  restrictedQuantity: quantity('Shares restricted from trading'),
} satisfies FieldTable

/** A futures position (docs/brokerage-api.md#position). */
export const derivativePosition = {
  symbol: text('Symbol of the security or contract', { isRequired: true }),
  long: quantity('Contracts long'),
  short: quantity('Contracts short'),
  net: quantity('Contracts long less short'),
  bidAvgPrice: price('Average price of buys', { unit: 'index points' }),
  askAvgPrice: price('Average price of sells', { unit: 'index points' }),
  tradePrice: price('Price the position is valued at', { unit: 'index points' }),
  tradingPL: money('Profit or loss of closed positions'),
  floatingPL: money('Profit or loss of open positions'),
} satisfies FieldTable

/** How much an account may buy and sell at a price (docs/brokerage-api.md#maxbuysell). */
export const maxQuantity = {
  accountNo: text('Account number', { column: null }),
  maxBuyQty: quantity('Most that can be bought at the price'),
  marginRatio: ratio('Margin ratio as the broker writes it'),
  maxSellQty: quantity('Most that can be sold'),
  purchasingPower: money('Purchasing power'),
} satisfies FieldTable
