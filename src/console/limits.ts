/** Bounds of what one statement of a user may take. */
export interface Limits {
  /** Rows of one answer of `/api/sql`. */
  readonly answerRows: number
  /** Bytes of one answer of `/api/sql`. */
  readonly answerBytes: number
  /** Rows of a result that is kept for scrolling. */
  readonly resultRows: number
  /** Bytes of a kept result, in memory and on the disk. */
  readonly resultBytes: number
  /** Memory of all kept results; beyond it they are on the disk. */
  readonly resultMemory: string
  /** Statements of users that run at a time, each with its own `memory`. */
  readonly statements: number
  /** Milliseconds that a statement may run. */
  readonly ms: number
  /** DuckDB's memory; beyond it DuckDB spills to the disk. */
  readonly memory: string
}

export const LIMITS: Limits = {
  answerRows: 100_000,
  answerBytes: 64 * 1024 ** 2,
  resultRows: 1_000_000,
  resultBytes: 1024 ** 3,
  resultMemory: '256MiB',
  statements: 2,
  ms: 5 * 60_000,
  memory: '1GiB',
}
