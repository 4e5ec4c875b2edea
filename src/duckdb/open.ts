import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBMaterializedResult,
  type DuckDBValue,
} from '@duckdb/node-api'
import { LockedError, StorageError } from 'candlehouse-foundation/errors'
import { systemFault } from 'candlehouse-foundation/system-fault'
import { removeTempFolder } from '../home/home.js'
import { FreedMemory } from './freed-memory.js'
import { plain } from './value.js'

/** A value that can be bound to `?` or `$name`. */
export type Bind = string | number | bigint | boolean | null

/** A DuckDB database, opened once, with one connection; `using` closes it where its scope ends. */
export interface Database extends Disposable {
  readonly file: string
  /** Runs one or several statements; values bind to the only statement. */
  run(sql: string, values?: readonly Bind[]): Promise<void>
  /** Rows as objects with exact values: BIGINT as bigint; DECIMAL, dates and instants as text. */
  rows<Row>(sql: string, values?: readonly Bind[]): Promise<Row[]>
  /** The values of the first column. */
  column<Value>(sql: string, values?: readonly Bind[]): Promise<Value[]>
  /** The number in the first column of the first row; 0 where there is no row, or null. */
  count(sql: string, values?: readonly Bind[]): Promise<number>
  /** BEGIN … COMMIT; rolls back and rethrows when `work` throws. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  connection: DuckDBConnection
  close(): void
}

export interface OpenOptions {
  /** @default false. A reader shares the file with other readers, never with the writer. */
  readOnly?: boolean
  /** Worker threads. @default DuckDB's own: one per core */
  threads?: number
  /** For example '1GB'. @default DuckDB's own: 80 % of memory */
  memoryLimit?: string
  /** Folder to spill to beyond the memory limit; removed when the database is closed. @default beside the file */
  spill?: string | undefined
  /** Bytes of a block of a new file. @default DuckDB's own, 262,144 */
  blockBytes?: number
}

const openFiles = new Set<string>()

/**
 * Opens a DuckDB file for the writer. Two instances on one file in one process lose rows, and DuckDB does not prevent it,
 * so a second open is refused here.
 *
 * @throws LockedError if another process has locked the file (DuckDB's message names its pid)
 * @throws StorageError if the file is damaged, not a DuckDB file or not accessible
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database> {
  const real = realPath(file)
  if (file !== ':memory:') {
    if (openFiles.has(real)) throw new StorageError(`${file} is already open in this process`)
    openFiles.add(real)
  }
  let instance: DuckDBInstance
  let connection: DuckDBConnection
  try {
    instance = await DuckDBInstance.create(file, {
      access_mode: options.readOnly ? 'READ_ONLY' : 'AUTOMATIC',
      autoinstall_known_extensions: 'false',
      // Statements that need an order have ORDER BY; keeping the insertion order takes a fifth of the staging time.
      preserve_insertion_order: 'false',
      ...(options.threads ? { threads: String(options.threads) } : {}),
      ...(options.memoryLimit ? { memory_limit: options.memoryLimit } : {}),
      ...(options.spill ? { temp_directory: options.spill } : {}),
      ...(options.blockBytes ? { default_block_size: String(options.blockBytes) } : {}),
    })
    connection = await instance.connect()
    await connection.run("SET TimeZone = 'UTC'")
  } catch (cause) {
    openFiles.delete(real)
    if (options.spill) removeTempFolder(options.spill)
    throw explainOpen(file, cause)
  }
  const freed = options.memoryLimit ? new FreedMemory(connection, options.memoryLimit) : undefined
  const runStatement = async (
    sql: string,
    values: readonly Bind[] | undefined,
  ): Promise<DuckDBMaterializedResult> => {
    const start = performance.now()
    const result = await connection.run(sql, values as DuckDBValue[] | undefined).catch((cause) => {
      throw explainRun(file, cause)
    })
    await freed?.giveBack(performance.now() - start)
    return result
  }
  const database: Database = {
    file,
    connection,
    run: async (sql, values) => {
      await runStatement(sql, values)
    },
    rows: async <Row>(sql: string, values?: readonly Bind[]) => {
      return rowsOfResult(await runStatement(sql, values)) as Row[]
    },
    column: async <Value>(sql: string, values?: readonly Bind[]) => {
      const rows = await database.rows<Record<string, Value>>(sql, values)
      return rows.map((row) => Object.values(row)[0] as Value)
    },
    count: async (sql, values) => Number((await database.column(sql, values))[0] ?? 0),
    transaction: async (work) => {
      await database.run('BEGIN')
      try {
        const result = await work()
        await database.run('COMMIT')
        return result
      } catch (error) {
        await connection.run('ROLLBACK').catch(() => undefined)
        throw error
      }
    },
    close: () => {
      connection.closeSync()
      instance.closeSync()
      openFiles.delete(real)
      if (options.spill) removeTempFolder(options.spill)
    },
    [Symbol.dispose]: () => database.close(),
  }
  return database
}

/** The same path for every spelling of a file's name. */
function realPath(file: string): string {
  const folder = dirname(file)
  return existsSync(file)
    ? realpathSync(file)
    : join(existsSync(folder) ? realpathSync(folder) : folder, basename(file))
}

/** The rows of a result are in memory: to fetch them in turns would cost another thread two turns of 0.1 CPU-ms each. */
function rowsOfResult(result: DuckDBMaterializedResult): Record<string, unknown>[] {
  const names = result.deduplicatedColumnNames()
  const rows: Record<string, unknown>[] = []
  for (let index = 0; index < result.chunkCount; index += 1) {
    const chunk = result.getChunk(index)
    const chunkRows = Array.from({ length: chunk.rowCount }, (): Record<string, unknown> => ({}))
    for (const [column, name] of names.entries()) {
      const vector = chunk.getColumnVector(column)
      for (const [row, values] of chunkRows.entries()) values[name] = plain(vector.getItem(row))
    }
    rows.push(...chunkRows)
  }
  return rows
}

function explainOpen(file: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  const pid = /\(PID (\d+)\)/.exec(message)?.[1]
  if (message.includes('Could not set lock')) {
    return new LockedError(`another run has locked ${file}${pid ? ` (pid ${pid})` : ''}`, {
      hint: pid ? `wait until it ends, or stop it: kill ${pid}` : 'wait until it ends',
      cause,
    })
  }
  // Rebuilding a file helps where its content is damaged, not where the system refuses.
  return new StorageError(`cannot open ${file}: ${message.split('\n')[0]}`, {
    hint: systemFault(cause)?.hint ?? 'if the file is damaged, rebuild it from raw/: candlehouse replay',
    cause,
  })
}

/** Parts of DuckDB's messages for writing that failed, and below for a damaged file. */
const WRITING = /could not write|failed to write/i
const DAMAGE = /checksum|corrupt|IO Error|Serialization Error|database has been invalidated|INTERNAL Error/i

/** Damage is found only when a block is read, long after the file was opened. Errors that are not about storage are unchanged. */
function explainRun(file: string, cause: unknown): unknown {
  const message = cause instanceof Error ? cause.message : String(cause)
  const [line = ''] = message.split('\n')
  const fault = systemFault(cause)
  const isDisk = WRITING.test(message) || fault?.code === 'ENOSPC' || fault?.code === 'EDQUOT'
  if (fault || isDisk) {
    return new StorageError(`cannot ${isDisk ? 'write' : 'use'} ${file}: ${line}`, {
      hint: fault?.hint ?? 'free some disk space, then run the same command again',
      cause,
    })
  }
  if (!DAMAGE.test(message)) return cause
  return new StorageError(`cannot read ${file}: ${line}`, {
    hint: 'rebuild it from raw/: candlehouse replay, then candlehouse publish',
    cause,
  })
}

/** Whether a statement failed on what it read: text that is not JSON, of another shape, or not what a cast takes. */
export function isUnreadableInput(error: unknown): boolean {
  const cause = error instanceof StorageError ? error.cause : error
  return cause instanceof Error && /^(Invalid Input|Conversion) Error:/.test(cause.message)
}
