import type { Answer, Client, Endpoint, PageFacts, Query, Verdict, Walk } from '../brokerage/index.js'
import { nextStep, startWalk, UnprovenPageError } from '../brokerage/index.js'
import type { ClosedWalk, PageRecord, WalkEnd } from '../land/journal.js'
import { type LandingRun, landWalk, type WalkPage, type WalkSubject } from '../land/walk.js'
import type { DatasetName } from '../plan/datasets.js'
import type { PartName } from '../plan/parts.js'

/** What all page walks of a run share. */
export interface FetchContext extends LandingRun {
  readonly client: Client
  readonly signal: AbortSignal
  /** Called before every page. @throws DeadlineReached when the run may fetch no longer */
  checkDeadline(): void
  /** Number of listed symbols; 0 before the first list. */
  readonly listed: number
  /** Pages and page walks of the run so far: the last numbers given. */
  readonly count: { pages: number; walks: number }
}

/** One page walk to make: what its pages are filed under, and how they are requested. */
export interface WalkRequest<Asked extends DatasetName | PartName> extends WalkSubject<Asked> {
  readonly endpoint: Endpoint
  readonly query: Query
  /** Rows per page, at first; undefined for endpoints without pages. */
  readonly pageSize: number | undefined
  /** Most rows that the window can have, margin included. */
  readonly ceiling: number
  get(query: Query, signal: AbortSignal): ReturnType<Client['market']['get']>
}

/** Fields that the journal line of the last page has besides how the walk ended. */
export type LastPageFields = Pick<PageRecord, 'closes' | 'of_other_keys'>

/**
 * Makes one page walk: every page is landed, then its line is appended to the journal, then the next page is requested. The
 * line of the last page has the walk's end: only then is the walk closed.
 *
 * @param mayLeaveOpen whether the walk is left open if its pages shifted between requests: the caller then makes it again
 * @returns undefined if it was left open: its pages are never loaded
 * @throws the signal's reason between two pages · what `checkDeadline` throws · ServiceError, SettingsError from the client · StorageError
 */
export async function walkOnce<Asked extends DatasetName | PartName>(
  request: WalkRequest<Asked>,
  context: FetchContext,
  mayLeaveOpen: boolean,
  lastPage: LastPageFields = {},
): Promise<ClosedWalk<Asked> | undefined> {
  const numbers = { walk: ++context.count.walks, nextPage: () => ++context.count.pages }
  return await landWalk(request, requestPages(request, context, mayLeaveOpen, lastPage), numbers, context)
}

/** Requests one page after the other; each is requested only after the consumer has taken the page before. */
async function* requestPages<Asked extends DatasetName | PartName>(
  request: WalkRequest<Asked>,
  { signal, checkDeadline }: Pick<FetchContext, 'signal' | 'checkDeadline'>,
  mayLeaveOpen: boolean,
  lastPage: LastPageFields,
): AsyncGenerator<WalkPage> {
  let walk: Walk | undefined = startWalk(request.endpoint, request.query, request.pageSize, request.ceiling)
  while (walk) {
    signal.throwIfAborted()
    checkDeadline()
    const answer = await requestPage(request, walk, signal)
    if (answer instanceof UnprovenPageError) return yield unprovenPage(walk, answer, lastPage)
    const step = nextStep(walk, answer)
    const end = step.closed && !(step.closed.walkAgain && mayLeaveOpen) ? endOf(step.closed) : null
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
      ...(end ? lastPage : {}),
    }
    walk = step.next
  }
}

/** The response as a proven page, or the error if no attempt returned one. */
async function requestPage<Asked extends DatasetName | PartName>(
  request: WalkRequest<Asked>,
  { query }: Walk,
  signal: AbortSignal,
): Promise<Answer | UnprovenPageError> {
  try {
    return await request.get(query, signal)
  } catch (error) {
    if (error instanceof UnprovenPageError) return error
    throw error
  }
}

/** The last page of a walk that ends because a page could not be proven. It has no records; the ledger gets its request. */
function unprovenPage(walk: Walk, error: UnprovenPageError, lastPage: LastPageFields): WalkPage {
  const { problem, body, attempts, receivedAt } = error
  return {
    ...{ query: walk.query, status: 200, attempts, body: new Uint8Array(), wire: undefined, receivedAt },
    ...{ rows: 0, shape: 'none', fields: null, plain: false, refused: body },
    end: { state: 'incomplete', reason: `page ${walk.page}: ${problem}` },
    ...lastPage,
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
