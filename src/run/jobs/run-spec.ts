import type { Day } from 'candlehouse-foundation/market/day'
import type { OverrideRequest } from '../../audit/index.js'
import type { History } from '../../import/index.js'
import type { CommandLine } from '../../night/conclusion.js'
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
  /** Instead of goals: fetch incomplete windows and those of open findings again, in rounds. @default false */
  readonly repair?: boolean
  /** `false`: what it loads is checked and published together with what the next run loads. @default true */
  readonly publishes?: boolean
  /** Instead of goals: import a user's file. No service is opened. */
  readonly history?: History
  /** Notes that the run reports besides its own, about the trading date that a person gave. */
  readonly notes?: readonly string[]
  /** The command line that repeats the run. @default `candlehouse NAME` */
  readonly again?: CommandLine
  /** A rule whose breaks the user overrides with this run. */
  readonly override?: OverrideRequest | undefined
}
