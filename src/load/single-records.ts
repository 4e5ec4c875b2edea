import { memberTexts, recordTexts } from 'candlehouse-foundation/json/source'
import { storableText } from './free-text.js'

/** One record of a page: its text as received, and the source text of each known field. */
export interface SingleRecord {
  /** The record's own text, cut from the page. */
  text: string
  /** Field name as in the specification → source text, strings unquoted; null for JSON null. */
  fields: Record<string, string | null>
  /** Why the record is not valid, before its fields are read as types; null if nothing is wrong. */
  fault: string | null
}

/**
 * Reads a page record by record and keeps the source text. Reading a whole page with DuckDB rewrites values (0.00001 becomes
 * 1e-05, 20 digits become a double), and fails if one record has another shape.
 * Field names match in any case (docs/market-facts.md#letter-case: casing varies between deployments).
 *
 * @throws JsonFault if the page is not JSON
 */
export function singleRecords(page: Buffer, known: readonly string[]): SingleRecord[] {
  const names = new Map(known.map((name) => [name.toLowerCase(), name]))
  return recordTexts(page).map((record) => readRecord(record, names))
}

/**
 * Bytes of a record at most: one has a few hundred. Each thread of DuckDB reads lines into memory of four times this size. A page
 * that DuckDB reads as a whole has none that is longer.
 */
export const MOST_RECORD_BYTES = 4 * 2 ** 20

/** The only field that may be true or false. */
const FLAG = 'isPlaceOrder'

/**
 * Every field is text, a number or null: an object, a list or a flag is a fault of its record, also where any text could be stored.
 */
function withTypeFaults(record: SingleRecord, names: ReadonlyMap<string, string>): SingleRecord {
  if (!record.text.startsWith('{')) return record
  const faults = [...memberTexts(record.text)].flatMap(([name, value]) => {
    const key = names.get(name.toLowerCase())
    return key !== undefined && key !== FLAG && /^[{[tf]/.test(value)
      ? [`${key}: '${value.slice(0, 40)}' is not a text or a number`]
      : []
  })
  if (faults.length === 0) return record
  return { ...record, fault: [...(record.fault === null ? [] : [record.fault]), ...faults].join('; ') }
}

/**
 * @param text JSON
 * @param names lower-case names → the specification's; others are skipped
 */
export function readRecord(text: string, names: ReadonlyMap<string, string>): SingleRecord {
  if (!text.startsWith('{')) return { text, fields: {}, fault: 'not an object' }
  const bytes = Buffer.byteLength(text)
  if (bytes > MOST_RECORD_BYTES)
    return { text, fields: {}, fault: `${bytes} bytes: no record has more than ${MOST_RECORD_BYTES}` }
  const fields: Record<string, string | null> = {}
  const faults: string[] = []
  const seen = new Set<string>()
  for (const [name, value] of memberTexts(text)) {
    const lower = name.toLowerCase()
    if (seen.has(lower)) faults.push(`two fields named ${JSON.stringify(name.slice(0, 100))}`)
    seen.add(lower)
    const key = names.get(lower)
    if (key === undefined) continue
    const received = value === 'null' ? null : value.startsWith('"') ? (JSON.parse(value) as string) : value
    const text = received === null ? null : storableText(key, received)
    if (text === undefined) faults.push(`${key}: characters that no text has: ${value.slice(0, 100)}`)
    else fields[key] = text
  }
  return withTypeFaults({ text, fields, fault: faults.length > 0 ? faults.join('; ') : null }, names)
}
