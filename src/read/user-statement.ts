import { UsageError } from 'candlehouse-foundation/errors'
import { TimeIsUp, withinTime } from 'candlehouse-foundation/timers'
import type { Reader, ResultColumn } from '../duckdb/reader.js'
import type { Chunk } from '../duckdb/result-store.js'
import type { Effects } from '../effects.js'
import { withComments } from './query.js'

/** Thrown by a consumer that has enough rows. */
class Enough extends Error {}

/** Where the statements of users run. */
export interface StatementCatalog {
  use<T>(work: (reader: Reader) => Promise<T>, cancel?: AbortSignal): Promise<T>
}

/** Takes a result: as rows of exact values, or as the chunks that DuckDB gives. Both return false where they take no more. */
export type ResultSink = { columns(columns: ResultColumn[]): void | Promise<void> } & (
  | { rows(rows: unknown[][]): boolean | Promise<boolean> }
  | { chunk(chunk: Chunk, rows: number): boolean | Promise<boolean> }
)

/** Bounds of what one statement of a user may take. */
export interface StatementLimits {
  /** Milliseconds that it may run. */
  readonly ms: number
}

/**
 * Runs one statement that reads, within its limits.
 *
 * @param cancel stops it
 * @returns whether the sink took all rows
 * @throws UsageError for bad SQL, a statement that writes, one that was cancelled or took too long
 */
export async function runStatement(
  catalog: StatementCatalog,
  sql: string,
  sink: ResultSink,
  limits: StatementLimits,
  cancel: AbortSignal,
  effects: Effects,
): Promise<boolean> {
  return await catalog.use(async (reader) => await runOn(reader, sql, sink, limits, cancel, effects), cancel)
}

/** As `runStatement`, on a catalog that is open: what else is read from it is of the same publication. */
export async function runOn(
  reader: Reader,
  sql: string,
  sink: ResultSink,
  limits: StatementLimits,
  cancel: AbortSignal,
  effects: Effects,
): Promise<boolean> {
  if (cancel.aborted) throw cancelled()
  const full = new AbortController()
  const stopWhenFull = (isTaken: boolean): void => {
    if (isTaken) return
    full.abort(new Enough())
    full.signal.throwIfAborted()
  }
  const run = async (signal: AbortSignal): Promise<void> => {
    const given = [withComments(sql), (columns: ResultColumn[]) => sink.columns(columns)] as const
    const stop = { signal, effects }
    if ('rows' in sink)
      await reader.stream(...given, async (rows) => stopWhenFull(await sink.rows(rows)), stop)
    else
      await reader.streamChunks(
        ...given,
        async (chunk, rows) => stopWhenFull(await sink.chunk(chunk, rows)),
        stop,
      )
  }
  try {
    await withinTime(limits.ms, AbortSignal.any([cancel, full.signal]), run, effects)
    return true
  } catch (error) {
    if (error instanceof Enough) return false
    if (error instanceof TimeIsUp) throw tooSlow(limits)
    throw error === cancel.reason ? cancelled() : error
  }
}

function tooSlow({ ms }: StatementLimits): UsageError {
  return new UsageError(`stopped after ${ms / 1000} s, the most that a statement may take`, {
    hint: 'ask for fewer rows or days, or run it without this limit: candlehouse sql',
  })
}

export function cancelled(): UsageError {
  return new UsageError('the statement was cancelled')
}
