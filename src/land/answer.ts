import type { PageRecord } from './journal.js'

/** What the journal states of an answer: enough to choose how its page is read. */
export type AnswerFacts = Pick<PageRecord, 'shape' | 'fields' | 'textual'>

/**
 * Decides what a body is before its line is journalled: the one place that looks into a page on its way to disk, whoever
 * brought it.
 *
 * @param shape where the records are, as whoever brought the page has read it
 * @param list byte range of the text between the brackets of the record list; undefined when there is none
 */
export function describeAnswer(
  body: Uint8Array,
  shape: PageRecord['shape'],
  list: readonly [start: number, end: number] | undefined,
): AnswerFacts {
  return { shape, ...firstRecord(body, list) }
}

/**
 * Reads the first record alone. Records of these endpoints are flat, so the first `}` of the list ends it;
 * where that does not parse, the page is read record by record.
 */
function firstRecord(
  body: Uint8Array,
  list: readonly [start: number, end: number] | undefined,
): Pick<AnswerFacts, 'fields' | 'textual'> {
  if (!list) return { fields: null, textual: false }
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const end = text.indexOf('}', list[0])
  try {
    const record = JSON.parse(text.toString('utf8', list[0], end + 1)) as Record<string, unknown>
    return {
      fields: Object.keys(record),
      textual: Object.values(record).every((value) => value === null || typeof value === 'string'),
    }
  } catch {
    return { fields: namesOf(text), textual: false }
  }
}

/** Field names of a first record that is not flat: the whole page is read, which is rare. */
function namesOf(text: Buffer): readonly string[] | null {
  try {
    const page = JSON.parse(text.toString('utf8')) as { data?: unknown[] } | unknown[]
    const [record] = Array.isArray(page) ? page : (page.data ?? [])
    return typeof record === 'object' && record !== null ? Object.keys(record) : null
  } catch {
    return null
  }
}
