import { gunzipSync } from 'node:zlib'
import { members, recordTexts } from '../land/source.js'

/** Text of each record as received, in order. Values of each known field as their source text. */
export interface SingleRecord {
  /** The record's own text, cut from the page. */
  text: string
  /** Field name as in the specification → source text, strings unquoted; null for JSON null. */
  fields: Record<string, string | null>
  /** Why the record has no readable fields at all. */
  fault: string | null
}

/**
 * Reads a page record by record, keeping source text: what reading whole pages would rewrite (0.00001 becomes
 * 1e-05, 20 digits become a double) or refuse as a whole (one record of another shape fails the statement).
 * Field names match in any case (docs/market-facts.md#letter-case: casing varies between deployments).
 */
export function singleRecords(gzipped: Uint8Array, known: readonly string[]): SingleRecord[] {
  const text = gunzipSync(gzipped).toString('utf8')
  const names = new Map(known.map((name) => [name.toLowerCase(), name]))
  return recordTexts(text).map((record) => readRecord(record, names))
}

/** @param names lower-case names → the specification's; others are skipped */
export function readRecord(text: string, names: ReadonlyMap<string, string>): SingleRecord {
  if (!text.startsWith('{')) return { text, fields: {}, fault: 'not an object' }
  const fields: Record<string, string | null> = {}
  for (const [name, value] of members(text)) {
    const key = names.get(name.toLowerCase())
    if (key === undefined) continue
    fields[key] = value === 'null' ? null : value.startsWith('"') ? (JSON.parse(value) as string) : value
  }
  return { text, fields, fault: null }
}
