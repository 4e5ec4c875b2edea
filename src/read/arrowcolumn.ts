import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Float64,
  Int32,
  Int64,
  makeData,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import type { ResultColumn } from '../duckdb/reader.js'

/** How one column of a result becomes Arrow. Values are the exact ones of `streamSql`. */
export interface ArrowColumn {
  name: string
  type: DataType
  data(values: readonly unknown[]): Data
}

const DAY_MS = 86_400_000

/** Columns by DuckDB's type name; a text column for types that have no exact counterpart. */
export function arrowColumn({ name, type }: ResultColumn): ArrowColumn {
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(type)
  if (decimal) return decimalColumn(name, Number(decimal[1]), Number(decimal[2]))
  switch (type) {
    case 'BIGINT':
      return fixed(name, new Int64(), BigInt64Array, (value) => BigInt(value as string))
    case 'TINYINT':
    case 'SMALLINT':
    case 'INTEGER':
      return fixed(name, new Int32(), Int32Array, Number)
    case 'FLOAT':
    case 'DOUBLE':
      return fixed(name, new Float64(), Float64Array, Number)
    case 'DATE':
      return fixed(name, new DateDay(), Int32Array, (value) => Date.parse(value as string) / DAY_MS)
    case 'TIMESTAMP':
      return fixed(name, new TimestampMicrosecond(), BigInt64Array, microseconds)
    case 'TIMESTAMP WITH TIME ZONE':
      return fixed(name, new TimestampMicrosecond('UTC'), BigInt64Array, microseconds)
    case 'BOOLEAN':
      return {
        name,
        type: new Bool(),
        data: (values) => only(vectorFromArray(values as boolean[], new Bool())),
      }
    default:
      return { name, type: new Utf8(), data: (values) => only(vectorFromArray(values.map(text), new Utf8())) }
  }
}

function fixed<
  Type extends Int32 | Int64 | Float64 | DateDay | TimestampMicrosecond,
  Item extends number | bigint,
>(
  name: string,
  type: Type,
  List: new (length: number) => { [index: number]: Item },
  read: (value: unknown) => Item,
): ArrowColumn {
  return {
    name,
    type,
    data(values) {
      const data = new List(values.length)
      for (const [index, value] of values.entries()) if (value !== null) data[index] = read(value)
      return makeData({ type: type as Int64, length: values.length, ...nulls(values), data: data as never })
    },
  }
}

/** 128 bits, two's complement, as four little-endian words. */
function decimalColumn(name: string, precision: number, scale: number): ArrowColumn {
  const type = new Decimal(scale, precision)
  return {
    name,
    type,
    data(values) {
      const words = new BigUint64Array(values.length * 2)
      for (const [index, value] of values.entries()) {
        if (value === null) continue
        const unscaled = BigInt.asUintN(128, BigInt((value as string).replace('.', '')))
        words[index * 2] = BigInt.asUintN(64, unscaled)
        words[index * 2 + 1] = unscaled >> 64n
      }
      const data = new Uint32Array(words.buffer)
      return makeData({ type, length: values.length, ...nulls(values), data })
    },
  }
}

/** A set bit for every value that is there. */
function nulls(values: readonly unknown[]): { nullCount: number; nullBitmap: Uint8Array } {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 64) * 8)
  let nullCount = 0
  for (const [index, value] of values.entries()) {
    if (value === null) nullCount += 1
    else nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7))
  }
  return { nullCount, nullBitmap }
}

/** `2025-03-14T02:15:00.25Z` or `2025-03-14 09:15:00` as microseconds since the epoch. */
function microseconds(value: unknown): bigint {
  const [, whole = '', fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z?$/.exec(value as string) ?? []
  const ms = BigInt(Date.parse(`${whole.replace(' ', 'T')}Z`))
  return ms * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6) || 0)
}

function text(value: unknown): string | null {
  if (value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function only(vector: { data: readonly Data[] }): Data {
  const [data] = vector.data
  if (!data) throw new RangeError('an empty vector')
  return data
}
