/** What the first record of a page shows: enough to choose how the page is read. */
export interface FirstRecord {
  fields: readonly string[] | null
  textual: boolean
}

/**
 * Reads the first record alone. Records of these endpoints are flat, so the first `}` of the list ends it;
 * where that does not parse, the page is read the slow way.
 *
 * @param list byte range of the text between the brackets of the record list; undefined when there is none
 */
export function firstRecord(
  body: Uint8Array,
  list: readonly [start: number, end: number] | undefined,
): FirstRecord {
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
