import { gunzipSync } from 'node:zlib'

/** Text of each record as received, in order. Values of each known field as their source text. */
export interface SlowRecord {
  /** The record's own text, cut from the page. */
  text: string
  /** Field name as in the specification → source text, strings unquoted; null for JSON null. */
  fields: Record<string, string | null>
  /** Why the record has no readable fields at all. */
  fault: string | null
}

/**
 * Reads a page record by record, keeping source text: what the fast way would rewrite (0.00001 becomes
 * 1e-05, 20 digits become a double) or refuse as a whole (one record of another shape fails the statement).
 * Field names match in any case (field notes: casing varies between deployments).
 */
export function slowRecords(gzipped: Uint8Array, known: readonly string[]): SlowRecord[] {
  const text = gunzipSync(gzipped).toString('utf8')
  const names = new Map(known.map((name) => [name.toLowerCase(), name]))
  return recordTexts(text).map((record) => readRecord(record, names))
}

/** @param names lower-case names → the specification's; others are left out */
export function readRecord(text: string, names: ReadonlyMap<string, string>): SlowRecord {
  if (!text.startsWith('{')) return { text, fields: {}, fault: 'not an object' }
  const fields: Record<string, string | null> = {}
  for (const [name, value] of members(text)) {
    const key = names.get(name.toLowerCase())
    if (key === undefined) continue
    fields[key] = value === 'null' ? null : value.startsWith('"') ? (JSON.parse(value) as string) : value
  }
  return { text, fields, fault: null }
}

/** Source texts of the records: of a top-level array, or of the array named `data` in any case. */
export function recordTexts(text: string): string[] {
  const start = skipSpace(text, 0)
  if (text[start] === '[') return elements(text, start)
  for (const [name, value, at] of members(text.slice(start))) {
    if (name.toLowerCase() === 'data' && value.startsWith('[')) return elements(text.slice(start), at)
  }
  return []
}

/** Source texts of the elements of the array that opens at `open`. */
export function elements(text: string, open = 0): string[] {
  const found: string[] = []
  let at = skipSpace(text, open + 1)
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at)
    found.push(text.slice(at, end))
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return found
}

/** Members of the object that opens the text: name, source text of the value, where that begins. */
export function* members(text: string): Generator<[name: string, value: string, at: number]> {
  let at = skipSpace(text, 1)
  while (at < text.length && text[at] === '"') {
    const nameEnd = valueEnd(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const from = skipSpace(text, skipSpace(text, nameEnd) + 1)
    const end = valueEnd(text, from)
    yield [name, text.slice(from, end), from]
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/** Position after the JSON value that starts at `at`. The page was proven to be JSON before it landed. */
function valueEnd(text: string, at: number): number {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const char = text[i]
    if (char === '"') {
      i++
      while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
      if (depth === 0) return i + 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (depth === 0) return i
      if (--depth === 0) return i + 1
    } else if (depth === 0 && (char === ',' || /\s/.test(char ?? ''))) return i
  }
  return text.length
}

function skipSpace(text: string, at: number): number {
  let i = at
  while (i < text.length && /\s/.test(text[i] ?? '')) i++
  return i
}
