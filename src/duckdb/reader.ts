import { type DuckDBConnection, DuckDBInstance, type DuckDBResult, StatementType } from '@duckdb/node-api'
import { UsageError } from '../errors.js'
import { literal } from './sqlfile.js'

export interface ResultColumn {
  name: string
  type: string
}

/** Read-only access to one file and the folder its views read. */
export interface Reader {
  /** Column names and types, then chunks of rows as they come: memory does not grow with the result. */
  stream(
    sql: string,
    onColumns: (columns: ResultColumn[]) => void | Promise<void>,
    onRows: (rows: unknown[][]) => void | Promise<void>,
  ): Promise<void>
  close(): void
}

/** Statements that only read. EXPLAIN ANALYZE runs its statement, but that too is one of these. */
const READING: ReadonlySet<StatementType> = new Set([StatementType.SELECT, StatementType.EXPLAIN])

/**
 * Opens a DuckDB file for analysts' statements: read-only, no file outside `folder`, settings locked. A COPY
 * into the allowed folder would still work, so only one statement that reads is ever run.
 */
export async function openReader(file: string, folder: string): Promise<Reader> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run('SET autoinstall_known_extensions = false')
  await connection.run(`SET allowed_directories = [${literal(folder)}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
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

async function runOne(connection: DuckDBConnection, sql: string): Promise<DuckDBResult> {
  try {
    const statements = await connection.extractStatements(sql)
    if (statements.count !== 1) {
      throw new UsageError(
        statements.count === 0
          ? 'there is no statement to run'
          : `${statements.count} statements in one: only one is run`,
        { hint: 'give one SELECT' },
      )
    }
    const prepared = await statements.prepare(0)
    if (!READING.has(prepared.statementType)) {
      throw new UsageError(
        'only statements that read are run: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN',
        {
          hint: 'the catalog is read-only; copy what you need with --csv or --json',
        },
      )
    }
    return await prepared.stream()
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

/** DECIMAL, BIGINT, dates and instants as text, exact; instants in ISO 8601 with Z. */
function exact(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'object' && value.constructor.name === 'DuckDBTimestampTZValue') {
    return String(value)
      .replace(' ', 'T')
      .replace(/\+00(:00)?$/, 'Z')
  }
  if (typeof value === 'object' && 'items' in value && Array.isArray(value.items))
    return value.items.map(exact)
  return String(value)
}
