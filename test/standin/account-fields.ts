// Names of the balance and purchasing power fields, as listed in the specification.

const words = (text: string): string[] => text.trim().split(/[\s,]+/)

const bothSuffixes = (names: string[]): string[] =>
  ['Broker', 'Depository'].flatMap((suffix) => names.map((name) => `${name}${suffix}`))

export const BALANCE_EQUITY = words(
  `accountBalance totalDebt interestLoan overdueFeeLoan withdrawable onHoldCash sellUnmatched sellT0 sellT1 sellT2
  buyUnmatched buyT0 buyT1 buyT2 advancedCashT0 advancedCashT1 holdSubscription dividend`,
)

export const BALANCE_DERIVATIVE = [
  ...words(
    `accountBalance fee commission interest extInterest loan deliveryAmount floatingPL tradingPL totalPL
    withdrawable`,
  ),
  ...bothSuffixes(words('cash validNonCash withdrawable')),
]

export const POWER_EQUITY = words(
  `dividend loanValue totalDebt debt liability liabilityBroker netLiability fees interestBroker interestSPV
  withdrawable ee ee50 ee60 ee70 ee80 ee90 action actionBroker equity equityBroker eeCash holdSubscription
  bankBalance onHoldCash doverdue doverdue_broker accountBalance d dspv dbroker cia collateralAsset
  collateralAssetBroker totalAssets totalEquity totalEquityBroker callLMV forceLMV callLMVBroker forceLMVBroker lmv
  lmvMargin lmvMarginBroker lmvNonMarginable lmvNonMarginableBroker preLoan marginRatio marginRatioBroker
  purchasingPower eeOrigin buyUnmatched sellUnmatched buyT0 sellT0 sellT1 sellT2 buyT1 buyT2 creditLimit
  marginCallLMVSold marginCallLMVSoldBroker marginCall marginCallBroker collateralA collateralNon
  collateralABroker collateralNonBroker callMargin callForcesell callMarginBroker callForcesellBroker ar`,
)

export const POWER_DERIVATIVE = [
  ...words(
    `accountBalance fee commission interest loan deliveryAmount floatingPL tradingPL totalPL marginable depositable
    rcCall withdrawable nonCashDrawableRCCall totalEquity extInterest`,
  ),
  ...bothSuffixes(
    words(
      `cash validNonCash totalAsset withdrawable ee spreadMargin deliveryMargin marginReq accountRatio
      usedLimitWarningLevel1 usedLimitWarningLevel2 usedLimitWarningLevel3 marginCall`,
    ),
  ),
]

/** A record of these fields: the nth is `start + n * step`, or "0" all over when the step is 0. */
export const filled = (accountNo: string, names: string[], start: number, step: number) => ({
  accountNo,
  ...Object.fromEntries(names.map((name, at) => [name, String(step === 0 ? 0 : start + at * step)])),
})
