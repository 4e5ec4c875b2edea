/** What the first record of a page shows: enough to choose how the page is read. */
export interface FirstRecord {
  fields: readonly string[] | null
  textual: boolean
}

/**
 * Reads the first record alone. Records of these endpoints are flat, so the first `}` after the first record's
 * `{` ends it; where that does not parse, `fields` is null and the page is read the slow way.
 */
export function firstRecord(body: Uint8Array, shape: 'array' | 'data' | 'none'): FirstRecord {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const start = shape === 'array' ? text.indexOf('{') : afterData(text)
  if (shape === 'none' || start < 0) return { fields: null, textual: false }
  const end = text.indexOf('}', start)
  try {
    const record = JSON.parse(text.toString('utf8', start, end + 1)) as Record<string, unknown>
    return {
      fields: Object.keys(record),
      textual: Object.values(record).every((value) => value === null || typeof value === 'string'),
    }
  } catch {
    return { fields: null, textual: false }
  }
}

function afterData(text: Buffer): number {
  const data = text.indexOf('"data"')
  return data < 0 ? -1 : text.indexOf('{', data)
}
