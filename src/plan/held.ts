import type { Day } from '../market/day.js'
import type { Timeframe } from '../market/timeframe.js'

/** State of a window in the ledger. */
export type CoverageState = 'complete' | 'empty' | 'incomplete' | 'refused'

/** What one symbol's session looked like; `traded` is false only when the service said that nothing matched. */
export interface TradedDay {
  symbol: string
  day: Day
  traded: boolean
}

/**
 * What the planner knows of the warehouse, for the sessions it plans: the one thing that is read back. A plain
 * value, so that a plan can be reasoned about (and tested) without a database.
 */
export interface Held {
  /** Symbols that the latest lists name; with `delisted`, those that only summaries know. */
  listed: readonly string[]
  delisted: readonly string[]
  indexes: readonly string[]
  /** Days that were answered with nothing although a later session has data. */
  learnedClosed: readonly Day[]
  /** Days with data that the calendar believes closed. */
  learnedOpen: readonly Day[]
  /** Sessions of the horizon by symbol, as the daily summaries tell. */
  traded: readonly TradedDay[]
  /** State of a window, undefined when never asked. */
  coverage(dataset: string, key: string, timeframe: Timeframe | '', day: Day): CoverageState | undefined
}

export const nothingHeld: Held = {
  listed: [],
  delisted: [],
  indexes: [],
  learnedClosed: [],
  learnedOpen: [],
  traded: [],
  coverage: () => undefined,
}
