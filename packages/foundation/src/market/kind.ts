import type { Board, TradingBoard } from './board.js'
import { parseFuturesCode } from './futures.js'

/** `etf` covers closed-end funds too: they trade by the same ticks and count in the same totals. */
export type Kind = 'stock' | 'etf' | 'covered_warrant' | 'future'

/** Fields that show the kind; the API has no field for it. */
export interface KindEvidence {
  symbol: string
  cwUnderlyingSymbol?: string | null
}

const COVERED_WARRANT = /^C[A-Z][A-Z0-9]{2}\d{4}$/
const FUND = /^(E1VFVN30|FU[A-Z][A-Z0-9]+)$/

/** The kind of an instrument: by its underlying, else by the form of its code. */
export function kindOf({ symbol, cwUnderlyingSymbol }: KindEvidence): Kind {
  const code = symbol.toUpperCase()
  if (parseFuturesCode(code)) return 'future'
  if (cwUnderlyingSymbol || COVERED_WARRANT.test(code)) return 'covered_warrant'
  return FUND.test(code) ? 'etf' : 'stock'
}

/** The board whose trading rules apply: futures are listed under HNX and have rules of their own. */
export function tradingBoard(kind: Kind, board: Board): TradingBoard {
  return kind === 'future' ? 'DERIVATIVE' : board
}

/**
 * Boards count stocks in totals and breadth; HOSE also ETFs and funds; nobody counts warrants
 * (docs/market-facts.md#board-totals).
 */
export function countsInBoardTotals(kind: Kind, board: Board): boolean {
  return kind === 'stock' || (kind === 'etf' && board === 'HOSE')
}
