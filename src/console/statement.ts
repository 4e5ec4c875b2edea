import type { ResultColumn } from '../duckdb/reader.js'
import type { Effects } from '../effects.js'
import { UsageError } from '../errors.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { withComments } from '../read/query.js'
import type { Limits } from './limits.js'

/** Thrown by a consumer that has enough rows. */
class Enough extends Error {}

export interface RowSink {
  columns(columns: ResultColumn[]): void | Promise<void>
  /** @returns false where it takes no more rows */
  rows(rows: unknown[][]): boolean | Promise<boolean>
}

/**
 * Runs one statement that reads, within its limits.
 *
 * @param cancel stops it
 * @returns whether the sink took all rows
 * @throws UsageError for bad SQL, a statement that writes, one that was cancelled or took too long
 */
export async function runStatement(
  catalog: LiveCatalog,
  sql: string,
  sink: RowSink,
  limits: Limits,
  cancel: AbortSignal,
  effects: Effects,
): Promise<boolean> {
  return await catalog.use(async (reader) => {
    if (cancel.aborted) throw cancelled()
    const stop = new AbortController()
    const onCancel = (): void => stop.abort(cancelled())
    cancel.addEventListener('abort', onCancel)
    const ended = new AbortController()
    const late = new UsageError(`stopped after ${limits.ms / 1000} s, the most that a statement may take`, {
      hint: 'ask for fewer rows or days, or run it without this limit: candlehouse sql',
    })
    effects.sleep(limits.ms, ended.signal).then(
      () => stop.abort(late),
      () => undefined,
    )
    const takeRows = async (rows: unknown[][]): Promise<void> => {
      if (await sink.rows(rows)) return
      const enough = new Enough()
      stop.abort(enough)
      throw enough
    }
    try {
      await reader.stream(withComments(sql), (columns) => sink.columns(columns), takeRows, stop.signal)
      return true
    } catch (error) {
      if (error instanceof Enough) return false
      throw error
    } finally {
      ended.abort()
      cancel.removeEventListener('abort', onCancel)
    }
  })
}

function cancelled(): UsageError {
  return new UsageError('the statement was cancelled')
}

export interface Answer {
  columns: ResultColumn[]
  rows: unknown[][]
  truncated: boolean
}

/** The first rows of a statement. */
export async function answerStatement(
  catalog: LiveCatalog,
  sql: string,
  limit: number,
  limits: Limits,
  cancel: AbortSignal,
  effects: Effects,
): Promise<Answer> {
  const answer: Answer = { columns: [], rows: [], truncated: false }
  const most = Math.min(limit, limits.answerRows)
  const sink: RowSink = {
    columns: (columns) => {
      answer.columns = columns
    },
    rows: (rows) => {
      answer.rows.push(...rows.slice(0, most + 1 - answer.rows.length))
      return answer.rows.length <= most
    },
  }
  await runStatement(catalog, sql, sink, limits, cancel, effects)
  answer.truncated = answer.rows.length > most
  answer.rows.length = Math.min(answer.rows.length, most)
  return answer
}
