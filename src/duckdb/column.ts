import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { decimalOf } from './decimal.js'
import { exact } from './value.js'

/** Values of one width as they are in memory: little-endian; the bytes of a null have no meaning. */
export interface FixedColumn {
  readonly kind: 'fixed'
  /** Bytes per value. */
  readonly width: number
  readonly bytes: Uint8Array
  /** One bit per row, lowest first, set if the row has a value; undefined if all rows have one. */
  readonly valid: Uint8Array | undefined
}

/** Text as UTF-8. */
export interface TextColumn {
  readonly kind: 'text'
  has(row: number): boolean
  /** Number of bytes of a row's text; 0 for null. */
  length(row: number): number
  /** Copies the bytes of a row's text to position `at` of `target`. */
  copy(row: number, target: Uint8Array, at: number): void
  /** Whether two rows are equal, as far as can be known without reading the text. */
  areEqual(row: number, otherRow: number): boolean
}

/**
 * A column of a chunk without one JavaScript value per row: creating and garbage-collecting those took more than half of
 * the time of an export (test/bench/export.bench.ts).
 */
export type RawColumn = FixedColumn | TextColumn

/** DuckDB types that a FixedColumn can have, with the bytes per value. */
const WIDTHS: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  TINYINT: 1,
  SMALLINT: 2,
  INTEGER: 4,
  BIGINT: 8,
  HUGEINT: 16,
  FLOAT: 4,
  DOUBLE: 8,
  DATE: 4,
  TIMESTAMP: 8,
  'TIMESTAMP WITH TIME ZONE': 8,
}

/** Bytes per value of a type with a fixed width; undefined for text and all other types. A DECIMAL is its digits as an integer. */
export function widthOf(type: string): number | undefined {
  const decimal = decimalOf(type)
  if (!decimal) return WIDTHS[type]
  const { precision } = decimal
  return precision > 18 ? 16 : precision > 9 ? 8 : precision > 4 ? 4 : 2
}

/**
 * Reads one column of a chunk.
 *
 * @param type DuckDB's name of the column type
 */
export function rawColumn(chunk: DuckDBDataChunk, index: number, type: string): RawColumn {
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, index)
  const rows = chunk.rowCount
  const width = widthOf(type)
  const valid = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) ?? undefined
  if (width !== undefined) {
    return { kind: 'fixed', width, bytes: duckdb.vector_get_data(vector, rows * width), valid }
  }
  if (type === 'VARCHAR' || type === 'JSON')
    return stringColumn(duckdb.vector_get_data(vector, rows * STRING), valid)
  const values = chunk.getColumnVector(index)
  return {
    kind: 'text',
    has: (row) => values.getItem(row) !== null,
    length: (row) => encoded(values.getItem(row)).length,
    copy: (row, target, at) => target.set(encoded(values.getItem(row)), at),
    areEqual: () => false,
  }
}

/** A value of a type without a fixed width, as UTF-8. */
function encoded(item: unknown): Uint8Array {
  const value = exact(item)
  if (value === null) return new Uint8Array()
  return encoder.encode(typeof value === 'string' ? value : JSON.stringify(value))
}

const encoder = new TextEncoder()

/** Bytes of a duckdb_string_t: the length, then up to 12 bytes of text, or the first 4 bytes and a pointer to the text. */
const STRING = 16
const INLINE = 12

/**
 * The long texts of a chunk are mostly adjacent in memory: texts without a gap between them are read at once. A read takes
 * half a microsecond and allocates a buffer. With one read per row, reads took half of the time of an export.
 */
function stringColumn(bytes: Uint8Array, valid: Uint8Array | undefined): TextColumn {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const rows = words.length / 4
  const has = (row: number): boolean => !valid || isSet(valid, row)
  const lengthAt = (row: number): number => words[row * 4] ?? 0
  // An address in user space has 47 bits, so a number can hold it.
  const addressAt = (row: number): number => (words[row * 4 + 3] ?? 0) * 2 ** 32 + (words[row * 4 + 2] ?? 0)
  let run: { start: number; end: number; text: Buffer } = { start: 0, end: 0, text: Buffer.alloc(0) }
  const readRun = (first: number): void => {
    const start = addressAt(first)
    let end = start + lengthAt(first)
    for (let row = first + 1; row < rows; row += 1) {
      if (!has(row) || lengthAt(row) <= INLINE) continue
      if (addressAt(row) !== end) break
      end += lengthAt(row)
    }
    const pointer = bytes.byteOffset + first * STRING + 8
    const text = duckdb.get_data_from_pointer(bytes.buffer as ArrayBuffer, pointer, end - start)
    run = { start, end, text: Buffer.from(text.buffer, text.byteOffset, text.byteLength) }
  }
  return {
    kind: 'text',
    has,
    length: (row) => (has(row) ? lengthAt(row) : 0),
    copy(row, target, at) {
      const length = lengthAt(row)
      if (length <= INLINE) {
        const from = row * STRING + 4
        for (let index = 0; index < length; index += 1) target[at + index] = bytes[from + index] ?? 0
        return
      }
      const address = addressAt(row)
      if (address < run.start || address + length > run.end) readRun(row)
      run.text.copy(target, at, address - run.start, address - run.start + length)
    },
    // Equal words mean the same short text, or the same address of a long text.
    areEqual(row, otherRow) {
      if (!has(row) || !has(otherRow)) return false
      const [a, b] = [row * 4, otherRow * 4]
      return (
        words[a] === words[b] &&
        words[a + 1] === words[b + 1] &&
        words[a + 2] === words[b + 2] &&
        words[a + 3] === words[b + 3]
      )
    },
  }
}

/** Whether the bit of a row is set, lowest bit of the first byte first. */
export function isSet(bits: Uint8Array, row: number): boolean {
  return ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0
}
