import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { Field, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from 'apache-arrow'
import type { Reader } from '../../duckdb/reader.js'
import { StorageError } from '../../errors.js'
import { BATCH_ROWS, type ColumnBuilder, columnBuilder } from './column.js'

export interface ArrowOptions {
  /** Columns that are written as codes, with all values that they may have. */
  dictionaries?: ReadonlyMap<string, readonly string[]>
  onRows?(rows: number): void
}

/**
 * Writes a result as an Arrow IPC file, batch by batch: memory does not grow with it. DECIMAL as Decimal128, instants
 * as microseconds in UTC, dates as days, what Arrow's JavaScript has no type for as text.
 *
 * @param file temp name; what stands there after an error is half
 * @returns rows written
 * @throws UsageError for bad SQL · StorageError when the file cannot be written
 */
export async function writeArrow(
  reader: Reader,
  sql: string,
  file: string,
  options: ArrowOptions = {},
): Promise<number> {
  const sink = await openSink(file)
  let builders: ColumnBuilder[] = []
  let schema = new Schema()
  let [gathered, total] = [0, 0]
  const flush = async (): Promise<void> => {
    const children = builders.map((each) => each.take())
    const data = makeData({ type: new Struct(schema.fields), length: gathered, nullCount: 0, children })
    total += gathered
    options.onRows?.(gathered)
    gathered = 0
    sink.writer.write(new RecordBatch(schema, data))
    await sink.drained()
  }
  try {
    await reader.streamColumns(
      sql,
      (columns) => {
        builders = columns.map((column) => columnBuilder(column, options.dictionaries?.get(column.name)))
        schema = new Schema(builders.map(({ name, type }) => new Field(name, type, true)))
        sink.writer.reset(undefined, schema)
      },
      async (columns, rows) => {
        for (let from = 0; from < rows; ) {
          const to = Math.min(rows, from + BATCH_ROWS - gathered)
          for (const [index, column] of columns.entries()) builders[index]?.append(column, from, to)
          gathered += to - from
          from = to
          if (gathered === BATCH_ROWS) await flush()
        }
      },
    )
    // An empty result is a file too: its schema comes with an empty batch.
    if (gathered > 0 || total === 0) await flush()
    sink.writer.finish()
    await sink.drained()
    return total
  } finally {
    await sink.close()
  }
}

interface Sink {
  writer: RecordBatchFileWriter
  /** Resolves once all that was written so far is in the file: memory holds one batch, not the result. */
  drained(): Promise<void>
  close(): Promise<void>
}

/** A writer of Arrow's bytes into a file. Arrow's queue between the two has no bound of its own. */
async function openSink(file: string): Promise<Sink> {
  const failed = (cause: Error): StorageError =>
    new StorageError(`cannot write ${file}: ${cause.message}`, {
      hint: 'free some space or choose another place, then try again',
      cause,
    })
  const out = await open(file, 'wx').catch((cause: Error) => {
    throw failed(cause)
  })
  const writer = new RecordBatchFileWriter()
  let failure: StorageError | undefined
  let waiting = false
  const copy = async (): Promise<void> => {
    const pieces = writer[Symbol.asyncIterator]()
    while (true) {
      waiting = true
      const piece = await pieces.next()
      waiting = false
      if (piece.done) break
      await out.writeFile(piece.value)
    }
    waiting = true
  }
  copy().catch((cause: Error) => {
    failure = failed(cause)
  })
  return {
    writer,
    // A piece that is there is taken before the next turn of the event loop: still waiting then, the queue is empty.
    async drained() {
      do await setImmediate()
      while (!waiting && !failure)
      if (failure) throw failure
    },
    close: () => out.close(),
  }
}
