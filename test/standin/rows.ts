// The records of the service, field by field as the specification names them. The truth is kept in the
// wire form of the specification: strings, `YYYY/MM/DD`, intraday `YYYY/MM/DD HH:mm:ss`.

export type Board = 'HOSE' | 'HNX' | 'UPCOM'

export interface SecurityRow {
  symbol: string
  symbolNameVi: string
  symbolNameEn: string
  board: string
  lotSize: string
  maturityDate: string
  firstTradingDate: string
  lastTradingDate: string
  cwUnderlyingSymbol: string
  cwExercisePrice: string
  cwExecutionRatio: string
  listedShare: string
  icbCode: string
  icbName: string
  iIndex: string
  iNav: string
  openInterest: string | null
  settlementPrice: string | null
}

export interface IndexRow {
  index: string
  indexName: string
  board: string
}

export interface SummaryRow {
  symbol: string
  tradingDate: string
  priceChange: string
  priceChangePercentage: string
  open: string
  high: string
  low: string
  close: string
  average: string
  totalMatch: string
  totalMatchValue: string
  totalBuy: string
  totalTradeBuy: string
  totalSell: string
  totalTradeSell: string
  totalForeignBuy: string
  totalForeignBuyValue: string
  totalForeignSell: string
  totalForeignSellValue: string
  remainForeignRoom: string
  totalForeignRoom: string
  totalDeal: string
  totalDealValue: string
  openInterest: string | null
  settlementPrice: string | null
}

/** The wire record carries no index name: `index` is known to the truth only and never served. */
export interface IndexSummaryTruth {
  index: string
  tradingDate: string
  totalTrade: string
  totalTradeValue: string
  totalMatch: string
  totalMatchValue: string
  totalDeal: string
  totalDealValue: string
  indexChange: string
  indexChangePercentage: string
  indexValue: string
  totalAdvanceStock: string
  totalCeilingStock: string
  totalDeclineStock: string
  totalFloorStock: string
  totalNoChangeStock: string
  totalPropBuy: string
  totalPropBuyValue: string
  totalPropSell: string
  totalPropSellValue: string
}

export interface MasterRow {
  symbol: string
  exchange: string
  tradingDate: string
  ceiling: string
  floor: string
  refPrice: string
}

export interface CandleRow {
  symbol: string
  tradingDate: string
  open: string
  high: string
  low: string
  close: string
  volume: string
  value: string
}

export type Row = Record<string, unknown>

/** Fields that hold text, not a number, whatever their content looks like. */
export const TEXT_FIELDS = new Set([
  'symbol',
  'symbolNameVi',
  'symbolNameEn',
  'board',
  'maturityDate',
  'firstTradingDate',
  'stockType',
  'lastTradingDate',
  'cwUnderlyingSymbol',
  'cwExecutionRatio',
  'icbCode',
  'icbName',
  'index',
  'indexName',
  'exchange',
  'tradingDate',
  'accountNo',
  'accountType',
  'clientRequestId',
  'orderId',
  'side',
  'orderType',
  'inputTime',
  'modifiedTime',
  'orderStatus',
  'message',
  'fcoId',
  'username',
  'type',
  'status',
  'detail',
  'from',
  'to',
  'params',
  'state',
  'time',
  'code',
  'action',
  'actionBroker',
])

export const DATE_FIELDS = new Set([
  'tradingDate',
  'maturityDate',
  'firstTradingDate',
  'lastTradingDate',
  'inputTime',
  'modifiedTime',
  'from',
  'to',
])
