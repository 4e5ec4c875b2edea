import type { ConditionalStatus } from './conditional-order.js'

/**
 * Statuses that may follow each status of a conditional order. The names are those of docs/market-facts.md#conditional-order-statuses,
 * their meaning is inferred there; the moves are the sandbox's choice.
 *
 * - INIT created, WAIT waiting for its condition, TRI triggered and sending, TRIT its child order was accepted.
 * - WC: its child order is being cancelled, because the user wants it or for the other leg of an OCO.
 * - FIS fully matched, TER ended before that, EXP validity has passed, ERR the child order was refused.
 */
export const CONDITIONAL_MOVES: Readonly<Record<ConditionalStatus, readonly ConditionalStatus[]>> = {
  INIT: ['WAIT', 'TRI', 'TER', 'EXP'],
  WAIT: ['TRI', 'TER', 'EXP'],
  TRI: ['TRIT', 'ERR'],
  // A GTD whose child has ended with the day waits for the next one.
  TRIT: ['FIS', 'TER', 'WC', 'WAIT', 'EXP'],
  // The child may have matched before its cancel arrived; an OCO then sends its other leg.
  WC: ['TER', 'FIS', 'TRI', 'EXP'],
  TER: [],
  FIS: [],
  EXP: [],
  ERR: [],
}

export function hasEnded(status: ConditionalStatus): boolean {
  return CONDITIONAL_MOVES[status].length === 0
}
