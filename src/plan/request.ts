import type { Day } from 'candlehouse-foundation/market/day'
import type { DatasetName, FetchedName, Window } from './datasets.js'

/** One page walk to fetch, and why. */
export interface WindowRequest extends Window<FetchedName> {
  readonly why: string
  /** Expected number of pages. */
  readonly pages: number
}

/** Windows that are not requested, and why: reported, never dropped silently. */
export interface SkippedWindows {
  readonly dataset: DatasetName
  readonly from: Day
  readonly to: Day
  readonly why: string
}

/** Windows to fetch, and those that are not fetched. */
export interface PlannedRequests {
  readonly requests: readonly WindowRequest[]
  readonly skipped: readonly SkippedWindows[]
}

/** Rows a page may hold; clients of live deployments send 1000 (docs/market-facts.md#page-size). */
export const PAGE_SIZE = 1000
