import { BOARDS } from 'candlehouse-foundation/market/board'
import type { Coverage } from './coverage.js'
import type { Goal } from './goal.js'
import { refuseUnknownSymbols } from './symbol-names.js'

/**
 * Refuses unknown symbols that a user typed, before anything of them is requested: an answer to a mistyped name is empty, and
 * would be stored as such. Only complete lists of all boards show that a symbol does not exist.
 *
 * @throws UsageError naming the nearest symbols
 */
export function requireKnownSymbols({ tradingDate }: Goal, { typed, listed, stateOf }: Coverage): void {
  const isWhole = (board: string): boolean =>
    ['complete', 'empty'].includes(stateOf('securities', board, '', tradingDate) ?? '')
  if (listed.length > 0 && BOARDS.every(isWhole)) refuseUnknownSymbols(typed.unknown, typed.known)
}
