/** Shows the progress of a run. */
export interface Progress {
  /**
   * A phase of the run begins.
   *
   * @param total number of steps, if known
   * @param unit of the steps. @default 'windows'
   */
  phase(name: string, total?: number, unit?: string): void
  /** `count` more steps are done; `note` describes the last one. */
  advance(count: number, note?: string): void
  /** The phase has ended. */
  done(): void
}
