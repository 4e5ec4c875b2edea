/**
 * Boards as the API writes them (docs/brokerage-api.md#securitiesbyboard); their lists together name every
 * symbol.
 */
export const BOARDS = ['HOSE', 'HNX', 'UPCOM'] as const

/** A board; futures are listed under HNX. */
export type Board = (typeof BOARDS)[number]

/** Where trading rules differ: the three boards and the derivatives market. */
export const TRADING_BOARDS = [...BOARDS, 'DERIVATIVE'] as const
export type TradingBoard = (typeof TRADING_BOARDS)[number]

export function isBoard(text: string): text is Board {
  return (BOARDS as readonly string[]).includes(text)
}

export function isTradingBoard(text: string): text is TradingBoard {
  return (TRADING_BOARDS as readonly string[]).includes(text)
}
