import { type DuckDBConnection, DuckDBInstance, type DuckDBResultReader } from '@duckdb/node-api'
import { StorageError, UsageError } from '../errors.js'
import { type RawColumn, rawColumn } from './column.js'
import { DISK } from './open.js'
import { literal } from './sqlfile.js'
import { prepareReading, type Reading } from './statement.js'
import { bare, streamChunks } from './streaming.js'
import { exact } from './value.js'

export interface ResultColumn {
  name: string
  type: string
}

/** Read-only access to one file and the folder its views read. */
export interface Reader {
  /** Columns of the one statement that reads. @throws UsageError for bad SQL, several statements, one that writes */
  describe(sql: string): Promise<ResultColumn[]>
  /** Column names and types, then rows of exact values, chunk by chunk: memory does not grow with the result. */
  stream(
    sql: string,
    onColumns: (columns: ResultColumn[]) => void | Promise<void>,
    onRows: (rows: unknown[][]) => void | Promise<void>,
  ): Promise<void>
  /** As `stream`, columns instead of rows: what fills a columnar format without a value becoming text. */
  streamColumns(
    sql: string,
    onColumns: (columns: ResultColumn[]) => void | Promise<void>,
    onChunk: (columns: RawColumn[], rows: number) => void | Promise<void>,
  ): Promise<void>
  /**
   * Writes a result with DuckDB's own writers, into a folder that was opened for that.
   *
   * @param options of COPY, between its brackets
   * @param onPercent told now and then how far it is
   * @returns rows written
   */
  copy(sql: string, file: string, options: string, onPercent: (percent: number) => void): Promise<number>
  close(): void
}

export interface ReaderOptions {
  /** For example '200MB'. @default DuckDB's own: 80 % of memory */
  memoryLimit?: string
  /** Folder that `copy` may write to. */
  out?: string
}

/**
 * Opens a DuckDB file for analysts' statements: read-only, no file outside `folder`, settings locked. A COPY
 * into the allowed folder would still work, so only one statement that reads is ever run.
 */
export async function openReader(file: string, folder: string, options: ReaderOptions = {}): Promise<Reader> {
  const { instance, connection } = await openLocked(file, folder, options)
  const stream = async (
    sql: string,
    onColumns: (columns: ResultColumn[]) => void | Promise<void>,
    onChunk: Parameters<typeof streamChunks>[2],
  ): Promise<void> => {
    const reading = await prepareReading(connection, sql).catch((cause) => {
      throw explained(cause)
    })
    await onColumns(columnsOf(reading))
    // What the consumer throws is its own.
    let thrown: unknown
    const hand: typeof onChunk = async (chunk, rows) => {
      try {
        await onChunk(chunk, rows)
      } catch (error) {
        thrown = error
        throw error
      }
    }
    await streamChunks(connection, reading, hand).catch((cause) => {
      throw cause === thrown ? cause : explained(cause)
    })
  }
  return {
    async describe(sql) {
      try {
        return columnsOf(await prepareReading(connection, sql))
      } catch (cause) {
        throw explained(cause)
      }
    },
    async stream(sql, onColumns, onRows) {
      let width = 0
      await stream(
        sql,
        async (columns) => {
          width = columns.length
          await onColumns(columns)
        },
        async (chunk, rows) => {
          const values = chunk.getRows().slice(0, rows)
          await onRows(values.map((row) => row.slice(0, width).map(exact)))
        },
      )
    },
    async streamColumns(sql, onColumns, onChunk) {
      let types: string[] = []
      await stream(
        sql,
        async (columns) => {
          types = columns.map(({ type }) => type)
          await onColumns(columns)
        },
        (chunk, rows) =>
          onChunk(
            types.map((type, index) => rawColumn(chunk, index, type)),
            rows,
          ),
      )
    },
    async copy(sql, target, copyOptions, onPercent) {
      const timer = setInterval(() => onPercent(Math.max(0, connection.progress.percentage)), 500)
      try {
        const { text } = await prepareReading(connection, sql)
        const result = await connection.runAndReadAll(
          `COPY (\n${bare(text)}\n) TO ${literal(target)} (${copyOptions})`,
        )
        return rowsWritten(result)
      } catch (cause) {
        throw explained(cause)
      } finally {
        clearInterval(timer)
      }
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

function columnsOf({ prepared }: Reading): ResultColumn[] {
  return Array.from({ length: prepared.columnCount }, (_, index) => ({
    name: prepared.columnName(index),
    type: String(prepared.columnType(index)),
  }))
}

function rowsWritten(result: DuckDBResultReader): number {
  return Number(result.getRows()[0]?.[0] ?? 0)
}

async function openLocked(
  file: string,
  folder: string,
  { memoryLimit, out }: ReaderOptions,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  try {
    const instance = await DuckDBInstance.create(file, {
      access_mode: 'READ_ONLY',
      ...(memoryLimit ? { memory_limit: memoryLimit } : {}),
    })
    const connection = await instance.connect()
    await connection.run("SET TimeZone = 'UTC'")
    await connection.run('SET autoinstall_known_extensions = false')
    if (out) {
      await connection.run(`SET temp_directory = ${literal(out)}`)
      await connection.run('SET enable_progress_bar = true')
      await connection.run('SET enable_progress_bar_print = false')
    }
    const folders = [folder, ...(out ? [out] : [])].map(literal).join(', ')
    await connection.run(`SET allowed_directories = [${folders}]`)
    await connection.run('SET enable_external_access = false')
    await connection.run('SET lock_configuration = true')
    return { instance, connection }
  } catch (cause) {
    throw new StorageError(`cannot open ${file}: ${(cause as Error).message.split('\n')[0]}`, {
      hint: 'it is made again by: candlehouse publish',
      cause,
    })
  }
}

/** Bad SQL is the user's, in DuckDB's own words; what reading and writing files refuses is storage. */
function explained(cause: unknown): unknown {
  if (!(cause instanceof Error) || cause instanceof UsageError || cause instanceof StorageError) return cause
  const { message } = cause
  if (DISK.test(message)) {
    return new StorageError(message.split('\n')[0] ?? message, {
      hint: 'free some space, then try again',
      cause,
    })
  }
  if (!/Cannot access|operations are disabled/.test(message)) return new UsageError(message, { cause })
  return new UsageError(message.split('\n')[0] ?? message, {
    hint: 'only the published lake is read; if its folder was moved: candlehouse publish',
    cause,
  })
}
