import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { ClosedWalk, PageRecord } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'
import type { LandedColumns } from './candles/landed-columns.js'
import type { Steps } from './steps.js'

/** Page walks of one dataset that are loaded together, with what the steps of their loading need. */
export interface WalkBatch {
  readonly steps: Steps
  readonly home: string
  readonly dataset: Dataset
  readonly walks: readonly ClosedWalk[]
  /** Those of the walks. */
  readonly pages: readonly PageRecord[]
  readonly calendar: Calendar
  /** Trading date of the walks. */
  readonly asOf: string
}

export interface LoadOptions {
  /** Whether the pages are compared with the SHA-256 of their journal lines: needed for pages of earlier runs. */
  readonly verify: boolean
  /** Bars of pages that this run has landed, so that they need not be read again. */
  readonly landed?: LandedColumns
}
