/** Bounds of what one call of an assistant may take. */
export interface AssistantLimits {
  /** Rows of an answer where the call names no number. */
  readonly usualRows: number
  /** Most rows of an answer. */
  readonly rows: number
  /** Bytes of an answer's rows as JSON. */
  readonly rowBytes: number
  /** Bytes of a whole answer as JSON: an answer must never fill the context of a model. */
  readonly answerBytes: number
  /** Characters of one text of an answer. */
  readonly textCharacters: number
  /** Characters of a statement. */
  readonly statementCharacters: number
  /** Milliseconds that a call may take. */
  readonly ms: number
  /** DuckDB's memory. It does not spill: a statement that needs more ends with words. */
  readonly memory: string
  /** Statements that run at a time; others wait. */
  readonly statements: number
  /** Calls that run or wait at a time; others are refused. */
  readonly calls: number
}

export const ASSISTANT_LIMITS: AssistantLimits = {
  usualRows: 50,
  rows: 500,
  rowBytes: 20_000,
  answerBytes: 32_000,
  textCharacters: 2_000,
  statementCharacters: 20_000,
  ms: 30_000,
  memory: '1GiB',
  statements: 2,
  calls: 16,
}
