import type { Day } from 'candlehouse-foundation/market/day'

/** Kinds of reasons for which a run ends before it publishes. */
export const FAILURES = [
  /** The run failed for a setting or a credential (exit 3). */
  'settings',
  /** The service as a whole gave up (exit 5). */
  'outage',
  /** A file, a folder or the disk refused (exit 6). */
  'storage',
  /** The command line was wrong (exit 2). */
  'usage',
  /** The program itself failed (exit 1). */
  'bug',
  /** A signal stopped the run (exit 130, 143). */
  'stopped',
] as const

/** Every kind of reason, the most important first: a conclusion has its reasons in this order. */
export const REASON_KINDS = [
  ...FAILURES,
  /** A key of [[accounts]] was refused, or the service failed with it. */
  'key',
  /** The session that was verified with a one-time password is lost, or the password was refused. */
  'session_lost',
  /** The accounts were not read because the service failed. */
  'accounts_failed',
  /** The latest snapshot of an account is partial. */
  'accounts_partial',
  /** No session was ever verified: the accounts are not read. */
  'accounts_skipped',
  /** No answer has the trading date: the service does not have the session yet, or the exchanges were closed. */
  'session_unseen',
  /** Windows are incomplete and the service still serves them. */
  'windows',
  /** The run reached its deadline before it was finished. */
  'deadline',
  /** A rule of severity error is broken: readers see what was published before. */
  'withheld',
  /** A rule is broken also after its rows were fetched again. */
  'unrepaired',
  /** A rule of severity error could not be evaluated although its data should be there. */
  'not_evaluable',
  /** Records were put into ops.quarantine: rejected, or loaded without a field. */
  'rejected',
  /** The bucket does not have the latest publication. */
  'bucket',
  /** A problem without a kind of its own. */
  'problem',
  /** Sessions between requested ones were never requested: no nightly ran for them. */
  'unrequested',
  /** Windows are incomplete and the service no longer serves them. */
  'expired',
  /** The service sends fields that the specification does not have. */
  'drift',
  /** Worth knowing; nothing is to be done. */
  'note',
] as const

export type ReasonKind = (typeof REASON_KINDS)[number]

/** Something that a person should know of a night. */
export interface Reason {
  readonly kind: ReasonKind
  readonly text: string
  /** What it makes of the night; null where it changes neither answer. */
  readonly against: 'complete' | 'trusted' | null
  readonly dataset?: string
  /** `ops.coverage.reason_code` of incomplete windows; null where they have none. */
  readonly code?: string | null
  /** Windows, records or sessions that it is about. */
  readonly count?: number
  /** First trading date that it is about. */
  readonly since?: Day
  /** Last trading date that it is about. */
  readonly until?: Day
  /** Day from which the service no longer serves the first of the windows. */
  readonly expiresOn?: Day
  /** Name of the API key, where the home has several. */
  readonly key?: string
  readonly rule?: number
  /** Job that reported it; absent for what the ledger shows. */
  readonly job?: string
}

/** A command line of this program, as a shell takes it: `isCommand`. */
export type CommandLine = `candlehouse ${string}`

/** A command to type; `command` is null where nothing can close the gap, and `why` says so. */
export interface Advice {
  readonly command: CommandLine | null
  readonly why: string
}

/** The run that a conclusion follows from. */
export interface ConcludedRun {
  readonly job: string
  readonly runId: string
  readonly tradingDate: Day
  /** ISO 8601. */
  readonly finishedAt: string
  readonly exitCode: number
}

/** A nightly. */
export interface Night extends ConcludedRun {
  /** Its first session. */
  readonly from: Day
  /** The command line that repeats it. */
  readonly again: CommandLine
}

/**
 * Whether a night is good, why not, and what to type: the one opinion of the program. The run's last lines, `status`,
 * `doctor`, the report, the console, the metrics and the notification show it.
 */
export interface Conclusion {
  /** The run that ended last: it is concluded after every run. */
  readonly run: ConcludedRun
  /** The last nightly: the run itself, or one before it; null before the first. */
  readonly night: Night | null
  readonly state: 'good' | 'attention' | 'failed' | 'stopped'
  /** One line: `complete`, or what is missing or not trusted. */
  readonly headline: string
  readonly complete: boolean
  readonly trusted: boolean
  /** The most important first. */
  readonly reasons: readonly Reason[]
  /** The most urgent first; empty where nothing is to be done. */
  readonly next: readonly Advice[]
}

/** The reason of a failed run is a line of its own. */
export function shortHeadline({ state, headline }: Pick<Conclusion, 'state' | 'headline'>): string {
  return state === 'failed' || state === 'stopped' ? state : headline
}

/** Reasons that are not only worth knowing. */
export function seriousReasons({ reasons }: Pick<Conclusion, 'reasons'>): readonly Reason[] {
  return reasons.filter(({ kind }) => kind !== 'note')
}

/** The sign of each state, on pages. */
export const SIGNS = { good: '✓', attention: '!', failed: '✕', stopped: '✕' } as const

/** A command with its reason, as a line for a shell; where there is none, the statement that nothing can be typed. */
export function adviceLine({ command, why }: Advice): string {
  return command === null ? why : `${command}    # ${why}`
}
