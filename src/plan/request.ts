import type { Day } from '../market/day.js'
import type { DatasetName, Window } from './datasets.js'

/** One walk to make, and why. */
export interface WindowRequest extends Window {
  readonly why: string
  /** Pages it will take, as far as can be known before. */
  readonly pages: number
}

/** What is not asked for, and why: said, never silently dropped. */
export interface SkippedWindows {
  readonly dataset: DatasetName
  readonly from: Day
  readonly to: Day
  readonly why: string
}

/** Rows a page may hold; clients of live deployments send 1000 (docs/market-facts.md#page-size). */
export const PAGE_SIZE = 1000
