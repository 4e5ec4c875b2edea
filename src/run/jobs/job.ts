import type { Timeframe } from '../../market/timeframe.js'
import type { Stage } from '../../plan/datasets.js'

/** What a job does, in this order. `session`: refresh the API session, and nothing else. */
export type Step = Stage | 'accounts' | 'publish' | 'session'

/** A job of `jobs/`: when it runs, what it does, how far back it looks. */
export interface Job {
  readonly name: 'nightly' | 'backfill' | 'keepalive'
  /** One line for the help and the printed units. */
  readonly about: string
  /** Cron, five fields: minute hour day-of-month month day-of-week. */
  readonly schedule: string
  /** IANA zone of the schedule. */
  readonly zone: 'Asia/Ho_Chi_Minh'
  readonly steps: readonly Step[]
  /** Candle lengths it fetches; the others are derived by view: from 1m, and 1d from the daily summaries. */
  readonly timeframes: readonly Timeframe[]
  /**
   * About how many symbols per session have longer candles fetched too, to compare with the derived ones; and whether daily
   * bars are fetched in rotation. @default 0: none
   */
  readonly crossChecks?: number
  /** How far back from its trading date, which is included; null for a job that fetches nothing. */
  readonly window: { readonly count: number; readonly of: 'sessions' | 'years' } | null
}

/** A job that fetches data. */
export type DataJob = Job & { readonly window: NonNullable<Job['window']> }
