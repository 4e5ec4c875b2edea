import { DuckDBDataChunk } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { widthOf } from './column.js'
import type { Database } from './open.js'

/** Adds rows to a table without one JavaScript value per row. What it has added is in the table once it is closed. */
export interface ColumnAppender {
  /**
   * Values as DuckDB has them in memory, one array per column of the table, in its order: 64 bits are two numbers, the lower
   * half first. No value is null. They are copied: the arrays may be used again on return.
   */
  append(columns: readonly Int32Array[], rows: number): void
  close(): void
}

/** Appends to a temporary table. @throws TypeError where the values of a column have no fixed width */
export async function openColumnAppender(database: Database, table: string): Promise<ColumnAppender> {
  const appender = await database.connection.createAppender(table, 'main', 'temp')
  const types = Array.from({ length: appender.columnCount }, (_, index) => appender.columnType(index))
  const widths = types.map((type) => {
    const width = widthOf(String(type))
    if (width === undefined)
      throw new TypeError(`${table}: values of type ${String(type)} have no fixed width`)
    return width
  })
  const chunk = DuckDBDataChunk.create(types)
  const most = duckdb.vector_size()
  const appendPart = (columns: readonly Int32Array[], from: number, rows: number): void => {
    chunk.reset()
    chunk.rowCount = rows
    widths.forEach((width, index) => {
      const values = columns[index]
      if (!values || values.byteLength < (from + rows) * width)
        throw new RangeError(`${table}: column ${index} has fewer than ${from + rows} values`)
      const vector = duckdb.data_chunk_get_vector(chunk.chunk, index)
      const at = values.byteOffset + from * width
      duckdb.copy_data_to_vector(vector, 0, values.buffer as ArrayBuffer, at, rows * width)
    })
    appender.appendDataChunk(chunk)
  }
  return {
    append(columns, rows) {
      for (let from = 0; from < rows; from += most) appendPart(columns, from, Math.min(most, rows - from))
    },
    close: () => appender.closeSync(),
  }
}
