/** How far a run is, for the person who watches it. */
export interface Progress {
  /**
   * A part of the run begins; `total` steps when they are known.
   *
   * @param of what is counted. @default 'windows'
   */
  phase(name: string, total?: number, of?: string): void
  /** `count` steps more are done; `note` says which came last. */
  advance(count: number, note?: string): void
  /** The part is over. */
  done(): void
}
