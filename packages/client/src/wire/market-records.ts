import { type Row, record } from './record.js'

/**
 * A security (docs/brokerage-api.md#securitiesbyboard). `openInterest` and `settlementPrice` are null for
 * stocks (docs/market-facts.md#numbers-and-nulls).
 */
export const security = record([
  'symbol',
  'symbolNameVi',
  'symbolNameEn',
  'board',
  'lotSize',
  'maturityDate',
  'firstTradingDate',
  'lastTradingDate',
  'cwUnderlyingSymbol',
  'cwExercisePrice',
  'cwExecutionRatio',
  'listedShare',
  'icbCode',
  'icbName',
  'iIndex',
  'iNav',
  'openInterest',
  'settlementPrice',
])

export type Security = Row<(typeof security.fields)[number]>

/** An index (docs/brokerage-api.md#indexlist). */
export const marketIndex = record(['index', 'indexName', 'board'])

export type MarketIndex = Row<(typeof marketIndex.fields)[number]>

/**
 * One security's trading day (docs/brokerage-api.md#securitiessummary): prices in VND, quantities in shares,
 * values in VND; futures in index points and contracts (docs/market-facts.md#units). `tradingDate` as sent.
 */
export const securitiesSummary = record([
  'symbol',
  'tradingDate',
  'priceChange',
  'priceChangePercentage',
  'open',
  'high',
  'low',
  'close',
  'average',
  'totalMatch',
  'totalMatchValue',
  'totalBuy',
  'totalTradeBuy',
  'totalSell',
  'totalTradeSell',
  'totalForeignBuy',
  'totalForeignBuyValue',
  'totalForeignSell',
  'totalForeignSellValue',
  'remainForeignRoom',
  'totalForeignRoom',
  'totalDeal',
  'totalDealValue',
  'openInterest',
  'settlementPrice',
])

export type SecuritiesSummary = Row<(typeof securitiesSummary.fields)[number]>

/** One index's trading day (docs/brokerage-api.md#indexsummary). It does not contain the index. */
export const indexSummary = record([
  'tradingDate',
  'totalTrade',
  'totalTradeValue',
  'totalMatch',
  'totalMatchValue',
  'totalDeal',
  'totalDealValue',
  'indexChange',
  'indexChangePercentage',
  'indexValue',
  'totalAdvanceStock',
  'totalCeilingStock',
  'totalDeclineStock',
  'totalFloorStock',
  'totalNoChangeStock',
  'totalPropBuy',
  'totalPropBuyValue',
  'totalPropSell',
  'totalPropSellValue',
])

export type IndexSummary = Row<(typeof indexSummary.fields)[number]>

/**
 * Price limits of a day, VND (docs/brokerage-api.md#masterdata). Live models write `board` for `exchange`
 * (docs/market-facts.md#board-or-exchange).
 */
export const masterData = record(['symbol', 'exchange', 'tradingDate', 'ceiling', 'floor', 'refPrice'], {
  aliases: { board: 'exchange' },
})

export type MasterData = Row<(typeof masterData.fields)[number]>

/**
 * A candle (docs/brokerage-api.md#ohlc). Intraday `tradingDate` is the start of the bar, UTC+7
 * (docs/market-facts.md#minute-bars).
 */
export const candle = record(['symbol', 'tradingDate', 'open', 'high', 'low', 'close', 'volume', 'value'])

export type Candle = Row<(typeof candle.fields)[number]>
