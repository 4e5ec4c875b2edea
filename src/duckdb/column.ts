import type { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { decimalOf } from './decimal.js'
import { exact } from './value.js'

/** Values of one width, as they lie in memory: little-endian, a null's bytes mean nothing. */
export interface FixedColumn {
  readonly kind: 'fixed'
  /** Bytes of a value. */
  readonly width: number
  readonly bytes: Uint8Array
  /** A bit a row, lowest first, set where there is a value; undefined where all have one. */
  readonly valid: Uint8Array | undefined
}

/** Text as UTF-8. */
export interface TextColumn {
  readonly kind: 'text'
  /** Whether a row has a value. */
  has(row: number): boolean
  /** Bytes of a row's text; 0 for null. */
  length(row: number): number
  /** Puts the bytes of a row's text at a place in `target`. */
  copy(row: number, target: Uint8Array, at: number): void
  /** Whether two rows are known to be equal without being read. */
  same(row: number, other: number): boolean
}

/**
 * A column of a chunk without a JavaScript value a row: making those, and collecting them again, was more than half of
 * the time of an export (test/bench/export.bench.ts).
 */
export type RawColumn = FixedColumn | TextColumn

/** Types by DuckDB's names, with the bytes of a value: what a FixedColumn can be. */
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

/** Bytes of a value of a type that has one width; undefined for text and all else. DECIMAL: its digits as a number. */
export function widthOf(type: string): number | undefined {
  const decimal = decimalOf(type)
  if (!decimal) return WIDTHS[type]
  const { precision } = decimal
  return precision > 18 ? 16 : precision > 9 ? 8 : precision > 4 ? 4 : 2
}

/**
 * @param type as the statement's columns name it
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
    same: () => false,
  }
}

/** A value of a type that has no width, as UTF-8. */
function encoded(item: unknown): Uint8Array {
  const value = exact(item)
  if (value === null) return new Uint8Array()
  return encoder.encode(typeof value === 'string' ? value : JSON.stringify(value))
}

const encoder = new TextEncoder()

/** A duckdb_string_t: length, then up to 12 bytes of text, or 4 of it and a pointer to all. */
const STRING = 16
const INLINE = 12

/**
 * Long text of a chunk mostly lies one behind the other: what does so without a gap is read at once. A read costs half
 * a microsecond and a buffer to collect, and was half of an export's time when every row was one.
 */
function stringColumn(bytes: Uint8Array, valid: Uint8Array | undefined): TextColumn {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const rows = words.length / 4
  const has = (row: number): boolean => !valid || isSet(valid, row)
  const lengthAt = (row: number): number => words[row * 4] ?? 0
  // An address of user space has 47 bits: a number holds it.
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
        for (let each = 0; each < length; each += 1) target[at + each] = bytes[from + each] ?? 0
        return
      }
      const address = addressAt(row)
      if (address < run.start || address + length > run.end) readRun(row)
      run.text.copy(target, at, address - run.start, address - run.start + length)
    },
    // Equal words: the same short text, or the same place in memory.
    same(row, other) {
      if (!has(row) || !has(other)) return false
      const [a, b] = [row * 4, other * 4]
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
