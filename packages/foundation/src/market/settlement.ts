import type { Day } from './day.js'
import { ruleNumber, ruleOn } from './rulebook.js'

/** Trades of shares settle alike on all boards: the rows of HOSE, the oldest one, reach furthest back. */
const SHARES = { board: 'HOSE', kind: 'stock' } as const

/**
 * Sessions after that of a trade in shares on which it settles (docs/market-facts.md#settlement-and-tax).
 *
 * @throws StorageError where none is recorded for the day
 */
export function settlementCycle(day: Day): number {
  return ruleNumber('settlement_cycle', SHARES, day)
}

/** Exchange time, `HH:mm`, before which trades in shares settle on a settlement day; undefined where none is recorded. */
export function settlementTime(day: Day): string | undefined {
  return ruleOn('settlement_time', SHARES, day)?.value
}
