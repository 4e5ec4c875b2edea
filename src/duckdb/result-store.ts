import {
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
} from '@duckdb/node-api'
import { UsageError } from 'candlehouse-foundation/errors'
import { exact } from './value.js'

/** Part of a result, as DuckDB gives it: other modules only pass it on. */
export type Chunk = DuckDBDataChunk

/** How rows are ordered: by a column, NULL last. */
export interface RowOrder {
  /** Its number, from 0. */
  readonly column: number
  readonly descending: boolean
}

/** Rows of a result, which are read page by page while it arrives. */
export interface StoredResult {
  /** Rows that can be read. */
  readonly rows: number
  /** Rows that were appended. */
  readonly arrived: number
  /** Takes a chunk. Its rows can be read after `flush`. */
  append(chunk: Chunk, rows: number): Promise<void>
  flush(): void
  /** Bytes that all results of the store take, in memory and on the disk. */
  bytes(): Promise<number>
  /** Up to `count` rows from row `from` on. An order is computed once, over all rows. */
  read(from: number, count: number, order?: RowOrder): Promise<unknown[][]>
  remove(): Promise<void>
}

/**
 * Results in a database of their own, which spills to the disk: chunks go there as they are, and a value becomes text only when
 * its row is looked at. Writing the rows of a million of twelve columns as JSON took 19 s of CPU; storing their chunks takes 1.2 s.
 */
export class ResultStore {
  private last: Promise<unknown> = Promise.resolve()
  private next = 1

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly writing: DuckDBConnection,
    private readonly reading: DuckDBConnection,
  ) {}

  /** @param folder to spill to */
  static async open(folder: string, memory: string, diskBytes: number): Promise<ResultStore> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: memory,
      temp_directory: folder,
      max_temp_directory_size: `${Math.max(1, Math.ceil(diskBytes / 2 ** 20))}MiB`,
    })
    const [writing, reading] = [await instance.connect(), await instance.connect()]
    return new ResultStore(instance, writing, reading)
  }

  /** @param types DuckDB's names of the columns' types */
  create(types: readonly string[]): StoredResult {
    return new StoredTable(`result_${this.next++}`, types, this.writing, (sql) => this.ask(sql))
  }

  close(): void {
    this.writing.closeSync()
    this.reading.closeSync()
    this.instance.closeSync()
  }

  /** One statement at a time: the connection has one result. */
  private async ask(sql: string): Promise<unknown[][]> {
    const turn = this.last.then(async () => (await this.reading.runAndReadAll(sql)).getRows())
    this.last = turn.catch(() => undefined)
    return (await turn).map((row) => row.map(exact))
  }
}

class StoredTable implements StoredResult {
  rows = 0
  arrived = 0
  private appender: DuckDBAppender | undefined
  private readonly orders = new Map<string, Promise<unknown>>()

  constructor(
    private readonly name: string,
    private readonly types: readonly string[],
    private readonly writing: DuckDBConnection,
    private readonly ask: (sql: string) => Promise<unknown[][]>,
  ) {}

  async append(chunk: Chunk, rows: number): Promise<void> {
    this.appender ??= await this.appenderFor(chunk)
    this.appender.appendDataChunk(chunk)
    this.arrived += rows
  }

  flush(): void {
    this.appender?.flushSync()
    this.rows = this.arrived
  }

  async bytes(): Promise<number> {
    const [[bytes] = []] = await this.ask(
      'SELECT sum(memory_usage_bytes + temporary_storage_bytes)::DOUBLE FROM duckdb_memory()',
    )
    return Number(bytes)
  }

  async read(from: number, count: number, order?: RowOrder): Promise<unknown[][]> {
    const to = Math.min(from + count, this.rows)
    if (from >= to) return []
    const names = this.types.map((_, index) => `stored.c${index}`).join(', ')
    if (!order)
      return await this.ask(
        `SELECT ${names} FROM ${this.name} stored WHERE rowid >= ${from} AND rowid < ${to} ORDER BY rowid`,
      )
    const ordered = await this.ordered(order)
    return await this.ask(
      `SELECT ${names} FROM ${this.name} stored JOIN ${ordered} place ON stored.rowid = place.stored_row
       WHERE place.rowid >= ${from} AND place.rowid < ${to}
       ORDER BY place.rowid`,
    )
  }

  async remove(): Promise<void> {
    this.appender?.closeSync()
    this.appender = undefined
    this.rows = 0
    for (const name of this.orders.keys()) await this.ask(`DROP TABLE IF EXISTS ${name}`)
    await this.ask(`DROP TABLE IF EXISTS ${this.name}`)
  }

  /** The table of row numbers in this order. */
  private async ordered({ column, descending }: RowOrder): Promise<string> {
    const name = `${this.name}_${column}_${descending ? 'down' : 'up'}_${this.rows}`
    let order = this.orders.get(name)
    if (!order) {
      order = this.ask(
        `CREATE TABLE ${name} AS SELECT rowid AS stored_row FROM ${this.name} WHERE rowid < ${this.rows}
         ORDER BY c${column} ${descending ? 'DESC' : 'ASC'} NULLS LAST, rowid`,
      )
      this.orders.set(name, order)
      order.catch(() => this.orders.delete(name))
    }
    await order
    return name
  }

  private async appenderFor({ columnCount }: Chunk): Promise<DuckDBAppender> {
    // The column behind those of the result is the mark that it has ended.
    const types = columnCount > this.types.length ? [...this.types, 'BOOLEAN'] : this.types
    const columns = types.map((type, index) => `c${index} ${type}`).join(', ')
    await this.writing.run(`CREATE TABLE ${this.name} (${columns})`).catch((cause: Error) => {
      throw new UsageError(`a type of the result cannot be stored: ${cause.message.split('\n')[0]}`, {
        hint: "give the fields of a row names: {'a': 1, 'b': 2} instead of row(1, 2)",
        cause,
      })
    })
    return await this.writing.createAppender(this.name)
  }
}
