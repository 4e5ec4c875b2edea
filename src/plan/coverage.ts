import type { Day } from '../market/day.js'
import type { Timeframe } from '../market/timeframe.js'

/** State of a window in the ledger. */
export type CoverageState = 'complete' | 'empty' | 'incomplete' | 'refused'

/** What one symbol's session looked like; `traded` is null where its summary does not tell the matched volume. */
export interface TradedDay {
  symbol: string
  day: Day
  traded: boolean | null
}

/**
 * What the planner knows of the warehouse, for the sessions it plans: the one thing that is read back. A plain
 * value, so that a plan can be reasoned about (and tested) without a database.
 */
export interface Coverage {
  /** Symbols that the latest lists name; with `delisted`, those that only summaries know. */
  listed: readonly string[]
  delisted: readonly string[]
  indexes: readonly string[]
  /** Days that were answered with nothing although a later session has data. */
  learnedClosed: readonly Day[]
  /** Days with data that the calendar believes closed. */
  learnedOpen: readonly Day[]
  /**
   * How the service gives daily summaries, as far as it ever said: the whole market in one answer, or, since it
   * refused that or had nothing for it, by symbol.
   */
  summaryForm: 'market' | 'symbol'
  /** Sessions of the horizon by symbol, as the daily summaries tell. */
  traded: readonly TradedDay[]
  /** State of a window, undefined when never asked. */
  stateOf(dataset: string, key: string, timeframe: Timeframe | '', day: Day): CoverageState | undefined
}

export const noCoverage: Coverage = {
  listed: [],
  delisted: [],
  indexes: [],
  learnedClosed: [],
  learnedOpen: [],
  summaryForm: 'market',
  traded: [],
  stateOf: () => undefined,
}
