import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { Field, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from 'apache-arrow'
import { type StorageError, UsageError } from 'candlehouse-foundation/errors'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Reader } from '../../duckdb/reader.js'
import type { Effects } from '../../effects.js'
import { isDevice } from '../../home/disk.js'
import { writeWholeWith } from '../../home/files.js'
import { BATCH_ROWS, type ColumnBuilder, columnBuilder } from './builder.js'

export interface ArrowOptions {
  /** Dictionary-coded columns, with all their possible values. */
  dictionaries?: ReadonlyMap<string, readonly string[]>
  onRows?(rows: number): void
}

/**
 * Writes a result as an Arrow IPC file, batch by batch: memory does not grow with it. DECIMAL becomes Decimal128, instants
 * microseconds in UTC, dates days. Types that Arrow's JavaScript library does not have become text.
 *
 * @param file temporary name; after an error the file is incomplete
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
  let [batchRows, total] = [0, 0]
  const flush = async (): Promise<void> => {
    const children = builders.map((builder) => builder.take())
    const data = makeData({ type: new Struct(schema.fields), length: batchRows, nullCount: 0, children })
    total += batchRows
    options.onRows?.(batchRows)
    batchRows = 0
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
          const to = Math.min(rows, from + BATCH_ROWS - batchRows)
          for (const [index, column] of columns.entries()) builders[index]?.append(column, from, to)
          batchRows += to - from
          from = to
          if (batchRows === BATCH_ROWS) await flush()
        }
      },
    )
    // An empty result also gives a file: an empty batch carries its schema.
    if (batchRows > 0 || total === 0) await flush()
    sink.writer.finish()
    await sink.drained()
    return total
  } finally {
    await sink.close()
  }
}

/**
 * Writes a result as an Arrow IPC file: whole or not at all.
 *
 * @returns rows written
 * @throws UsageError for a device or a pipe, before the statement runs
 */
export async function saveArrow(
  reader: Reader,
  sql: string,
  file: string,
  { disk }: Pick<Effects, 'disk'>,
): Promise<number> {
  if (isDevice(file))
    throw new UsageError(`${file} is a device or a pipe, and --arrow writes a file`, {
      hint: 'choose a file with --arrow; --csv prints a result on stdout',
    })
  return await writeWholeWith(file, undefined, (temp) => writeArrow(reader, sql, temp), disk)
}

interface Sink {
  writer: RecordBatchFileWriter
  /** Resolves when everything written so far is in the file, so that memory holds only one batch. */
  drained(): Promise<void>
  close(): Promise<void>
}

/** Writes Arrow's bytes to a file. Arrow's queue in between has no size limit, so callers wait for `drained`. */
async function openSink(file: string): Promise<Sink> {
  const failed = (cause: Error): StorageError =>
    refused(`write ${file}`, cause, 'choose another place, then try again')
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
    // A queued piece is taken before the next turn of the event loop. If `copy` still waits then, the queue is empty.
    async drained() {
      do await setImmediate()
      while (!waiting && !failure)
      if (failure) throw failure
    },
    close: () => out.close(),
  }
}
