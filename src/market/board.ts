/** A board as the API writes it; futures are listed under HNX. */
export type Board = 'HOSE' | 'HNX' | 'UPCOM'

/** Where trading rules differ: the three boards, and the derivatives market beside them. */
export type TradingBoard = Board | 'DERIVATIVE'

const TRADING_BOARDS: readonly TradingBoard[] = ['HOSE', 'HNX', 'UPCOM', 'DERIVATIVE']

export function isTradingBoard(text: string): text is TradingBoard {
  return (TRADING_BOARDS as readonly string[]).includes(text)
}
