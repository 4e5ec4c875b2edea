import type { Answer, ApiFault, Endpoint } from '../contract.js'
import type { Notes, Suffixes } from './fields.js'
import { parseKeepingNumbers } from './json.js'
import { type RowOf, rowReaders } from './rows.js'
import { UnreadRowsError } from './unread-rows-error.js'

/** Typed records of one answer. Fields are the specification's; all are there, numbers are their source text, booleans are booleans. */
export interface DecodedRows<E extends Endpoint> {
  readonly kind: 'rows'
  /** None where the service has nothing to return. */
  readonly rows: readonly RowOf[E][]
  /** Field names the specification does not have, sorted: recorded, never an error. */
  readonly drift: readonly string[]
  /** Skipped records and the reason; `at` is their place in the answer. */
  readonly faults: readonly { readonly at: string; readonly reason: string }[]
}

/** The service answered with an error: whether there are records is not known. */
export interface DecodedRefusal {
  readonly kind: 'refused'
  readonly status: number
  readonly error: ApiFault
}

/** Rows or a refusal: a program that reads `rows` has to ask first which of them it is. */
export type Decoded<E extends Endpoint> = DecodedRows<E> | DecodedRefusal

/** What is read of an answer: a program that stored pages has these. */
export type StoredAnswer = Pick<Answer, 'endpoint' | 'status' | 'outcome' | 'error' | 'body'>

/**
 * Reads an answer's records, or why the service gave none. The pipeline does
 * not use it: it lands pages, and SQL reads them.
 *
 * @throws TypeError when the answer is of another endpoint (a bug)
 */
export function decode<E extends Endpoint>(
  endpoint: E,
  answer: StoredAnswer,
  suffixes: Suffixes = {},
): Decoded<E> {
  if (answer.endpoint !== endpoint) throw new TypeError(`an answer of ${answer.endpoint}, not of ${endpoint}`)
  const { outcome, status, error = { code: String(status), message: '' } } = answer
  if (outcome === 'refused') return { kind: 'refused', status, error }
  if (answer.body.length === 0) return { kind: 'rows', rows: [], drift: [], faults: [] }
  const value = parseKeepingNumbers(new TextDecoder().decode(answer.body))
  const notes: Notes = { drift: new Set(), faults: [] }
  const rows = rowReaders[endpoint](value, suffixes, notes)
  return { kind: 'rows', rows, drift: [...notes.drift].sort(), faults: notes.faults }
}

/**
 * All records of an answer. Where they are not all there it throws: nothing can be taken for no rows.
 *
 * @throws UnreadRowsError when the service refused, or a record cannot be read · TypeError as `decode`
 */
export function rowsOf<E extends Endpoint>(
  endpoint: E,
  answer: StoredAnswer,
  suffixes: Suffixes = {},
): readonly RowOf[E][] {
  const decoded = decode(endpoint, answer, suffixes)
  if (decoded.kind === 'refused') {
    const { status, error } = decoded
    throw new UnreadRowsError(
      `${endpoint}: refused with ${error.code} ${error.message}`.trim(),
      status,
      error,
    )
  }
  const [fault] = decoded.faults
  if (fault)
    throw new UnreadRowsError(`${endpoint}: ${fault.at} cannot be read: ${fault.reason}`, answer.status)
  return decoded.rows
}
