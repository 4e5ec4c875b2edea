import type { Day } from '../market/day.js'
import type { Timeframe } from '../market/timeframe.js'
import type { DatasetName } from './datasets.js'

/** What a job wants to be complete. Everything relative is measured from `tradingDate`. */
export interface Goal {
  readonly tradingDate: Day
  /** First and last day wanted. */
  readonly from: Day
  readonly to: Day
  readonly datasets: readonly DatasetName[]
  /** Candle lengths to fetch. */
  readonly timeframes: readonly Timeframe[]
  /** About so many symbols a session have longer candles fetched too: the witnesses of the derived ones; 0: none. */
  readonly crossChecks: number
  /** Only these symbols; all when undefined. */
  readonly symbols: readonly string[] | undefined
  /** Whether daily datasets are asked again where they are complete: what may have been restated. */
  readonly refresh: boolean
}
