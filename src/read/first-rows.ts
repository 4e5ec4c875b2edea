import { UsageError } from 'candlehouse-foundation/errors'
import type { ResultColumn } from '../duckdb/reader.js'
import type { ResultSink } from './user-statement.js'

/** Bounds of an answer that is sent as a whole. */
export interface AnswerBounds {
  readonly rows: number
  /** Bytes of its rows as JSON. */
  readonly bytes: number
}

/** The first rows of a result. */
export interface FirstRows {
  readonly columns: readonly ResultColumn[]
  /** Each row as JSON. */
  readonly texts: readonly string[]
  /** The bound at which the result was cut; null where it is whole. */
  readonly cut: 'rows' | 'bytes' | null
}

/**
 * The first rows of a statement. Each row becomes text as it arrives, so that rows with long texts take no more memory than the
 * answer may have.
 *
 * @param run runs the statement, and returns whether the sink took all rows
 * @throws UsageError also where the first row alone is longer than an answer may be
 */
export async function firstRows(
  run: (sink: ResultSink) => Promise<boolean>,
  bounds: AnswerBounds,
): Promise<FirstRows> {
  let columns: readonly ResultColumn[] = []
  const texts: string[] = []
  let length = 0
  let cut: FirstRows['cut'] = null
  const isTaken = (row: unknown[]): boolean => {
    if (texts.length === bounds.rows) cut = 'rows'
    if (cut !== null) return false
    const text = JSON.stringify(row)
    length += Buffer.byteLength(text)
    if (length > bounds.bytes) cut = 'bytes'
    if (cut === null) return texts.push(text) > 0
    if (texts.length === 0) throw tooLong(bounds)
    return false
  }
  await run({
    columns: (named) => {
      columns = named
    },
    rows: (rows) => rows.every(isTaken),
  })
  return { columns, texts, cut }
}

function tooLong({ bytes }: AnswerBounds): UsageError {
  return new UsageError(`the first row takes more than ${bytes} bytes, the most of an answer`, {
    hint: 'select fewer columns, or the beginning of a text: left(column, 1000)',
  })
}
