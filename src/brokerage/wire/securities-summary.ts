import { type Row, record } from './record.js'

/**
 * One security's trading day (spec, Securities summary record): prices in VND, quantities in shares, values in VND;
 * futures in index points and contracts (field notes §1). `tradingDate` as sent.
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
