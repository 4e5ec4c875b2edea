import { UsageError } from 'candlehouse-foundation/errors'
import { withNearestName } from '../duckdb/nearest.js'
import type { Database } from '../duckdb/open.js'
import type { OwnProblem } from './problem.js'

/** What is wrong with the statement of a file. */
export type Fault = Pick<OwnProblem, 'line' | 'wrong' | 'next'>

/** DuckDB's words: a sentence, then `LINE 3: the line` with a mark below. */
const PLACE = /\n+LINE (\d+): /

const OUTSIDE = /Cannot access|operations are disabled/

/** What DuckDB says of a statement, with its line, and with the nearest names where it suggests none itself. */
export async function faultOf(database: Database, cause: unknown, text: string): Promise<Fault> {
  const error = await withNearest(database, cause, text)
  const message = (error as Error).message.replace(/^Failed to \w+ statements?: /, '')
  const [, line] = PLACE.exec(message) ?? []
  const [words = ''] = message.split(PLACE)
  const hint = error instanceof UsageError ? error.hint : undefined
  return {
    line: line === undefined ? undefined : Number(line),
    wrong: OUTSIDE.test(words)
      ? 'it reads a file or an address, which readers of the catalog cannot reach'
      : words.trim().replaceAll(/\s*\n+\s*/g, ' '),
    next: OUTSIDE.test(words) ? 'candlehouse import stores a file of your own' : hint,
  }
}

async function withNearest(database: Database, cause: unknown, text: string): Promise<unknown> {
  if (cause instanceof UsageError || cause instanceof TypeError) return cause
  const error = new UsageError((cause as Error).message, { cause })
  return await withNearestName(database.connection, error, text).catch(() => cause)
}
