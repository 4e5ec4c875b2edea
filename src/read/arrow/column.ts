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

/** Rows of a record batch: enough that its description weighs nothing, little enough to hold a few. */
export const BATCH_ROWS = 65_536

/** Gathers one column of a result into Arrow's memory layout, a record batch at a time. */
export interface ColumnBuilder {
  readonly name: string
  readonly type: DataType
  /** Rows `from` up to `to` of a chunk. */
  append(column: RawColumn, from: number, to: number): void
  /** What was gathered since the last time; at most `BATCH_ROWS` rows. */
  take(): Data
}

/**
 * A builder by DuckDB's type name; a text column for types that have no exact counterpart.
 *
 * @param dictionary values of a text column that is written as codes; all of them, since a file has one dictionary
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

/** How one kind of column fills the buffers of a batch. */
interface Filling<Column extends RawColumn> {
  /** Puts rows of a chunk behind the `row`s that are there. */
  put(column: Column, from: number, to: number, row: number): void
  buffers(rows: number): object
}

/**
 * The frame of every builder: notes which rows have a value, and begins anew after each batch.
 *
 * @param begin makes the buffers of a batch
 */
function builder<Column extends RawColumn>(
  name: string,
  type: DataType,
  has: (column: Column) => ((row: number) => boolean) | undefined,
  begin: () => Filling<Column>,
): ColumnBuilder {
  let [rows, nullCount] = [0, 0]
  let bits = new Uint8Array(BATCH_ROWS / 8)
  let filling = begin()
  return {
    name,
    type,
    append(column, from, to) {
      const there = has(column as Column)
      for (let each = from, row = rows; each < to; each += 1, row += 1) {
        if (!there || there(each)) setBit(bits, row)
        else nullCount += 1
      }
      filling.put(column as Column, from, to, rows)
      rows += to - from
    },
    take() {
      const buffers = filling.buffers(rows)
      const data = makeData({ type, length: rows, nullCount, nullBitmap: bits, ...buffers } as never)
      ;[rows, nullCount] = [0, 0]
      bits = new Uint8Array(BATCH_ROWS / 8)
      filling = begin()
      return data
    },
  }
}

function validOf({ valid }: FixedColumn): ((row: number) => boolean) | undefined {
  return valid && ((row) => isSet(valid, row))
}

/** Values that Arrow holds as DuckDB does. */
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
        // What DuckDB leaves in a null's place is nobody's business.
        if (column.valid) {
          for (let each = from; each < to; each += 1) {
            const at = (row + each - from) * width
            if (!isSet(column.valid, each)) bytes.fill(0, at, at + width)
          }
        }
      },
      buffers: (rows) => ({ data: list.subarray(0, rows) }),
    }
  })
}

/** 128 bits, two's complement, as four little-endian words; DuckDB's are as wide as their digits need. */
function decimalBuilder(name: string, type: Decimal): ColumnBuilder {
  return builder<FixedColumn>(name, type, validOf, () => {
    const words = new Int32Array(BATCH_ROWS * 4)
    return {
      put({ width, bytes, valid }, from, to, row) {
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        for (let each = from, at = row * 4; each < to; each += 1, at += 4) {
          if (valid && !isSet(valid, each)) continue
          const start = each * width
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
        for (let each = from, row = first; each < to; each += 1, row += 1) {
          if (bytes[each] === 1 && (!valid || isSet(valid, each))) setBit(bits, row)
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
    const room = (more: number): void => {
      if (end + more <= bytes.length) return
      const grown = new Uint8Array(Math.max(bytes.length * 2, end + more))
      grown.set(bytes)
      bytes = grown
    }
    return {
      put(column, from, to, first) {
        let [start, length] = [0, 0]
        for (let each = from; each < to; each += 1) {
          const row = first + each - from
          // Rows of a symbol or page follow each other: what is the same is copied from where it stands.
          if (each > from && column.same(each, each - 1)) {
            room(length)
            bytes.copyWithin(end, start, start + length)
          } else {
            length = column.length(each)
            room(length)
            if (length > 0) column.copy(each, bytes, end)
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
        for (let each = from; each < to; each += 1) {
          if (each === from || !column.same(each, each - 1)) {
            const text = new Uint8Array(column.length(each))
            if (column.has(each)) column.copy(each, text, 0)
            const value = decoder.decode(text)
            code = column.has(each) ? codes.get(value) : 0
            if (code === undefined) throw new RangeError(`${name}: ${value} is not in the dictionary`)
          }
          list[first + each - from] = code ?? 0
        }
      },
      buffers: (rows) => ({ data: list.subarray(0, rows), dictionary }),
    }
  })
}
