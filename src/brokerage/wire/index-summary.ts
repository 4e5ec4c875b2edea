import { type Row, record } from './record.js'

/** One index's trading day (docs/brokerage-api.md#indexsummary). It does not say which index it is. */
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
