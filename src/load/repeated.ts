import { createHash } from 'node:crypto'
import { type ClosedWalk, isImported, type PageRecord, type PartWalk } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import { packageVersion } from '../package.js'
import type { Counted, Dataset } from '../plan/datasets.js'
import type { Suffixes } from './account/fields.js'
import type { Steps } from './steps.js'

/** Of what the answers are: a dataset, or the snapshots of an API key. */
export interface Answered {
  readonly dataset: Counted
  /** Empty for market data. */
  readonly keyName: string
}

/** What was brought by answers of which all records could be stored. */
export interface Believed {
  readonly rejected: number
  readonly missing: readonly string[]
}

/**
 * All that rows of a batch follow from, beside the stored rows of its dataset, as a SHA-256: the same answers loaded
 * twice change nothing the second time. Undefined where it is not worth knowing: candles of a closed session are
 * not asked for again, and a user's file is imported once.
 */
export function answersOfBatch(
  { name, shape }: Dataset,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
): string | undefined {
  if (!isRepeatable({ name, shape }) || walks.some(isImported)) return undefined
  const sessions = walks.map(({ window }) => calendar.sessionsBetween(window.from, window.to))
  const asOf = walks[0]?.pages[0]?.trading_date
  const next = asOf === undefined ? [] : [calendar.nextSession(asOf)]
  return answersOf(walks, [...new Set([...sessions.flat(), ...next])].sort())
}

/** Whether answers of the dataset are remembered. */
export function isRepeatable({ name, shape }: Pick<Dataset, 'name' | 'shape'>): boolean {
  return name !== 'ohlc' && shape !== 'declaration'
}

/**
 * The same for a snapshot of one key.
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
  const questions = new Map<string, unknown[]>()
  for (const { window, end, pages } of walks) {
    const question = JSON.stringify([window, pages[0]?.trading_date, pages[0]?.account])
    questions.set(question, [...(questions.get(question) ?? []), end, pages.map(answerOf)])
  }
  // Questions are answered in any order; the walks of one question follow each other.
  const answers = [...questions].sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([packageVersion, beside, answers]))
    .digest('hex')
}

/** A page without its ids, its time, and how often it was asked for. */
function answerOf(page: PageRecord): unknown {
  return [page.query, page.page, page.status, page.shape, page.rows, page.told, page.sha256]
}

/** Whether these answers are the ones that were loaded last: since then nothing has changed their rows. */
export async function areStored(
  steps: Steps,
  { dataset, keyName }: Answered,
  answers: string,
): Promise<boolean> {
  const [latest] = await steps.rows<{ answers: string }>('load/repeated/latest_answers', {
    values: [dataset, keyName],
  })
  return latest?.answers === answers
}

/**
 * Remembers the answers of a batch, in its transaction. Those with a gap or a rejected record are loaded again: what they
 * lack is looked for, and reported, every time.
 *
 * @param ofAll whether answers for other keys no longer show what is stored either
 */
export async function keepAnswers(
  steps: Steps,
  { dataset, keyName }: Answered,
  answers: string | undefined,
  { rejected, missing, ofAll = false }: Believed & { ofAll?: boolean },
): Promise<void> {
  await steps.run('load/repeated/forget_answers', { values: [dataset, ofAll ? '*' : keyName] })
  if (answers === undefined || rejected > 0 || missing.length > 0) return
  await steps.run('load/repeated/keep_answers', { values: [dataset, keyName, answers] })
}
