import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from '@duckdb/node-api'
import { StorageError } from 'candlehouse-foundation/errors'
import type { Reading } from './statement.js'

/** Statements that can be a subquery. DESCRIBE, EXPLAIN and the like cannot; their results are small. */
const TABULAR = /^(SELECT|FROM|WITH|VALUES|TABLE|\()/i

/**
 * Runs a statement that reads and passes on its chunks as they are computed: memory does not grow with the result.
 *
 * The bindings of DuckDB 1.5 do not report an error of a streamed result: the result just ends early (34,816 of 200,000
 * rows in a trial). So a marker row is appended to the result, with its mark in an extra column. If the marker does not
 * arrive, the result is incomplete, and the statement runs once more to get its error.
 *
 * @param onChunk gets the chunk and the number of its rows that belong to the statement
 * @param signal of an interrupted statement: its reason is thrown, and the statement does not run once more
 */
export async function streamChunks(
  connection: DuckDBConnection,
  { prepared, text }: Reading,
  onChunk: (chunk: DuckDBDataChunk, rows: number) => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const marked = await runMarked(connection, text, prepared.columnCount)
  signal?.throwIfAborted()
  if (!marked) {
    for await (const chunk of chunksOf(await prepared.run())) await onChunk(chunk, chunk.rowCount)
    return
  }
  for await (const chunk of chunksOf(marked)) {
    signal?.throwIfAborted()
    const last = chunk.getColumnVector(chunk.columnCount - 1).getItem(chunk.rowCount - 1) === true
    const rows = chunk.rowCount - (last ? 1 : 0)
    if (rows > 0) await onChunk(chunk, rows)
    if (last) return
  }
  signal?.throwIfAborted()
  await connection.run(`SELECT bit_xor(hash(result)) FROM (\n${asSubquery(text)}\n) result`)
  throw new StorageError('the result ended before its last row', { hint: 'run the same statement again' })
}

/** DuckDB computes the next chunk while the one before is used. */
async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  let next = result.fetchChunk()
  try {
    for (let chunk = await next; chunk && chunk.rowCount > 0; chunk = await next) {
      next = result.fetchChunk()
      yield chunk
    }
  } finally {
    // A caller that stops early closes the connection next: no fetch may be running then.
    await next.catch(() => undefined)
  }
}

/** Undefined if the statement cannot be a subquery: its whole result is then in memory before the first row. */
async function runMarked(
  connection: DuckDBConnection,
  text: string,
  columns: number,
): Promise<DuckDBResult | undefined> {
  if (!TABULAR.test(text)) return undefined
  const nulls = Array.from({ length: columns }, () => 'NULL').join(', ')
  // The statement may fail as a subquery, for example with a comment after its semicolon.
  const marked = await connection
    .prepare(`SELECT *, false FROM (\n${asSubquery(text)}\n) UNION ALL SELECT ${nulls}, true`)
    .catch(() => undefined)
  return await marked?.stream()
}

/** A statement without trailing semicolons, so that it can be a subquery. */
export function asSubquery(text: string): string {
  return text.replace(/[\s;]+$/, '')
}
