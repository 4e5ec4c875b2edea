import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { StorageError } from '../errors.js'
import type { Reading } from './statement.js'

/** Statements that stand where a table does; DESCRIBE, EXPLAIN and their like are small and run as they are. */
const TABULAR = /^(SELECT|FROM|WITH|VALUES|TABLE|\()/i

/**
 * Runs a statement that reads and hands out its chunks as they are made: memory does not grow with the result.
 *
 * The bindings of 1.5 do not tell the error of a streamed result, which ends as a short answer (34,816 of 200,000
 * rows in a trial). So one more row is asked for behind the result, with a mark in a column of its own: where it
 * does not come, the rows before it are not all, and the statement runs once more to hear its error.
 *
 * @param onChunk gets the chunk and how many of its rows are the statement's
 */
export async function streamChunks(
  connection: DuckDBConnection,
  { prepared, text }: Reading,
  onChunk: (chunk: DuckDBDataChunk, rows: number) => void | Promise<void>,
): Promise<void> {
  const marked = await runMarked(connection, text, prepared.columnCount)
  if (!marked) {
    for await (const chunk of chunksOf(await prepared.run())) await onChunk(chunk, chunk.rowCount)
    return
  }
  for await (const chunk of chunksOf(marked)) {
    const last = chunk.getColumnVector(chunk.columnCount - 1).getItem(chunk.rowCount - 1) === true
    const rows = chunk.rowCount - (last ? 1 : 0)
    if (rows > 0) await onChunk(chunk, rows)
    if (last) return
  }
  await connection.run(`SELECT bit_xor(hash(one)) FROM (\n${bare(text)}\n) one`)
  throw new StorageError('the result ended before its last row', { hint: 'run the same statement again' })
}

/** DuckDB works on the next chunk while the one before it is being used. */
async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  let next = result.fetchChunk()
  try {
    for (let chunk = await next; chunk && chunk.rowCount > 0; chunk = await next) {
      next = result.fetchChunk()
      yield chunk
    }
  } finally {
    // Whoever stops early closes the connection next: nothing may be at work on it then.
    await next.catch(() => undefined)
  }
}

/** Undefined where the statement cannot stand as a table: then it is held whole before the first row. */
async function runMarked(
  connection: DuckDBConnection,
  text: string,
  columns: number,
): Promise<DuckDBResult | undefined> {
  if (!TABULAR.test(text)) return undefined
  const nulls = Array.from({ length: columns }, () => 'NULL').join(', ')
  // A comment behind the semicolon does not fit between brackets.
  const marked = await connection
    .prepare(`SELECT *, false FROM (\n${bare(text)}\n) UNION ALL SELECT ${nulls}, true`)
    .catch(() => undefined)
  return await marked?.stream()
}

/** A statement as it can stand between brackets. */
export function bare(text: string): string {
  return text.replace(/[\s;]+$/, '')
}
