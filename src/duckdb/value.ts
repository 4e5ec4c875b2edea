import { type DuckDBDataChunk, DuckDBTimestampTZValue, type DuckDBValue } from '@duckdb/node-api'
import { UsageError } from 'candlehouse-foundation/errors'

// By default the bindings write instants in the time zone of the process; the text must be the same on every machine.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0

/** DECIMAL, BIGINT, dates and instants as text, exact; instants in ISO 8601 with Z. */
export function exact(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof DuckDBTimestampTZValue) {
    return String(value)
      .replace(' ', 'T')
      .replace(/\+00(:00)?$/, 'Z')
  }
  if (typeof value === 'object' && 'items' in value && Array.isArray(value.items)) {
    return value.items.map(exact)
  }
  return String(value)
}

/** Values for our own code: BIGINT as bigint; dates, instants and DECIMAL as text; lists as arrays; maps as entries. */
export function plain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if ('items' in value && Array.isArray(value.items)) return value.items.map((item) => plain(item))
  if ('entries' in value && Array.isArray(value.entries)) {
    return value.entries.map(({ key, value: item }) => [plain(key), plain(item)])
  }
  return String(value)
}

/**
 * The rows of a chunk.
 *
 * @throws UsageError for a text that is longer than a text of JavaScript can be
 */
export function valuesOf(chunk: DuckDBDataChunk): DuckDBValue[][] {
  try {
    return chunk.getRows()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_STRING_TOO_LONG') throw cause
    throw new UsageError('a text of the result is longer than 512 MiB', {
      hint: 'select its beginning: left(column, 1000)',
      cause,
    })
  }
}
