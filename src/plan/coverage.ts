import type { LearnedDays } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'

/** State of a window in the ledger, of those that the service answered: `imported` windows are requested as if never fetched. */
export type CoverageState = 'complete' | 'empty' | 'incomplete' | 'refused'

/** Whether a symbol traded in a session; `traded` is null if its summary has no matched volume. */
export interface TradedDay {
  symbol: string
  day: Day
  traded: boolean | null
}

/** Symbols that no list, now or in the past, and no stored row has, and the names that could have been meant. */
export interface SymbolCheck {
  readonly unknown: readonly string[]
  readonly known: readonly string[]
}

/** One session of a symbol's candles. */
export interface UnfinishedCandles {
  symbol: string
  timeframe: Timeframe
  day: Day
}

/** Candles of one session of a symbol with rows that break a rule. */
export interface BrokenCandles extends UnfinishedCandles {
  /** As the plan shows it: `rule 8 is broken`. */
  why: string
}

/**
 * Coverage of the sessions that are planned, and other facts of the warehouse that a plan follows from. A plain value, so that
 * a plan can be tested without a database.
 */
export interface Coverage extends LearnedDays {
  /** `listed`: symbols of the latest lists. `delisted`: others that the sessions may have had. */
  listed: readonly string[]
  delisted: readonly string[]
  /** Of the symbols that a user typed (`Goal.mustBeKnown`). */
  typed: SymbolCheck
  /** Those of the latest list, and those that it lacks until the lists of three trading dates do. */
  indexes: readonly string[]
  /**
   * How daily summaries are requested: the whole market in one request, or by symbol if the service refused that or
   * returned nothing for it.
   */
  summaryForm: 'market' | 'symbol'
  /** Sessions of each symbol, from the daily summaries. */
  traded: readonly TradedDay[]
  /**
   * Candle windows that are incomplete. They are requested again even if nothing else requests them any more: a symbol was
   * requested before its summary was known, and did not trade.
   */
  unfinished: readonly UnfinishedCandles[]
  /**
   * Candle windows with rows that are withheld from readers, because they break a rule of severity `error` that nobody has
   * overridden: a repair would request them.
   */
  broken: readonly BrokenCandles[]
  /**
   * Symbol → sessions before the planned ones on which it traded and for which its daily bar was never requested. Only symbols
   * whose daily bars are fetched in this run (`latestTurns` of `daily-cross-checks.ts`).
   */
  uncompared: ReadonlyMap<string, readonly Day[]>
  /** State of a window; undefined if it was never requested. */
  stateOf(dataset: string, key: string, timeframe: Timeframe | '', day: Day): CoverageState | undefined
  /** Whether the service refused the query for a window: beyond a limit (state `refused`), or not (`incomplete`). */
  isRefusedQuery(dataset: string, key: string, day: Day): boolean
}

export const noCoverage: Coverage = {
  listed: [],
  delisted: [],
  typed: { unknown: [], known: [] },
  indexes: [],
  learnedClosed: [],
  learnedOpen: [],
  summaryForm: 'market',
  traded: [],
  unfinished: [],
  broken: [],
  uncompared: new Map(),
  stateOf: () => undefined,
  isRefusedQuery: () => false,
}
