export { withheldWords } from '../lake/withheld-rows.js'

import type { TrustedRule } from '../audit/index.js'
import type { Withheld } from '../lake/withheld-rows.js'
import type { Conclusion } from './conclusion.js'
import type { Finding } from './findings.js'
import type { WatchedRows } from './watched-rows.js'

export interface DatasetSummary {
  dataset: string
  windows: number
  requests: number
  rows: number
  changed: number
  rejected: number
  /** Windows that are not complete, with the reason. */
  missing: string[]
}

/** A rule that does not hold, with its worst offender. */
export type BrokenRule = Omit<Finding, 'state' | 'checked' | 'note'>

/** The results of the rules on what a run loaded: findings by state, and the broken ones. */
export interface Checks {
  pass: number
  soft: number
  break: number
  notEvaluable: number
  breaks: BrokenRule[]
  /** All withheld sessions, also from earlier runs. */
  withheld: Withheld[]
  /** Rules that could be listed in `data/reference/strict_rules.csv`: rows they call soft would then be breaks. */
  couldBeListed: TrustedRule[]
}

/** How a run ended: complete (0), worth a look (4), failed, or stopped by a signal (130, 143). */
export type RunOutcome = 'complete' | 'attention' | 'failed' | 'stopped'

/** How far a run came with the accounts of one key. */
export interface AccountsOfKey {
  /**
   * `partial`: something is missing. `skipped`: there is no session that was verified with a one-time password. `refused`:
   * the service refused the key, or it is not set. `failed`: the service gave up. Null: the run reads no accounts.
   */
  readonly accounts: 'complete' | 'partial' | 'skipped' | 'refused' | 'failed' | null
  /** Null where they are complete, and where the run reads none. */
  readonly why: string | null
}

/** How a run ended with one key of `[[accounts]]`. */
export interface KeySummary extends AccountsOfKey {
  readonly name: string
  /** Whether market data was requested with it. */
  readonly market: boolean
}

/** How a run ended, as printed, as `--json`, and as `logs/last-run.json`. Instants are ISO 8601, UTC. */
export interface RunSummary {
  job: string
  runId: string
  tradingDate: string
  /** The exit code as a word. */
  outcome: RunOutcome
  exitCode: number
  startedAt: string
  finishedAt: string
  datasets: DatasetSummary[]
  /** Null where no rule was run: the run failed before. */
  checks: Checks | null
  /** The keys of `[[accounts]]` that the run used, in their order; absent where the home has only one key. */
  keys?: readonly KeySummary[]
  /** Rows of the user's own watches that are reported by this run; absent where there are none. Their lines are notes too. */
  watches?: readonly WatchedRows[]
  notes: string[]
  /** Commands to type next: those of the conclusion, then those that show what the run brought. */
  next: string[]
  /** Whether the night is good, why not, and what closes its gaps. */
  conclusion: Conclusion
}
