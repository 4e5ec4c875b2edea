import {
  candleValue,
  day,
  type FieldTable,
  flag,
  localTime,
  money,
  price,
  quantity,
  ratio,
  text,
} from './field.js'

/**
 * A security (docs/brokerage-api.md#securitiesbyboard). `openInterest` and `settlementPrice` are null for stocks
 * (docs/market-facts.md#numbers-and-nulls).
 */
export const security = {
  symbol: text('Symbol as the exchange writes it; case is kept', { isRequired: true }),
  symbolNameVi: text('Name in Vietnamese'),
  symbolNameEn: text('Name in English'),
  board: text('Board: HOSE, HNX or UPCOM. Changes when a symbol moves'),
  lotSize: quantity('Round lot, in shares or contracts'),
  maturityDate: day('Maturity of a covered warrant, bond or future; null otherwise'),
  firstTradingDate: day('First trading date'),
  lastTradingDate: day('Last trading date of a covered warrant or future; null otherwise'),
  cwUnderlyingSymbol: text('Underlying symbol of a covered warrant; null otherwise'),
  cwExercisePrice: price('Exercise price of a covered warrant', { unit: 'VND' }),
  cwExecutionRatio: text('Exercise ratio of a covered warrant as text, k:1 = k warrants for one share'),
  listedShare: quantity('Listed shares or units'),
  icbCode: text('Industry code (ICB)'),
  icbName: text('Industry name (ICB)'),
  iIndex: price('Indicative index value of an ETF', { unit: 'VND a unit', isOfMoment: true }),
  iNav: price('Indicative net asset value of an ETF', { unit: 'VND a unit', isOfMoment: true }),
  openInterest: quantity('Open interest of a future', {
    unit: 'contracts',
    remark: 'null for stocks',
    isOfMoment: true,
  }),
  settlementPrice: price('Settlement price of a future', {
    unit: 'index points',
    remark: 'null for stocks',
    isOfMoment: true,
  }),
} satisfies FieldTable

/** An index (docs/brokerage-api.md#indexlist). */
export const marketIndex = {
  index: text('Index, as the index list spells it', { column: 'index_code', isRequired: true }),
  indexName: text('Name'),
  board: text('Board: HOSE, HNX or UPCOM'),
} satisfies FieldTable

/**
 * One security's trading day (docs/brokerage-api.md#securitiessummary, docs/market-facts.md#units). `tradingDate` as sent.
 */
export const securitiesSummary = {
  symbol: text('Symbol', { isRequired: true }),
  tradingDate: day('Trading date, exchange calendar (UTC+7)', { isRequired: true }),
  priceChange: price('close - reference price', { unit: 'VND (futures: index points)', isComputed: true }),
  priceChangePercentage: ratio('price_change / reference price', { unit: 'percent' }),
  open: price('First price matched', { unit: 'VND (futures: index points), unadjusted' }),
  high: price('Highest price matched, unadjusted'),
  low: price('Lowest price matched, unadjusted'),
  close: price('Last price matched, unadjusted'),
  average: price('Volume-weighted average price', { unit: 'VND (futures: index points)', isComputed: true }),
  totalMatch: quantity('Matched volume', { unit: 'shares or contracts', remark: 'put-through excluded' }),
  totalMatchValue: money('Matched value', { unit: 'VND (futures: average x volume x 100,000)' }),
  totalBuy: quantity(
    'Buy orders: one of total_buy and total_trade_buy is a count, the other a volume; deployments differ',
  ),
  totalTradeBuy: quantity('See total_buy'),
  totalSell: quantity('Sell orders: as total_buy'),
  totalTradeSell: quantity('See total_sell'),
  totalForeignBuy: quantity('Bought by foreign investors', { unit: 'shares' }),
  totalForeignBuyValue: money('Bought by foreign investors'),
  totalForeignSell: quantity('Sold by foreign investors', { unit: 'shares' }),
  totalForeignSellValue: money('Sold by foreign investors'),
  remainForeignRoom: quantity('Shares foreigners may still buy; negative = over the limit'),
  totalForeignRoom: quantity('Shares foreigners may hold in all'),
  totalDeal: quantity('Put-through (negotiated) volume', { unit: 'shares' }),
  totalDealValue: money('Put-through value'),
  openInterest: quantity('Open interest of a future', { unit: 'contracts', remark: 'null for stocks' }),
  settlementPrice: price('Settlement price of a future', { unit: 'index points', remark: 'null for stocks' }),
} satisfies FieldTable

/** One index's trading day (docs/brokerage-api.md#indexsummary). It does not contain the index. */
export const indexSummary = {
  tradingDate: day('Trading date, exchange calendar (UTC+7)', { isRequired: true }),
  totalTrade: quantity('Traded volume, matched and put-through (or a count: deployments differ)'),
  totalTradeValue: money('Traded value'),
  totalMatch: quantity('Matched volume', { unit: 'shares' }),
  totalMatchValue: money('Matched value'),
  totalDeal: quantity('Put-through volume', { unit: 'shares' }),
  totalDealValue: money('Put-through value'),
  indexChange: price('index_value - previous index_value', { unit: 'points', isComputed: true }),
  indexChangePercentage: ratio('index_change / previous index_value', { unit: 'percent' }),
  indexValue: price('Index at the close', { unit: 'points', isComputed: true }),
  totalAdvanceStock: quantity('Stocks that closed above reference'),
  totalCeilingStock: quantity('Stocks that closed at the ceiling; part of total_advance_stock'),
  totalDeclineStock: quantity('Stocks that closed below reference'),
  totalFloorStock: quantity('Stocks that closed at the floor; part of total_decline_stock'),
  totalNoChangeStock: quantity('Stocks that closed at reference'),
  totalPropBuy: quantity('Bought by proprietary desks', { unit: 'shares' }),
  totalPropBuyValue: money('Bought by proprietary desks'),
  totalPropSell: quantity('Sold by proprietary desks', { unit: 'shares' }),
  totalPropSellValue: money('Sold by proprietary desks'),
} satisfies FieldTable

/**
 * Price limits of a day (docs/brokerage-api.md#masterdata). Live models write `board` for `exchange`
 * (docs/market-facts.md#board-or-exchange).
 */
export const masterdata = {
  symbol: text('Symbol', { isRequired: true }),
  exchange: text('Board on that day (live deployments call the field board)', { live: 'board' }),
  tradingDate: day('Trading date, exchange calendar (UTC+7)', { isRequired: true }),
  ceiling: price('Highest price allowed', { unit: 'VND (futures: index points)' }),
  floor: price('Lowest price allowed'),
  refPrice: price('Reference price; already ex-rights on an ex-date'),
} satisfies FieldTable

/**
 * A candle (docs/brokerage-api.md#ohlc). Intraday `tradingDate` is the start of the bar, UTC+7
 * (docs/market-facts.md#minute-bars).
 */
export const candle = {
  symbol: text('Symbol', { isRequired: true }),
  tradingDate: localTime('Trading date, exchange calendar (UTC+7)', { isRequired: true }),
  open: price('First price', { unit: 'VND (futures: index points), unadjusted' }),
  high: price('Highest price, unadjusted'),
  low: price('Lowest price, unadjusted'),
  close: price('Last price, unadjusted'),
  volume: quantity('Volume', { unit: 'shares or contracts' }),
  value: candleValue('Value'),
} satisfies FieldTable

/** A corporate action as a user's file declares it: the service has none. */
export const corporateAction = {
  line: text('Line of the file', { column: null }),
  symbol: text('Symbol as the exchange writes it; case is kept', { isRequired: true }),
  exDate: day('First session without the right or dividend', { isRequired: true }),
  kind: text('cash_dividend, stock_dividend, bonus, rights, split or consolidation', { isRequired: true }),
  ratio: ratio(
    'stock_dividend, bonus, rights: new shares per share held (0.1 for 10 %). split, consolidation: shares after per share before (2 for two from one, 0.1 for one from ten). Null for cash_dividend',
  ),
  amount: price('cash_dividend: VND per share; null for the other kinds'),
  price: price('rights: price of a new share', { unit: 'VND', remark: 'null for the other kinds' }),
  isWithdrawn: flag('Whether a later file withdrew it: it then counts nowhere'),
} satisfies FieldTable
