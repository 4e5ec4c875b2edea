import type { CommandLine } from '../../night/conclusion.js'
import type { Problem } from '../../night/record.js'
import type { KeySummary } from '../../night/summary.js'
import type { SkippedWindows } from '../../plan/request.js'
import type { MissingWindow } from '../../warehouse/missing.js'

/** Everything that a run reports at its end besides its counts. Filled while it works. */
export class RunReport {
  private readonly noteLines: string[] = []
  readonly notes: readonly string[] = this.noteLines
  private readonly problemList: Problem[] = []
  readonly problems: readonly Problem[] = this.problemList
  private readonly nextCommands: CommandLine[] = []
  readonly next: readonly CommandLine[] = this.nextCommands
  private readonly missingLines: MissingWindow[] = []
  readonly missing: readonly MissingWindow[] = this.missingLines
  private readonly skippedLines: string[] = []
  readonly skipped: readonly string[] = this.skippedLines
  private readonly keyResults: KeySummary[] = []
  readonly keys: readonly KeySummary[] = this.keyResults
  private readonly skippedAccountLines: Problem[] = []
  readonly skippedAccounts: readonly Problem[] = this.skippedAccountLines
  private readonly readKeys: string[] = []
  readonly keysRead: readonly string[] = this.readKeys
  private isPublished = false
  private code: number | undefined

  addNotes(lines: readonly string[]): void {
    this.noteLines.push(...lines)
  }

  /** Problems of a run that did not fail: it ends with 4. @param facts what the conclusion needs to say what to type */
  addProblems(lines: readonly string[], facts: Omit<Problem, 'text'> = { kind: 'problem' }): void {
    this.problemList.push(...lines.map((text) => ({ ...facts, text })))
  }

  /** The accounts of a key were not read, since nobody has ever logged in with a one-time password: no problem of the run. */
  addSkippedAccounts(line: string, key: Pick<Problem, 'key'>): void {
    this.skippedAccountLines.push({ kind: 'accounts_skipped', text: line, ...key })
  }

  /** The run tries to read the accounts of this key. */
  addKeyRead(name: string): void {
    this.readKeys.push(name)
  }

  /** Commands to type next. */
  addNext(commands: readonly CommandLine[]): void {
    this.nextCommands.push(...commands)
  }

  addMissing(windows: readonly MissingWindow[]): void {
    this.missingLines.push(...windows)
  }

  addSkipped(windows: readonly SkippedWindows[]): void {
    this.skippedLines.push(...windows.map(({ why, from, to }) => `${why} (${from} to ${to} skipped)`))
  }

  /** How the run ended with one key of `[[accounts]]`. */
  addKey(key: KeySummary): void {
    this.keyResults.push(key)
  }

  /** The run has published, on this machine and to the bucket as far as that was possible. */
  notePublication(): void {
    this.isPublished = true
  }

  /** Ends the run with this code instead of the one that follows from its counts, problems and checks. */
  endWith(exitCode: number): void {
    this.code = exitCode
  }

  /** Lines for people: notes, then problems. */
  get lines(): readonly string[] {
    return [...this.noteLines, ...[...this.skippedAccountLines, ...this.problemList].map(({ text }) => text)]
  }

  get hasPublished(): boolean {
    return this.isPublished
  }

  /** Undefined where it follows from what was reported. */
  get exitCode(): number | undefined {
    return this.code
  }
}
