import type { CommandLine } from '../../night/conclusion.js'
import type { Problem } from '../../night/record.js'
import type { KeySummary } from '../../night/summary.js'
import { type WatchedRows, watchLines } from '../../night/watched-rows.js'
import type { SkippedWindows } from '../../plan/request.js'
import type { MissingWindow } from '../../warehouse/missing.js'

/** Everything that a run reports at its end besides its counts. Filled while it works. */
export class RunReport {
  readonly notes: string[] = []
  /** Rows of the user's own watches, as of the last publication of the run. */
  watches: readonly WatchedRows[] = []
  /** Problems of a run that did not fail: it ends with 4. */
  readonly problems: Problem[] = []
  /** What is said, and no problem of the run: accounts that nobody has logged in for, breaks of severity warn after a repair. */
  readonly remarks: Problem[] = []
  /** Commands to type next. */
  readonly next: CommandLine[] = []
  readonly missing: MissingWindow[] = []
  readonly skipped: string[] = []
  /** How the run ended with each key of `[[accounts]]`. */
  readonly keys: KeySummary[] = []
  /** Keys whose accounts the run tries to read. */
  readonly keysRead: string[] = []
  /** Whether the run has published, on this machine and to the bucket as far as that was possible. */
  hasPublished = false
  /** Ends the run; undefined where the code follows from its counts, problems and checks. */
  exitCode: number | undefined

  /** @param facts what the conclusion needs to say what to type */
  addProblems(lines: readonly string[], facts: Omit<Problem, 'text'> = { kind: 'problem' }): void {
    this.problems.push(...lines.map((text) => ({ ...facts, text })))
  }

  addSkippedAccounts(line: string, key: Pick<Problem, 'key'>): void {
    this.remarks.push({ kind: 'accounts_skipped', text: line, ...key })
  }

  addSkipped(windows: readonly SkippedWindows[]): void {
    this.skipped.push(...windows.map(({ why, from, to }) => `${why} (${from} to ${to} skipped)`))
  }

  /** Lines for people: rows of watches, notes, then problems. */
  get lines(): readonly string[] {
    const ofWatches = this.watches.flatMap(watchLines)
    return [...ofWatches, ...this.notes, ...[...this.remarks, ...this.problems].map(({ text }) => text)]
  }
}
