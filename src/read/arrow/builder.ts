import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  makeData,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import { type FixedColumn, isSet, type RawColumn, type TextColumn } from '../../duckdb/column.js'
import { decimalOf } from '../../duckdb/decimal.js'
import type { ResultColumn } from '../../duckdb/reader.js'

/** Rows per record batch: many enough that its metadata is negligible, few enough to keep some batches in memory. */
export const BATCH_ROWS = 65_536

/** Collects one column of a result in Arrow's memory layout, one record batch at a time. */
export interface ColumnBuilder {
  readonly name: string
  readonly type: DataType
  /** Adds the rows `from` (included) to `to` (excluded) of a chunk. */
  append(column: RawColumn, from: number, to: number): void
  /** Returns the rows since the last call, at most `BATCH_ROWS`, and starts a new batch. */
  take(): Data
}

/**
 * The builder for a DuckDB type; a text column for types without an exact Arrow type.
 *
 * @param dictionary all values of a dictionary-coded text column, because a file has one dictionary
 */
export function columnBuilder({ name, type }: ResultColumn, dictionary?: readonly string[]): ColumnBuilder {
  const decimal = decimalOf(type)
  if (decimal) return decimalBuilder(name, new Decimal(decimal.scale, decimal.precision))
  switch (type) {
    case 'HUGEINT':
      return decimalBuilder(name, new Decimal(0, 38))
    case 'BIGINT':
      return copyBuilder(name, new Int64(), BigInt64Array)
    case 'INTEGER':
      return copyBuilder(name, new Int32(), Int32Array)
    case 'SMALLINT':
      return copyBuilder(name, new Int16(), Int16Array)
    case 'TINYINT':
      return copyBuilder(name, new Int8(), Int8Array)
    case 'DOUBLE':
      return copyBuilder(name, new Float64(), Float64Array)
    case 'FLOAT':
      return copyBuilder(name, new Float32(), Float32Array)
    case 'DATE':
      return copyBuilder(name, new DateDay(), Int32Array)
    case 'TIMESTAMP':
      return copyBuilder(name, new TimestampMicrosecond(), BigInt64Array)
    case 'TIMESTAMP WITH TIME ZONE':
      return copyBuilder(name, new TimestampMicrosecond('UTC'), BigInt64Array)
    case 'BOOLEAN':
      return boolBuilder(name)
    default:
      return dictionary ? dictionaryBuilder(name, dictionary) : textBuilder(name)
  }
}

/** Sets the bit of a row, lowest bit of the first byte first. */
function setBit(bits: Uint8Array, row: number): void {
  bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7))
}

/** The buffers of one batch of one kind of column. */
interface Batch<Column extends RawColumn> {
  /** Writes rows of a chunk to the batch, starting at `row`. */
  put(column: Column, from: number, to: number, row: number): void
  buffers(rows: number): object
}

/**
 * What all builders share: the validity bitmap, and a new batch after each `take`.
 *
 * @param hasValue undefined if every row of the column has a value
 * @param newBatch creates the buffers of a batch
 */
function builder<Column extends RawColumn>(
  name: string,
  type: DataType,
  hasValue: (column: Column) => ((row: number) => boolean) | undefined,
  newBatch: () => Batch<Column>,
): ColumnBuilder {
  let [rows, nullCount] = [0, 0]
  let bits = new Uint8Array(BATCH_ROWS / 8)
  let batch = newBatch()
  return {
    name,
    type,
    append(column, from, to) {
      const isValid = hasValue(column as Column)
      for (let source = from, row = rows; source < to; source += 1, row += 1) {
        if (!isValid || isValid(source)) setBit(bits, row)
        else nullCount += 1
      }
      batch.put(column as Column, from, to, rows)
      rows += to - from
    },
    take() {
      const buffers = batch.buffers(rows)
      const data = makeData({ type, length: rows, nullCount, nullBitmap: bits, ...buffers } as never)
      ;[rows, nullCount] = [0, 0]
      bits = new Uint8Array(BATCH_ROWS / 8)
      batch = newBatch()
      return data
    },
  }
}

function validOf({ valid }: FixedColumn): ((row: number) => boolean) | undefined {
  return valid && ((row) => isSet(valid, row))
}

/** For types whose values have the same bytes in Arrow and in DuckDB. */
function copyBuilder(
  name: string,
  type: DataType,
  List: new (length: number) => { buffer: ArrayBufferLike; subarray(from: number, to: number): unknown },
): ColumnBuilder {
  return builder<FixedColumn>(name, type, validOf, () => {
    const list = new List(BATCH_ROWS)
    const bytes = new Uint8Array(list.buffer)
    return {
      put(column, from, to, row) {
        const { width } = column
        bytes.set(column.bytes.subarray(from * width, to * width), row * width)
        // DuckDB leaves arbitrary bytes in the place of a null: they are cleared, so that equal results are equal files.
        if (column.valid) {
          for (let source = from; source < to; source += 1) {
            const at = (row + source - from) * width
            if (!isSet(column.valid, source)) bytes.fill(0, at, at + width)
          }
        }
      },
      buffers: (rows) => ({ data: list.subarray(0, rows) }),
    }
  })
}

/** Writes 128-bit two's complement as four little-endian words; in DuckDB the width depends on the digits. */
function decimalBuilder(name: string, type: Decimal): ColumnBuilder {
  return builder<FixedColumn>(name, type, validOf, () => {
    const words = new Int32Array(BATCH_ROWS * 4)
    return {
      put({ width, bytes, valid }, from, to, row) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        for (let source = from, at = row * 4; source < to; source += 1, at += 4) {
          if (valid && !isSet(valid, source)) continue
          const start = source * width
          const low = width === 2 ? view.getInt16(start, true) : view.getInt32(start, true)
          const high = width >= 8 ? view.getInt32(start + 4, true) : low >> 31
          words[at] = low
          words[at + 1] = high
          words[at + 2] = width === 16 ? view.getInt32(start + 8, true) : high >> 31
          words[at + 3] = width === 16 ? view.getInt32(start + 12, true) : high >> 31
        }
      },
      buffers: (rows) => ({ data: new Uint32Array(words.buffer, 0, rows * 4) }),
    }
  })
}

function boolBuilder(name: string): ColumnBuilder {
  return builder<FixedColumn>(name, new Bool(), validOf, () => {
    const bits = new Uint8Array(BATCH_ROWS / 8)
    return {
      put({ bytes, valid }, from, to, first) {
        for (let source = from, row = first; source < to; source += 1, row += 1) {
          if (bytes[source] === 1 && (!valid || isSet(valid, source))) setBit(bits, row)
        }
      },
      buffers: () => ({ data: bits }),
    }
  })
}

function textOf(column: TextColumn): (row: number) => boolean {
  return (row) => column.has(row)
}

function textBuilder(name: string): ColumnBuilder {
  return builder<TextColumn>(name, new Utf8(), textOf, () => {
    const offsets = new Int32Array(BATCH_ROWS + 1)
    let bytes = new Uint8Array(BATCH_ROWS * 8)
    let end = 0
    const reserve = (more: number): void => {
      if (end + more <= bytes.length) return
      const grown = new Uint8Array(Math.max(bytes.length * 2, end + more))
      grown.set(bytes)
      bytes = grown
    }
    return {
      put(column, from, to, first) {
        let [start, length] = [0, 0]
        for (let source = from; source < to; source += 1) {
          const row = first + source - from
          // Rows of one symbol or page follow each other: an equal text is copied from the row before.
          if (source > from && column.areEqual(source, source - 1)) {
            reserve(length)
            bytes.copyWithin(end, start, start + length)
          } else {
            length = column.length(source)
            reserve(length)
            if (length > 0) column.copy(source, bytes, end)
          }
          start = end
          end += length
          offsets[row + 1] = end
        }
      },
      buffers: (rows) => ({ valueOffsets: offsets.subarray(0, rows + 1), data: bytes.subarray(0, end) }),
    }
  })
}

function dictionaryBuilder(name: string, values: readonly string[]): ColumnBuilder {
  const codes = new Map(values.map((value, code) => [value, code]))
  const dictionary = vectorFromArray([...values], new Utf8())
  const decoder = new TextDecoder()
  return builder<TextColumn>(name, new Dictionary(new Utf8(), new Int32()), textOf, () => {
    const list = new Int32Array(BATCH_ROWS)
    return {
      put(column, from, to, first) {
        let code: number | undefined
        for (let source = from; source < to; source += 1) {
          if (source === from || !column.areEqual(source, source - 1)) {
            const text = new Uint8Array(column.length(source))
            if (column.has(source)) column.copy(source, text, 0)
            const value = decoder.decode(text)
            code = column.has(source) ? codes.get(value) : 0
            if (code === undefined) throw new RangeError(`${name}: ${value} is not in the dictionary`)
          }
          list[first + source - from] = code ?? 0
        }
      },
      buffers: (rows) => ({ data: list.subarray(0, rows), dictionary }),
    }
  })
}
