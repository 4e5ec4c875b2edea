import type { Board, TradingBoard } from './board.js'
import { parseFuturesCode } from './futures.js'
import { codePattern } from './rulebook.js'

/** `etf` covers closed-end funds too: they trade by the same ticks and count in the same totals. */
export type Kind = 'stock' | 'etf' | 'covered_warrant' | 'future' | 'spread'

/** Fields that show the kind; the API has no field for it. */
export interface KindEvidence {
  symbol: string
  cwUnderlyingSymbol?: string | null
}

const patterns = new Map<Kind, RegExp>()

function isCodeOf(kind: Kind, code: string): boolean {
  let pattern = patterns.get(kind)
  if (!pattern) {
    pattern = new RegExp(`^(?:${codePattern(kind)})$`)
    patterns.set(kind, pattern)
  }
  return pattern.test(code)
}

/** The kind of an instrument: by its underlying, else by the form of its code. */
export function kindOf({ symbol, cwUnderlyingSymbol }: KindEvidence): Kind {
  const code = symbol.toUpperCase()
  if (parseFuturesCode(code)) return 'future'
  if (isCodeOf('spread', code)) return 'spread'
  if (cwUnderlyingSymbol || isCodeOf('covered_warrant', code)) return 'covered_warrant'
  return isCodeOf('etf', code) ? 'etf' : 'stock'
}

/** The board whose trading rules apply: futures and spreads are listed under HNX and have rules of their own. */
export function tradingBoard(kind: Kind, board: Board): TradingBoard {
  return kind === 'future' || kind === 'spread' ? 'DERIVATIVE' : board
}

/**
 * Boards count stocks in totals and breadth; HOSE also ETFs and funds; nobody counts warrants
 * (docs/market-facts.md#board-totals).
 */
export function countsInBoardTotals(kind: Kind, board: Board): boolean {
  return kind === 'stock' || (kind === 'etf' && board === 'HOSE')
}
