import { type DuckDBConnection, DuckDBInstance, type DuckDBResult } from '@duckdb/node-api'
import { StorageError, UsageError } from '../errors.js'
import { literal } from './sqlfile.js'
import { prepareReading } from './statement.js'
import { exact } from './value.js'

export interface ResultColumn {
  name: string
  type: string
}

/** Read-only access to one file and the folder its views read. */
export interface Reader {
  /**
   * Column names and types, then chunks of rows. DuckDB holds the whole result before the first row: the
   * bindings of 1.5 do not tell the error of a streamed result, which would end as a short answer.
   */
  stream(
    sql: string,
    onColumns: (columns: ResultColumn[]) => void | Promise<void>,
    onRows: (rows: unknown[][]) => void | Promise<void>,
  ): Promise<void>
  close(): void
}

/**
 * Opens a DuckDB file for analysts' statements: read-only, no file outside `folder`, settings locked. A COPY
 * into the allowed folder would still work, so only one statement that reads is ever run.
 */
export async function openReader(file: string, folder: string): Promise<Reader> {
  const { instance, connection } = await openLocked(file, folder)
  return {
    async stream(sql, onColumns, onRows) {
      const result = await runOne(connection, sql)
      await onColumns(
        result.columnNames().map((name, index) => ({ name, type: String(result.columnType(index)) })),
      )
      while (true) {
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) return
        await onRows(chunk.getRows().map((row) => row.map(exact)))
      }
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function openLocked(
  file: string,
  folder: string,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  try {
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
    const connection = await instance.connect()
    await connection.run("SET TimeZone = 'UTC'")
    await connection.run('SET autoinstall_known_extensions = false')
    await connection.run(`SET allowed_directories = [${literal(folder)}]`)
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

async function runOne(connection: DuckDBConnection, sql: string): Promise<DuckDBResult> {
  try {
    const prepared = await prepareReading(connection, sql)
    return await prepared.run()
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw explain(cause as Error)
  }
}

function explain(cause: Error): Error {
  const { message } = cause
  if (!/Cannot access|operations are disabled/.test(message)) return new UsageError(message, { cause })
  return new UsageError(message.split('\n')[0] ?? message, {
    hint: 'only the published lake is read; if its folder was moved: candlehouse publish',
    cause,
  })
}
