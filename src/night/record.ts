import type { Day } from 'candlehouse-foundation/market/day'
import type { CommandLine, ConcludedRun, Conclusion, ReasonKind } from './conclusion.js'

/** A problem that a run reports; it ends with 4. */
export interface Problem {
  readonly kind: ReasonKind
  readonly text: string
  /** Name of the API key, where the home has several. */
  readonly key?: string
  readonly rule?: number
}

/** The error that ended a run. */
export interface Failure {
  readonly message: string
  readonly hint: string | undefined
}

/** Incomplete windows of one dataset that share a reason, from the ledger. */
export interface GapGroup {
  readonly dataset: string
  readonly code: string | null
  /** The most frequent text of the reason. */
  readonly reason: string
  readonly windows: number
  readonly from: Day
  readonly to: Day
  /** Symbols, indexes or accounts: the first of them, and how many there are. */
  readonly keys: readonly string[]
  readonly keyCount: number
  readonly expiresOn: Day | null
  /** Whether the service still serves them. */
  readonly served: boolean
  /** Whether they are of the sessions that the night, or this run, was for. */
  readonly ofNight: boolean
}

/** An open finding of severity error, over all subjects and days of its rule. */
export interface OpenError {
  readonly rule: number
  readonly title: string
  readonly sessions: number
  readonly from: Day
  readonly to: Day
  readonly relations: readonly string[]
  /** Symbols, or codes of indexes, whose rows are withheld: the first of them, and how many there are; none: whole sessions. */
  readonly keys: readonly string[]
  readonly keyCount: number
  /** Whether its rows are of the market: those of accounts cannot be fetched again. */
  readonly ofMarket: boolean
}

/** Sessions that no run has requested although earlier and later ones were. */
export interface Unrequested {
  readonly datasets: readonly string[]
  readonly sessions: number
  readonly from: Day
  readonly to: Day
  /** Day from which the service no longer serves the first of them; null where they never expire. */
  readonly expiresOn: Day | null
}

export interface LedgerFacts {
  readonly gaps: readonly GapGroup[]
  readonly openErrors: readonly OpenError[]
  readonly rejected: readonly {
    readonly dataset: string
    readonly reason: string
    readonly records: number
  }[]
  readonly drift: readonly { readonly dataset: string; readonly fields: string }[]
  /** Trading date of the latest nightly if it was killed or stopped; null if it has ended. */
  readonly killedNight: Day | null
  /** Null where every session between requested ones was requested. */
  readonly unrequested: Unrequested | null
}

/** Of a ledger that shows nothing. */
export const EMPTY_LEDGER: LedgerFacts = {
  gaps: [],
  openErrors: [],
  rejected: [],
  drift: [],
  killedNight: null,
  unrequested: null,
}

/** Everything that a conclusion follows from. */
export interface NightRecord {
  readonly run: ConcludedRun
  /** First session that the run was for; null where it fetched no sessions. */
  readonly from: Day | null
  /** The command line that repeats the run. */
  readonly again: CommandLine
  /** Option that repeats the run's trading date in another command: ` --date D`, or empty for the latest closed session. */
  readonly dateOption: string
  readonly failure: Failure | null
  readonly problems: readonly Problem[]
  readonly notes: readonly string[]
  /** Commands that the run itself asks for. */
  readonly asks: readonly CommandLine[]
  /** Windows that the run wanted and did not get, by dataset, as it printed them. */
  readonly missing: readonly { readonly dataset: string; readonly line: string }[]
  /** Names of the keys whose accounts the run has tried to read. */
  readonly keysRead: readonly string[]
  /** Whether the run has published, and so brought the bucket up to date. */
  readonly published: boolean
  readonly ledger: LedgerFacts
  /** The conclusion before this run; null before the first. */
  readonly before: Conclusion | null
}
