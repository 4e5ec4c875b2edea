/** Shows how far a run is. */
export interface Progress {
  /**
   * A part of the run begins; `total` steps when they are known.
   *
   * @param unit what is counted. @default 'windows'
   */
  phase(name: string, total?: number, unit?: string): void
  /** `count` steps more are done; `note` names the last one. */
  advance(count: number, note?: string): void
  /** The part is over. */
  done(): void
}
