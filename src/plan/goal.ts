import type { Day } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { DatasetName } from './datasets.js'

/** The sessions, datasets and timeframes that a run has to complete. The service's limits of age count from `tradingDate`. */
export interface Goal {
  readonly tradingDate: Day
  /** First and last day wanted. */
  readonly from: Day
  readonly to: Day
  readonly datasets: readonly DatasetName[]
  readonly timeframes: readonly Timeframe[]
  /**
   * About how many symbols per session are cross-checked with a longer timeframe; 0: no cross-checks at all, not of daily bars
   * either.
   */
  readonly crossChecks: number
  /** Only these symbols; all when undefined. */
  readonly symbols: readonly string[] | undefined
  /**
   * Symbols that a user typed, which a list or a stored row has to know: a typing mistake ends the run before anything is
   * requested. Never symbols from an answer of the service: those are as they are. @default none
   */
  readonly mustBeKnown?: readonly string[] | undefined
  /** Whether complete daily windows are requested again, because the service may have restated them. */
  readonly refresh: boolean
  /**
   * Whether candles that break a rule of severity `error` are requested again, although their windows are complete. The service
   * may have corrected them, and until then readers do not see them. @default false
   */
  readonly retriesBroken?: boolean
}
