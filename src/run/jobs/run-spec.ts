import type { OverrideRequest } from '../../audit/index.js'
import type { History } from '../../import/index.js'
import type { Day } from '../../market/day.js'
import type { Goal } from '../../plan/goal.js'
import type { Job } from './job.js'

/** One run of a job: for which trading date, and what it has to complete. */
export interface RunSpec {
  readonly name: Exclude<Job['name'], 'keepalive'> | 'snapshot' | 'repair' | 'import'
  readonly tradingDate: Day
  readonly goals: readonly Goal[]
  /**
   * `beside`: after the market data, if the API session may read them; `only`: nothing else is requested, and it is an
   * error where the API session may not read them.
   */
  readonly accounts: 'beside' | 'only' | 'none'
  /** Instead of goals: round after round of what is incomplete or broken up to the trading date. @default false */
  readonly repair?: boolean
  /** Instead of goals: a file of the user. No service is opened. */
  readonly history?: History
  /** What the run reports beside what it finds: about the trading date it was given. */
  readonly notes?: readonly string[]
  /** A rule whose breaks are published with this run, on the user's word. */
  readonly override?: OverrideRequest | undefined
}
