import type { SkippedWindows } from '../../plan/request.js'
import type { MissingWindow } from '../../warehouse/missing.js'
import type { KeySummary } from '../report/summary.js'

/** Everything that a run reports at its end besides its counts. Filled while it works. */
export class RunReport {
  readonly #notes: string[] = []
  readonly #problems: string[] = []
  readonly #next: string[] = []
  readonly #missing: MissingWindow[] = []
  readonly #skipped: SkippedWindows[] = []
  readonly #keys: KeySummary[] = []
  #exitCode: number | undefined

  addNotes(lines: readonly string[]): void {
    this.#notes.push(...lines)
  }

  /** Problems of a run that did not fail: it ends with 4. */
  addProblems(lines: readonly string[]): void {
    this.#problems.push(...lines)
  }

  /** Commands to type next. */
  addNext(commands: readonly string[]): void {
    this.#next.push(...commands)
  }

  addMissing(windows: readonly MissingWindow[]): void {
    this.#missing.push(...windows)
  }

  addSkipped(windows: readonly SkippedWindows[]): void {
    this.#skipped.push(...windows)
  }

  /** How the run ended with one key of `[[accounts]]`. */
  addKey(key: KeySummary): void {
    this.#keys.push(key)
  }

  /** Ends the run with this code instead of the one that follows from its counts, problems and checks. */
  endWith(exitCode: number): void {
    this.#exitCode = exitCode
  }

  get notes(): readonly string[] {
    return [...this.#notes, ...this.#problems]
  }

  get problems(): readonly string[] {
    return this.#problems
  }

  get next(): readonly string[] {
    return this.#next
  }

  get missing(): readonly MissingWindow[] {
    return this.#missing
  }

  get skipped(): readonly SkippedWindows[] {
    return this.#skipped
  }

  get keys(): readonly KeySummary[] {
    return this.#keys
  }

  /** Undefined where it follows from what was reported. */
  get exitCode(): number | undefined {
    return this.#exitCode
  }
}
