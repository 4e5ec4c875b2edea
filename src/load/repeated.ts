import { sha256 } from '../home/sha256.js'
import { type ClosedWalk, isImported, type PageRecord, type PartWalk } from '../land/journal.js'
import { packageVersion } from '../package.js'
import type { Counted, Dataset } from '../plan/datasets.js'
import type { Suffixes } from './account/fields.js'
import type { Steps } from './steps.js'
import type { WalkBatch } from './walk-batch.js'

/** Subject whose latest answers are remembered: a dataset, or the snapshots of an API key. */
export interface AnswerSubject {
  readonly dataset: Counted
  /** Empty for market data. */
  readonly keyName: string
}

/** Gaps of answers: those with a gap are not remembered. */
export interface AnswerGaps {
  readonly rejected: number
  readonly missing: readonly string[]
}

/**
 * SHA-256 of everything that the rows of a batch follow from, besides the stored rows of its dataset. Loading equal answers a
 * second time changes nothing, so they are not loaded. Undefined if the batch will not be repeated: candles of a closed session
 * are not requested again, and a user's file is imported once.
 */
export function answersOfBatch({ dataset, walks, calendar, asOf }: WalkBatch): string | undefined {
  if (!isRepeatable(dataset) || walks.some(isImported)) return undefined
  const sessions = walks.map(({ window }) => calendar.sessionsBetween(window.from, window.to))
  const next = asOf === '' ? [] : [calendar.nextSession(asOf)]
  return answersOf(walks, [...new Set([...sessions.flat(), ...next])].sort())
}

/** Whether answers of the dataset are remembered. */
export function isRepeatable({ name, shape }: Pick<Dataset, 'name' | 'shape'>): boolean {
  return name !== 'ohlc' && shape !== 'declaration'
}

/**
 * As `answersOfBatch`, for a snapshot of one key.
 *
 * @param others accounts of the key's list that another key of the run has read
 */
export function answersOfSnapshot(
  walks: readonly PartWalk[],
  others: readonly string[],
  suffixes: Suffixes,
): string {
  return answersOf(walks, [others, suffixes])
}

function answersOf(walks: readonly (ClosedWalk | PartWalk)[], beside: unknown): string {
  const answersByRequest = new Map<string, unknown[]>()
  for (const { window, end, pages } of walks) {
    const request = JSON.stringify([window, pages[0]?.trading_date, pages[0]?.account])
    answersByRequest.set(request, [...(answersByRequest.get(request) ?? []), end, pages.map(contentOf)])
  }
  // Page walks end in any order; only those of the same request keep theirs.
  const answers = [...answersByRequest].sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify([packageVersion, beside, answers]))
}

/** The fields of a page that its content decides: without ids, time and number of attempts. */
function contentOf(page: PageRecord): unknown {
  return [page.query, page.page, page.status, page.shape, page.rows, page.told, page.sha256]
}

/** Whether these answers equal the ones that were loaded last: nothing has changed their rows since then. */
export async function areStored(
  steps: Steps,
  { dataset, keyName }: AnswerSubject,
  answers: string,
): Promise<boolean> {
  const latest = await steps.column<string>('load/repeated/latest_answers', {}, [dataset, keyName])
  return latest[0] === answers
}

/**
 * Remembers the answers of a batch, in its transaction. Answers with a gap or a rejected record are not remembered, so that they
 * are loaded, and their gaps reported, every time.
 *
 * @param forgetAll whether the answers of all keys are forgotten, because rows that they share have changed
 */
export async function keepAnswers(
  steps: Steps,
  { dataset, keyName }: AnswerSubject,
  answers: string | undefined,
  { rejected, missing, forgetAll = false }: AnswerGaps & { forgetAll?: boolean },
): Promise<void> {
  await steps.run('load/repeated/forget_answers', {}, [dataset, forgetAll ? '*' : keyName])
  if (answers === undefined || rejected > 0 || missing.length > 0) return
  await steps.run('load/repeated/keep_answers', {}, [dataset, keyName, answers])
}
