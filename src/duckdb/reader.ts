import type { DuckDBConnection } from '@duckdb/node-api'
import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { systemFault } from 'candlehouse-foundation/system-fault'
import { every } from 'candlehouse-foundation/timers'
import { removeTempFolder } from '../home/home.js'
import { type RawColumn, rawColumn } from './column.js'
import { interruptible, type Stop } from './interrupt.js'
import { openLocked, type ReaderOptions } from './locked.js'
import { withNearestName } from './nearest.js'
import type { Chunk } from './result-store.js'
import { literal } from './sqlfile.js'
import { preparedColumns, prepareToRead, type ResultColumn } from './statement.js'
import { asSubquery, streamChunks } from './streaming.js'
import { exact, valuesOf } from './value.js'

export type { ResultColumn }

export interface ReaderResult {
  columns: ResultColumn[]
  rows: unknown[][]
}

export type OnColumns = (columns: ResultColumn[]) => void | Promise<void>
export type OnRows = (rows: unknown[][]) => void | Promise<void>
type OnChunk = Parameters<typeof streamChunks>[2]
type OnRawColumns = (columns: RawColumn[], rows: number) => void | Promise<void>

/** Read-only access to one DuckDB file and the folders that its views read. */
export interface Reader extends Disposable {
  /** Columns of a statement. @throws UsageError for bad SQL, several statements, or one that writes */
  describe(sql: string): Promise<ResultColumn[]>
  /**
   * Runs a statement of the program's own, whose result is small, with exact values. It is not checked, and planned once:
   * `stream` plans three times, to check a statement, to name its columns and to mark its end, and a view of schema `mart`
   * takes up to 80 ms each time.
   */
  all(sql: string): Promise<ReaderResult>
  /**
   * As `all`, with columns instead of rows, chunk by chunk: for many numbers, none of which becomes a value of JavaScript.
   *
   * @param onChunk copies what it needs: the columns are DuckDB's memory
   */
  allColumns(sql: string, onChunk: (columns: RawColumn[], rows: number) => void): Promise<void>
  /** Passes on column names and types, then rows of exact values, chunk by chunk: memory does not grow with the result. */
  stream(sql: string, onColumns: OnColumns, onRows: OnRows, stop?: Stop): Promise<void>
  /** As `stream`, with the chunks themselves, for a `ResultStore`. A chunk may have one row more than those of the result. */
  streamChunks(sql: string, onColumns: OnColumns, onChunk: OnChunk, stop?: Stop): Promise<void>
  /** As `stream`, with columns instead of rows, for columnar formats: no value is converted to text. */
  streamColumns(sql: string, onColumns: OnColumns, onChunk: OnRawColumns): Promise<void>
  /**
   * Writes a result with DuckDB's own writers, to the folder `out` of the reader's options.
   *
   * @param options of COPY
   * @param onPercent gets the progress from time to time
   * @returns rows written
   */
  copy(
    sql: string,
    file: string,
    options: string,
    onPercent: (percent: number) => void,
    stop: Stop,
  ): Promise<number>
  close(): void
}

/**
 * Opens a DuckDB file for analysts' statements: read-only, no file outside `folders`, settings locked. A COPY
 * into an allowed folder would still work, so only single statements that read are run.
 */
export async function openReader(
  file: string,
  folders: readonly string[],
  options: ReaderOptions = {},
): Promise<Reader> {
  const { instance, connection } = await openLocked(file, folders, options)
  const reader: Reader = {
    describe: (sql) => describe(connection, sql),
    all: (sql) => readAll(connection, sql),
    allColumns: (sql, onChunk) => readAllColumns(connection, sql, onChunk),
    stream: (sql, onColumns, onRows, stop) => streamRows(connection, sql, onColumns, onRows, stop),
    streamChunks: (sql, onColumns, onChunk, stop) => stream(connection, sql, onColumns, onChunk, stop),
    streamColumns: (sql, onColumns, onChunk) => streamRawColumns(connection, sql, onColumns, onChunk),
    copy: (...asked) => copyTo(connection, ...asked),
    close() {
      connection.closeSync()
      instance.closeSync()
      if (options.spill) removeTempFolder(options.spill)
    },
    [Symbol.dispose]: () => reader.close(),
  }
  return reader
}

async function describe(connection: DuckDBConnection, sql: string): Promise<ResultColumn[]> {
  try {
    return preparedColumns((await prepareToRead(connection, sql)).prepared)
  } catch (cause) {
    throw await withNearestName(connection, explained(cause, sql), sql)
  }
}

async function readAll(connection: DuckDBConnection, sql: string): Promise<ReaderResult> {
  const reader = await connection.runAndReadAll(sql).catch((cause) => {
    throw explained(cause, sql)
  })
  const types = reader.columnTypes().map(String)
  const columns = reader.columnNames().map((name, index) => ({ name, type: types[index] ?? '' }))
  return { columns, rows: reader.getRows().map((row) => row.map(exact)) }
}

async function readAllColumns(
  connection: DuckDBConnection,
  sql: string,
  onChunk: (columns: RawColumn[], rows: number) => void,
): Promise<void> {
  const result = await connection.run(sql).catch((cause) => {
    throw explained(cause, sql)
  })
  const types = result.columnTypes().map(String)
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
    onChunk(rawColumns(chunk, types), chunk.rowCount)
}

function rawColumns(chunk: Chunk, types: readonly string[]): RawColumn[] {
  return types.map((type, index) => rawColumn(chunk, index, type))
}

async function stream(
  connection: DuckDBConnection,
  sql: string,
  onColumns: OnColumns,
  onChunk: OnChunk,
  stop?: Stop,
): Promise<void> {
  const signal = stop?.signal
  const reading = await prepareToRead(connection, sql).catch(async (cause) => {
    throw await withNearestName(connection, explained(cause, sql), sql)
  })
  signal?.throwIfAborted()
  await onColumns(preparedColumns(reading.prepared))
  // An error of the consumer is passed on unchanged: it is not an error of the statement.
  let consumerError: unknown
  const consume: OnChunk = async (chunk, rows) => {
    try {
      await onChunk(chunk, rows)
    } catch (error) {
      consumerError = error
      throw error
    }
  }
  await interruptible(connection, stop, () => streamChunks(connection, reading, consume, signal)).catch(
    (cause) => {
      throw cause === consumerError || cause === signal?.reason ? cause : explained(cause, sql)
    },
  )
}

async function streamRows(
  connection: DuckDBConnection,
  sql: string,
  onColumns: OnColumns,
  onRows: OnRows,
  stop?: Stop,
): Promise<void> {
  // A chunk may have the marker's column behind those of the statement.
  let width = 0
  await stream(
    connection,
    sql,
    async (columns) => {
      width = columns.length
      await onColumns(columns)
    },
    async (chunk, rows) => {
      const values = valuesOf(chunk).slice(0, rows)
      await onRows(values.map((row) => row.slice(0, width).map(exact)))
    },
    stop,
  )
}

async function streamRawColumns(
  connection: DuckDBConnection,
  sql: string,
  onColumns: OnColumns,
  onChunk: OnRawColumns,
): Promise<void> {
  let types: string[] = []
  await stream(
    connection,
    sql,
    async (columns) => {
      types = columns.map(({ type }) => type)
      await onColumns(columns)
    },
    (chunk, rows) => onChunk(rawColumns(chunk, types), rows),
  )
}

async function copyTo(
  connection: DuckDBConnection,
  sql: string,
  target: string,
  options: string,
  onPercent: (percent: number) => void,
  stop: Stop,
): Promise<number> {
  const { signal, effects } = stop
  const end = every(500, () => onPercent(Math.max(0, connection.progress.percentage)), effects)
  try {
    const { text } = await prepareToRead(connection, sql)
    signal.throwIfAborted()
    const copy = `COPY (\n${asSubquery(text)}\n) TO ${literal(target)} (${options})`
    const result = await interruptible(connection, stop, () => connection.runAndReadAll(copy))
    return Number(result.getRows()[0]?.[0] ?? 0)
  } catch (cause) {
    throw cause === signal.reason ? cause : explained(cause, sql)
  } finally {
    end()
  }
}

/** DuckDB's words for a Parquet file whose bytes are not what was written. */
const DAMAGED_PARQUET =
  /No magic bytes|too small to be a Parquet file|TProtocolException|decompression|Invalid Parquet|footer/i

/**
 * Bad SQL is a usage error with DuckDB's own message; errors of reading and writing files are storage errors, except of
 * files that the statement itself names.
 */
function explained(cause: unknown, sql: string): unknown {
  if (!(cause instanceof Error) || cause instanceof UsageError || cause instanceof StorageError) return cause
  const { message } = cause
  const [line = message] = message.split('\n')
  if (/Cannot access|operations are disabled/.test(message)) {
    const [, file] = /Cannot access file "(.*\.parquet)"/.exec(line) ?? []
    // A view of the catalog names the file, not the statement.
    if (file !== undefined && !sql.includes(file)) {
      return new StorageError(`the catalog reads a file of another folder: ${file}`, {
        hint: 'if the home was moved or copied, write the catalog again: candlehouse publish',
        cause,
      })
    }
    return new UsageError(line, { hint: 'only the published lake can be read', cause })
  }
  const [, path = ''] = /["']([^"']*\/[^"']*)["']/.exec(line) ?? []
  if (path !== '' && sql.includes(path)) return new UsageError(message, { cause })
  const fault = systemFault(cause)
  if (fault?.code === 'ENOENT') {
    return new StorageError(`a file of the lake is missing: ${path || line}`, {
      hint: 'candlehouse publish    # writes it again',
      cause,
    })
  }
  if (fault) return new StorageError(line, { hint: fault.hint, cause })
  if (!/^IO Error/.test(message) && !DAMAGED_PARQUET.test(message)) return new UsageError(message, { cause })
  return new StorageError(`a file of the lake cannot be read: ${line}`, {
    hint: 'candlehouse publish --deep    # compares every file, and writes damaged ones again',
    cause,
  })
}
