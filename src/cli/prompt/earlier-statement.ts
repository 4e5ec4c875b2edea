/** Finds earlier statements by words that they contain, from the latest back. */
export class EarlierStatement {
  private words = ''
  private next = 0
  private latest: string | undefined

  /** @param statements the latest first; it grows at its beginning */
  constructor(private readonly statements: readonly string[]) {}

  /**
   * The latest statement that contains what is typed. Where that is the statement of the call before, unchanged, the search
   * goes on behind it.
   *
   * @returns undefined where there is none
   */
  find(typed: string): string | undefined {
    if (typed !== this.latest) {
      this.words = typed.toLowerCase()
      this.next = 0
    }
    const at = this.statements.findIndex(
      (statement, index) => index >= this.next && statement.toLowerCase().includes(this.words),
    )
    if (at < 0) return undefined
    this.next = at + 1
    this.latest = this.statements[at]
    return this.latest
  }
}
