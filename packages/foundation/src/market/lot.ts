import type { TradingBoard } from './board.js'

/** Round lot in shares, or contracts for futures. Matched volume outside the odd-lot book is a multiple of it. */
export const ROUND_LOT: Record<TradingBoard, number> = { HOSE: 100, HNX: 100, UPCOM: 100, DERIVATIVE: 1 }
