/** A row of a watch of the user's own, as it was when it was recorded. */
export interface WatchedRow {
  /** The same at every report of the row: a receiver that has it already can pass it over. */
  readonly id: string
  /** Its columns and values. */
  readonly text: string
  /** Shows where it came from; null where no relation that the watch reads has its key in the row. */
  readonly trace: string | null
}

/** Rows of a watch that no run has delivered yet. */
export interface WatchedRows {
  readonly name: string
  readonly title: string
  readonly rows: readonly WatchedRow[]
  /** Rows beyond those. */
  readonly more: number
  /** What is marked once they are delivered: their ids in `raw/watches.ndjson`. */
  readonly batches: readonly string[]
}

/** One line per row, and one for those that are only counted. */
export function watchLines({ name, title, rows, more }: WatchedRows): string[] {
  const lines = rows.map(
    ({ text, trace }) => `${name}: ${title}: ${text}${trace === null ? '' : ` (${trace})`}`,
  )
  return more > 0 ? [...lines, `${name}: ${more} more rows are new; sql/watches/${name}.sql has them`] : lines
}
