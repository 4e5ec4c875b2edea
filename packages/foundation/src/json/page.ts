import { isUtf8 } from 'node:buffer'
import { elementsAt, membersAt } from './members.js'
import { endOfValue, JsonFault, skipSpace } from './scan.js'
import { recordPattern } from './template.js'

const BACKSLASH = 0x5c

/** Levels of objects and arrays around the record list; pages of the service have four. */
export const ENVELOPE_DEPTH = 512

/** The record list of a page. */
export interface RecordList {
  /** Byte offsets of the text between the list's brackets. */
  readonly start: number
  readonly end: number
  readonly rows: number
  /** Field names of the first record; null where it is not an object, or there is none. */
  readonly fields: readonly string[] | null
  /**
   * Every record has the first one's fields in its order, once each, every value is null or text, and nothing in the page
   * is escaped: whoever reads such records by name reads the same, and nothing of them is rewritten. (An escape anywhere
   * is enough to doubt: DuckDB refuses a page for half a surrogate pair in its envelope.)
   */
  readonly plain: boolean
}

/** A page of which every byte is proven. */
export interface PageText {
  /** The document, its record list emptied; undefined where the document is the list itself. */
  readonly envelope: unknown
  /** Undefined where the page has no array at its top, and none in a member of the list's name. */
  readonly list: RecordList | undefined
}

/**
 * Proves one page: UTF-8, one whole JSON document, no object outside the record list with two members of one name.
 * Names match in any case, so two that differ in case only count as one (docs/market-facts.md: casing varies).
 *
 * Costs 0.3 CPU-seconds per million candles where JSON.parse of the same pages costs 1.5 (`test/bench/proof.bench.ts`):
 * records that look like the first one are proven by one regular expression, all others byte by byte.
 *
 * @param listName member that holds the records, in lower case
 * @throws JsonFault
 */
export function provePage(text: Buffer, listName = 'data'): PageText {
  if (!isUtf8(text)) throw new JsonFault('bytes that are not UTF-8', 0)
  const start = skipSpace(text, 0)
  if (text[start] === 0x5b) {
    const list = proveRecords(text, start)
    requireEnd(text, list.end + 1)
    return { envelope: undefined, list }
  }
  if (text[start] !== 0x7b) {
    requireEnd(text, endOfValue(text, start))
    return { envelope: JSON.parse(text.toString('utf8')), list: undefined }
  }
  let list: RecordList | undefined
  const end = proveNames(text, start, 0, (at, name) => {
    if (text[at] !== 0x5b || name.toLowerCase() !== listName) return undefined
    // DuckDB finds the list by its exact name.
    const records = proveRecords(text, at)
    list = { ...records, plain: records.plain && name === listName }
    return list.end + 1
  })
  requireEnd(text, end)
  const emptied = list
    ? text.toString('utf8', 0, list.start) + text.toString('utf8', list.end)
    : text.toString('utf8')
  return { envelope: JSON.parse(emptied), list }
}

function requireEnd(text: Buffer, end: number): void {
  const rest = skipSpace(text, end)
  if (rest < text.length) throw new JsonFault('text after the document', rest)
}

/**
 * Proves an object, and that no object in it has two members of one name.
 *
 * @param depth objects and arrays around it
 * @param shortcut proves a member's value in another way, and returns where it ends
 */
function proveNames(
  text: Buffer,
  at: number,
  depth: number,
  shortcut: (start: number, name: string) => number | undefined = () => undefined,
): number {
  const names = new Set<string>()
  const prove = (_: Buffer, start: number, name: string): number => {
    const key = name.toLowerCase()
    if (names.has(key)) throw new JsonFault(`a second member named ${JSON.stringify(name)}`, start)
    names.add(key)
    return shortcut(start, name) ?? proveNamesWithin(text, start, depth + 1)
  }
  return drain(membersAt(text, at, prove))
}

function proveNamesWithin(text: Buffer, start: number, depth: number): number {
  if (depth >= ENVELOPE_DEPTH) throw new JsonFault(`nested deeper than ${ENVELOPE_DEPTH} levels`, start)
  if (text[start] === 0x7b) return proveNames(text, start, depth)
  if (text[start] !== 0x5b) return endOfValue(text, start)
  return drain(elementsAt(text, start, (_, element) => proveNamesWithin(text, element, depth + 1)))
}

function drain(values: Generator<unknown, number>): number {
  for (;;) {
    const step = values.next()
    if (step.done) return step.value
  }
}

/** Proves the records of the list that opens at `at`. */
function proveRecords(text: Buffer, at: number): RecordList {
  const first = skipSpace(text, at + 1)
  if (text[first] === 0x5d) return { start: at + 1, end: first, rows: 0, fields: null, plain: true }
  const pattern = recordPattern(text, first)
  // One character a byte: offsets of the pattern are offsets of the text.
  const bytes = pattern ? text.toString('latin1') : ''
  let rows = 0
  let plain = pattern !== undefined && !text.includes(BACKSLASH)
  const prove = (_: Buffer, start: number): number => {
    rows++
    if (pattern) {
      pattern.lastIndex = start
      if (pattern.test(bytes)) return pattern.lastIndex
      plain = false
    }
    return endOfValue(text, start)
  }
  const end = drain(elementsAt(text, at, prove)) - 1
  return { start: at + 1, end, rows, fields: fieldsOf(text, first), plain }
}

function fieldsOf(text: Buffer, at: number): readonly string[] | null {
  if (text[at] !== 0x7b) return null
  return [...membersAt(text, at)].map(({ name }) => name)
}
