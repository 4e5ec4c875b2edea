import { type Row, record } from './record.js'

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
