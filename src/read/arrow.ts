import { open, rename, rm } from 'node:fs/promises'
import { Field, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from 'apache-arrow'
import { StorageError } from '../errors.js'
import { type ArrowColumn, arrowColumn } from './arrowcolumn.js'
import { streamSql } from './catalog.js'

/**
 * Writes a result as an Arrow IPC file, a record batch a chunk: DECIMAL as Decimal128, instants as microseconds
 * in UTC, dates as days, what Arrow's JavaScript has no type for as text. A failed query leaves no file.
 *
 * @returns rows written
 * @throws UsageError for bad SQL · StorageError when the file cannot be written
 */
export async function writeArrow(home: string, sql: string, file: string): Promise<number> {
  const temp = `${file}.${process.pid}.tmp`
  const out = await open(temp, 'w').catch((cause: Error) => {
    throw new StorageError(`cannot write ${file}: ${cause.message}`, { cause })
  })
  try {
    const writer = new RecordBatchFileWriter()
    const bytes = (async () => {
      for await (const piece of writer) await out.write(piece)
    })()
    let columns: ArrowColumn[] = []
    let schema = new Schema([])
    let rowCount = 0
    await streamSql(
      home,
      sql,
      (described) => {
        columns = described.map(arrowColumn)
        schema = new Schema(columns.map((column) => new Field(column.name, column.type, true)))
        writer.reset(undefined, schema)
      },
      (rows) => {
        const children = columns.map((column, index) => column.data(rows.map((row) => row[index])))
        const struct = makeData({
          type: new Struct(schema.fields),
          length: rows.length,
          nullCount: 0,
          children,
        })
        writer.write(new RecordBatch(schema, struct))
        rowCount += rows.length
      },
    )
    writer.finish()
    await bytes
    await out.sync()
    await out.close()
    await rename(temp, file)
    return rowCount
  } catch (error) {
    await out.close().catch(() => undefined)
    await rm(temp, { force: true })
    throw error
  }
}
