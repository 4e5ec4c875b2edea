import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { Stage } from '../../plan/datasets.js'

/** A step of a job. `session`: refresh the API session. */
export type Step = Stage | 'accounts' | 'publish' | 'session'

/** A job of `jobs/`: its schedule, its steps, and the sessions that it covers. */
export interface Job {
  readonly name: 'nightly' | 'backfill' | 'keepalive'
  /** One line for the help and the printed units. */
  readonly about: string
  /** Cron, five fields: minute hour day-of-month month day-of-week. */
  readonly schedule: string
  /** IANA zone of the schedule. */
  readonly zone: 'Asia/Ho_Chi_Minh'
  /** In the order in which they run. */
  readonly steps: readonly Step[]
  /** Timeframes that it fetches. Views derive the others: from 1m, and 1d from the daily summaries. */
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
