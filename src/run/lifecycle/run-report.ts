import type { CommandLine } from '../../night/conclusion.js'
import type { Problem } from '../../night/record.js'
import type { KeySummary } from '../../night/summary.js'
import type { SkippedWindows } from '../../plan/request.js'
import type { MissingWindow } from '../../warehouse/missing.js'

/** Everything that a run reports at its end besides its counts. Filled while it works. */
export class RunReport {
  readonly #notes: string[] = []
  readonly notes: readonly string[] = this.#notes
  readonly #problems: Problem[] = []
  readonly problems: readonly Problem[] = this.#problems
  readonly #next: CommandLine[] = []
  readonly next: readonly CommandLine[] = this.#next
  readonly #missing: MissingWindow[] = []
  readonly missing: readonly MissingWindow[] = this.#missing
  readonly #skipped: string[] = []
  readonly skipped: readonly string[] = this.#skipped
  readonly #keys: KeySummary[] = []
  readonly keys: readonly KeySummary[] = this.#keys
  readonly #skippedAccounts: Problem[] = []
  readonly skippedAccounts: readonly Problem[] = this.#skippedAccounts
  readonly #keysRead: string[] = []
  readonly keysRead: readonly string[] = this.#keysRead
  #hasPublished = false
  #exitCode: number | undefined

  addNotes(lines: readonly string[]): void {
    this.#notes.push(...lines)
  }

  /** Problems of a run that did not fail: it ends with 4. @param facts what the conclusion needs to say what to type */
  addProblems(lines: readonly string[], facts: Omit<Problem, 'text'> = { kind: 'problem' }): void {
    this.#problems.push(...lines.map((text) => ({ ...facts, text })))
  }

  /** The accounts of a key were not read, since nobody has ever logged in with a one-time password: no problem of the run. */
  addSkippedAccounts(line: string, key: Pick<Problem, 'key'>): void {
    this.#skippedAccounts.push({ kind: 'accounts_skipped', text: line, ...key })
  }

  /** The run tries to read the accounts of this key. */
  addKeyRead(name: string): void {
    this.#keysRead.push(name)
  }

  /** Commands to type next. */
  addNext(commands: readonly CommandLine[]): void {
    this.#next.push(...commands)
  }

  addMissing(windows: readonly MissingWindow[]): void {
    this.#missing.push(...windows)
  }

  addSkipped(windows: readonly SkippedWindows[]): void {
    this.#skipped.push(...windows.map(({ why, from, to }) => `${why} (${from} to ${to} skipped)`))
  }

  /** How the run ended with one key of `[[accounts]]`. */
  addKey(key: KeySummary): void {
    this.#keys.push(key)
  }

  /** The run has published, on this machine and to the bucket as far as that was possible. */
  notePublication(): void {
    this.#hasPublished = true
  }

  /** Ends the run with this code instead of the one that follows from its counts, problems and checks. */
  endWith(exitCode: number): void {
    this.#exitCode = exitCode
  }

  /** Lines for people: notes, then problems. */
  get lines(): readonly string[] {
    return [...this.#notes, ...[...this.#skippedAccounts, ...this.#problems].map(({ text }) => text)]
  }

  get hasPublished(): boolean {
    return this.#hasPublished
  }

  /** Undefined where it follows from what was reported. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }
}
