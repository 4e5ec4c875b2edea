// The four indexes, who belongs to them, and their totals: the sums over their members.

import type { Board, IndexRow, IndexSummaryTruth, MasterRow, SummaryRow } from './rows.js'
import type { SymbolSeed } from './symbols.js'

export const indexRows = (): IndexRow[] => [
  { index: 'VNINDEX', indexName: 'VN-Index', board: 'HOSE' },
  { index: 'VN30', indexName: 'VN30 Index', board: 'HOSE' },
  { index: 'HNXINDEX', indexName: 'HNX-Index', board: 'HNX' },
  { index: 'UPCOMINDEX', indexName: 'UPCOM-Index', board: 'UPCOM' },
]

const OF_BOARD: Record<Board, string> = { HOSE: 'VNINDEX', HNX: 'HNXINDEX', UPCOM: 'UPCOMINDEX' }
const BASE: Record<string, number> = { VNINDEX: 1250, VN30: 1300, HNXINDEX: 230, UPCOMINDEX: 95 }

/** Stocks of a board, on HOSE with its funds; no warrant, no future. */
export const indexesOf = (seed: SymbolSeed): string[] => {
  if (seed.kind === 'warrant' || seed.kind === 'future') return []
  return [OF_BOARD[seed.board], ...(seed.vn30 ? ['VN30'] : [])]
}

export const buildIndexDay = (
  index: string,
  at: number,
  day: string,
  rows: SummaryRow[],
  limits: MasterRow[],
): IndexSummaryTruth => {
  const sum = (pick: (row: SummaryRow) => string): string =>
    String(rows.reduce((total, row) => total + Number(pick(row)), 0))
  const count = (test: (row: SummaryRow, limit: MasterRow | undefined) => boolean): string =>
    String(
      rows.filter((row) =>
        test(
          row,
          limits.find((limit) => limit.symbol === row.symbol),
        ),
      ).length,
    )
  const level = (nth: number): number => (BASE[index] ?? 1000) + (((nth * 3) % 7) - 3) * 1.25
  const change = at === 0 ? 0 : level(at) - level(at - 1)
  const volume = sum((row) => row.totalMatch)
  const value = sum((row) => row.totalMatchValue)
  const deal = sum((row) => row.totalDeal)
  const dealValue = sum((row) => row.totalDealValue)
  return {
    index,
    tradingDate: day,
    totalTrade: String(Number(volume) + Number(deal)),
    totalTradeValue: String(Number(value) + Number(dealValue)),
    totalMatch: volume,
    totalMatchValue: value,
    totalDeal: deal,
    totalDealValue: dealValue,
    indexChange: change.toFixed(2),
    indexChangePercentage: ((change / (level(at) - change)) * 100).toFixed(2),
    indexValue: level(at).toFixed(2),
    totalAdvanceStock: count((row) => Number(row.priceChange) > 0),
    totalCeilingStock: count((row, limit) => row.close === limit?.ceiling),
    totalDeclineStock: count((row) => Number(row.priceChange) < 0),
    totalFloorStock: count((row, limit) => row.close === limit?.floor),
    totalNoChangeStock: count((row) => Number(row.priceChange) === 0),
    totalPropBuy: '1200',
    totalPropBuyValue: '24000000',
    totalPropSell: '1900',
    totalPropSellValue: '38000000',
  }
}
