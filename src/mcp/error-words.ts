import { CandlehouseError } from 'candlehouse-foundation/errors'
import { AnswerError } from './answer-error.js'

/** Characters of an error, at most: DuckDB repeats parts of the statement. */
const MOST = 1_500

/** What went wrong and what to do, for an assistant. A bug is named as one, without its stack. */
export function errorWords(error: unknown): string {
  if (error instanceof AnswerError) return error.message
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof CandlehouseError ? error.hint : undefined
  const words = error instanceof CandlehouseError ? message : `this is a bug of candlehouse: ${message}`
  return [words.slice(0, MOST), ...(hint === undefined ? [] : [`next: ${hint.slice(0, MOST)}`])].join('\n')
}
