import type { Answer, Client, Endpoint, PageFacts, Query, Verdict, Walk } from '../brokerage/index.js'
import { nextStep, startWalk, UnprovenPageError } from '../brokerage/index.js'
import type { ClosedWalk, PageRecord, WalkEnd } from '../land/journal.js'
import { type LandingRun, landWalk, type WalkPage, type WalkSubject } from '../land/walk.js'
import type { DatasetName } from '../plan/datasets.js'
import type { PartName } from '../plan/parts.js'

/** What every walk of a run shares. */
export interface FetchContext extends LandingRun {
  readonly client: Client
  readonly signal: AbortSignal
  /** Called before every page; throws once the run may fetch no longer. */
  checkDeadline(): void
  /** Symbols that are listed, as far as known; 0 before the first list. */
  readonly listed: number
  /** Numbers pages and walks of the run, from 1. */
  readonly count: { pages: number; walks: number }
}

/** One walk to make: what its pages are filed under, and how they are asked for. */
export interface Question<Asked extends DatasetName | PartName> extends WalkSubject<Asked> {
  readonly endpoint: Endpoint
  readonly query: Query
  /** Rows a page to begin with; undefined for endpoints without pages. */
  readonly pageSize: number | undefined
  /** Most rows that the answer can have, margin included. */
  readonly ceiling: number
  get(query: Query, signal: AbortSignal): ReturnType<Client['market']['get']>
}

/** What the line of the last page says beside how the walk ended. */
export type Closing = Pick<PageRecord, 'closes' | 'of_other_keys'>

/**
 * Walks page by page: every page is landed, then its line is appended to the journal, then the next is asked. The
 * line of the last page says how the walk ended: only then is the walk closed.
 *
 * @param again whether the walk may be left open when its pages moved under it, to be made once more
 * @returns undefined when it was left open: nobody loads it
 * @throws the signal's reason between two pages · what `checkDeadline` throws · ServiceError, SettingsError from the client · StorageError
 */
export async function walkOnce<Asked extends DatasetName | PartName>(
  question: Question<Asked>,
  context: FetchContext,
  again: boolean,
  closing: Closing = {},
): Promise<ClosedWalk<Asked> | undefined> {
  const numbers = { walk: ++context.count.walks, nextPage: () => ++context.count.pages }
  return await landWalk(question, requestPages(question, context, again, closing), numbers, context)
}

/** Requests one page after the other, each only once the page before has been taken. */
async function* requestPages<Asked extends DatasetName | PartName>(
  question: Question<Asked>,
  { signal, checkDeadline }: Pick<FetchContext, 'signal' | 'checkDeadline'>,
  again: boolean,
  closing: Closing,
): AsyncGenerator<WalkPage> {
  let walk: Walk | undefined = startWalk(
    question.endpoint,
    question.query,
    question.pageSize,
    question.ceiling,
  )
  while (walk) {
    signal.throwIfAborted()
    checkDeadline()
    const answer = await askFor(question, walk, signal)
    if (answer instanceof UnprovenPageError) return yield unprovenPage(walk, answer, closing)
    const step = nextStep(walk, answer)
    const end = step.closed && !(step.closed.walkAgain && again) ? endOf(step.closed) : null
    yield {
      query: answer.query,
      status: answer.status,
      attempts: answer.attempts,
      body: answer.body,
      wire: answer.wire,
      receivedAt: answer.receivedAt,
      rows: answer.page.rows,
      told: countsOf(answer.page),
      shape: answer.outcome === 'rows' ? answer.page.shape : 'none',
      fields: answer.page.fields,
      plain: answer.page.plain,
      end,
      ...(end ? closing : {}),
    }
    walk = step.next
  }
}

/** The answer, or why none of the bodies that came is one. */
async function askFor<Asked extends DatasetName | PartName>(
  question: Question<Asked>,
  { query }: Walk,
  signal: AbortSignal,
): Promise<Answer | UnprovenPageError> {
  try {
    return await question.get(query, signal)
  } catch (error) {
    if (error instanceof UnprovenPageError) return error
    throw error
  }
}

/** Ends a walk where a page could not be proven: a page without records, so that the ledger knows the request. */
function unprovenPage(walk: Walk, error: UnprovenPageError, closing: Closing): WalkPage {
  const { problem, body, attempts, receivedAt } = error
  return {
    ...{ query: walk.query, status: 200, attempts, body: new Uint8Array(), wire: undefined, receivedAt },
    ...{ rows: 0, shape: 'none', fields: null, plain: false, refused: body },
    end: { state: 'incomplete', reason: `page ${walk.page}: ${problem}` },
    ...closing,
  }
}

function countsOf({ itemsCount, pageCount, pageSize }: PageFacts): NonNullable<PageRecord['told']> {
  return {
    ...(itemsCount === undefined ? {} : { items: itemsCount }),
    ...(pageCount === undefined ? {} : { pages: pageCount }),
    ...(pageSize === undefined ? {} : { size: pageSize }),
  }
}

function endOf({ state, reason }: Verdict): WalkEnd {
  return { state, reason: reason ?? null }
}
