import type { Day } from '../market/day.js'
import type { Timeframe } from '../market/timeframe.js'

/** State of a window in the ledger. */
export type CoverageState = 'complete' | 'empty' | 'incomplete' | 'refused'

/** Whether a symbol traded in a session; `traded` is null if its summary has no matched volume. */
export interface TradedDay {
  symbol: string
  day: Day
  traded: boolean | null
}

/** One session of a symbol's candles. */
export interface UnfinishedCandles {
  symbol: string
  timeframe: Timeframe
  day: Day
}

/**
 * What the planner knows of the warehouse for the sessions that it plans. A plain value, so that a plan can be tested
 * without a database.
 */
export interface Coverage {
  /** `listed`: symbols of the latest lists. `delisted`: symbols that only summaries name. */
  listed: readonly string[]
  delisted: readonly string[]
  indexes: readonly string[]
  /** Days of the goal for which the service returned nothing although a later session has data. */
  learnedClosed: readonly Day[]
  /** Days of the goal with data: sessions, whatever the calendar believes. */
  learnedOpen: readonly Day[]
  /**
   * How daily summaries are requested: the whole market in one request, or by symbol if the service refused that or
   * returned nothing for it.
   */
  summaryForm: 'market' | 'symbol'
  /** Sessions of each symbol, from the daily summaries. */
  traded: readonly TradedDay[]
  /**
   * Candle windows that are incomplete. They are requested again also where nothing else asks for them any more: a symbol
   * was asked while its summary was not known, and did not trade.
   */
  unfinished: readonly UnfinishedCandles[]
  /**
   * Sessions before those that are planned on which a symbol traded and of which nobody asked for its daily bar, for symbols
   * whose daily bars have their turn (`daily-cross-checks.ts`).
   */
  uncompared: ReadonlyMap<string, readonly Day[]>
  /** State of a window; undefined if it was never requested. */
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
  unfinished: [],
  uncompared: new Map(),
  stateOf: () => undefined,
}
