import type { Answer, Endpoint } from '../contract.js'
import type { Notes, Suffixes } from './fields.js'
import { parseKeepingNumbers } from './json.js'
import { type RowOf, rowReaders } from './rows.js'

/** Typed records of one answer. Fields are the specification's; all are there, numbers are their source text, booleans are booleans. */
export interface Decoded<E extends Endpoint> {
  readonly rows: readonly RowOf[E][]
  /** Field names the specification does not have, sorted: recorded, never an error. */
  readonly drift: readonly string[]
  /** Skipped records and the reason; `at` is their place in the answer. */
  readonly faults: readonly { readonly at: string; readonly reason: string }[]
}

/**
 * Reads an answer's records; empty and refused answers have none. The pipeline does
 * not use it: it lands pages, and SQL reads them.
 *
 * @throws TypeError when the answer is of another endpoint (a bug)
 */
export function decode<E extends Endpoint>(endpoint: E, answer: Answer, suffixes: Suffixes = {}): Decoded<E> {
  if (answer.endpoint !== endpoint) throw new TypeError(`an answer of ${answer.endpoint}, not of ${endpoint}`)
  if (answer.outcome === 'refused' || answer.body.length === 0) return { rows: [], drift: [], faults: [] }
  const value = parseKeepingNumbers(Buffer.from(answer.body).toString('utf8'))
  const notes: Notes = { drift: new Set(), faults: [] }
  const rows = rowReaders[endpoint](value, suffixes, notes)
  return { rows, drift: [...notes.drift].sort(), faults: notes.faults }
}
