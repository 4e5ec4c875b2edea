import type { TradingBoard } from './board.js'
import type { Day } from './day.js'
import { ruleNumber } from './rulebook.js'

/** Shares or contracts of one round lot of a board. @throws StorageError where none is recorded for the day */
export function lotSize(board: TradingBoard, day: Day): number {
  return ruleNumber('lot_size', { board, kind: board === 'DERIVATIVE' ? 'future' : 'stock' }, day)
}
