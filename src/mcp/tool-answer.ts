import type { ResultColumn } from '../duckdb/reader.js'
import { CUT } from '../read/bounded-statement.js'

/** Which publication answered. */
export interface AnsweringPublication {
  readonly id: number
  /** ISO 8601. */
  readonly published_at: string
  /** Newest session with daily summaries; null where none is stored. */
  readonly latest_session: string | null
}

/** What of the range asked for is not stored, or not as the service has it. */
export interface NotCovered {
  /** Days that the statement names, or all that are stored. */
  readonly range: string
  /** Windows that were not answered whole, and sessions that were never requested. */
  readonly gaps: number
  /** Sessions of which readers see rows as they were before: a rule of severity error is broken. */
  readonly withheld: number
  /** The first of them, in words. */
  readonly shown: readonly string[]
}

/** The rows that an aggregate was computed from: `query` with this hash, or with this statement, gives them. */
export interface RowsBehind {
  readonly statement_hash: string
  readonly sql: string
}

/** The answer of a tool: every tool answers in this form. */
export interface Answer {
  readonly publication: AnsweringPublication
  readonly columns: readonly ResultColumn[]
  /** DECIMAL, BIGINT, dates and instants are texts, exact; instants in UTC. */
  readonly rows: readonly (readonly unknown[])[]
  /** Whether rows or texts were left out. */
  readonly truncated: boolean
  /** Names the call: `query` with this hash runs it again. */
  readonly statement_hash: string
  /** What of the range asked for is not in the answer; absent where the question is not about data. */
  readonly not_covered?: NotCovered
  /** Of an aggregate, which has no record of its own. */
  readonly rows_behind?: RowsBehind
  /** Why the newest session may be old; null where it is the latest that has closed. */
  readonly stale: string | null
  /** What to know of this answer. */
  readonly notes: readonly string[]
}

/** What a tool finds, before it is known which publication it is of. */
export type Findings = Pick<Answer, 'columns' | 'rows' | 'truncated'> &
  Partial<Pick<Answer, 'not_covered' | 'rows_behind' | 'notes'>>

/** Columns of texts, for answers that are not the result of a statement. */
export function textColumns(...names: readonly string[]): ResultColumn[] {
  return names.map((name) => ({ name, type: 'VARCHAR' }))
}

/**
 * The first rows that fit into an answer.
 *
 * @param rows of texts and other values, the most important first
 */
export function fitted(
  rows: readonly (readonly unknown[])[],
  bounds: { readonly rows: number; readonly bytes: number; readonly textCharacters: number },
): Pick<Answer, 'rows' | 'truncated'> {
  const taken: unknown[][] = []
  let truncated = false
  let bytes = 0
  for (const row of rows) {
    const values = row.map((value) => {
      if (typeof value !== 'string' || value.length <= bounds.textCharacters) return value
      truncated = true
      return value.slice(0, bounds.textCharacters) + CUT
    })
    bytes += Buffer.byteLength(JSON.stringify(values))
    if (taken.length === bounds.rows || bytes > bounds.bytes) return { rows: taken, truncated: true }
    taken.push(values)
  }
  return { rows: taken, truncated }
}
