import type {
  Answer,
  Client,
  Endpoint,
  LastResponse,
  PageFacts,
  Query,
  ReadLimits,
  Verdict,
  Walk,
} from 'candlehouse-client/reading'
import { nextStep, startWalk, UnansweredError } from 'candlehouse-client/reading'
import type { ClosedWalk, PageRecord, WalkEnd } from '../land/journal.js'
import { type LandingRun, landWalk, type WalkPage, type WalkSubject } from '../land/walk.js'
import type { DatasetName } from '../plan/datasets.js'
import type { PartName } from '../plan/parts.js'
import type { FaultScope } from './fault-scope.js'

/** What all page walks of a run share. */
export interface FetchContext extends LandingRun {
  readonly client: Client
  readonly signal: AbortSignal
  /** Decides whether a failure concerns a window, its endpoint or the service. */
  readonly scope: FaultScope
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
  /** Runs in a row in which the window failed. @default 0 */
  readonly failedRuns?: number
  /** Why it is not requested: the walk then only says so in the journal. */
  readonly skipped?: LastResponse | undefined
  get(query: Query, signal: AbortSignal, limits: ReadLimits): ReturnType<Client['market']['get']>
}

/** Fields that the journal line of the last page has besides how the walk ended. */
export type LastPageFields = Pick<PageRecord, 'closes' | 'of_other_keys'>

/**
 * Makes one page walk: every page is landed, then its line is appended to the journal, then the next page is requested. The
 * line of the last page has the walk's end: only then is the walk closed.
 *
 * @param mayLeaveOpen whether the walk is left open if its pages shifted between requests: the caller then makes it again
 * @returns undefined if it was left open: its pages are never loaded
 * @throws the signal's reason between two pages · what `checkDeadline` throws · ServiceError of an outage, SettingsError from the
 *   client · StorageError
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
  context: Pick<FetchContext, 'signal' | 'checkDeadline' | 'scope'>,
  mayLeaveOpen: boolean,
  lastPage: LastPageFields,
): AsyncGenerator<WalkPage> {
  const { signal, checkDeadline, scope } = context
  const limits = scope.limitsOf(request.endpoint, request.failedRuns ?? 0)
  const skipped = request.skipped ?? scope.skipped(request.endpoint)
  let walk: Walk | undefined = startWalk(request.endpoint, request.query, request.pageSize, request.ceiling)
  while (walk) {
    signal.throwIfAborted()
    checkDeadline()
    if (skipped) return yield { ...noPage(walk, skipped), ...lastPage }
    const answer = await requestPage(request, walk, limits, signal)
    if (answer instanceof UnansweredError) {
      await scope.failed(request.endpoint, answer, signal)
      return yield { ...noPage(walk, answer.last), ...lastPage }
    }
    scope.answered(request.endpoint)
    const step = nextStep(walk, answer)
    const end = step.closed && !(step.closed.walkAgain && mayLeaveOpen) ? endOf(step.closed, answer) : null
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
  limits: ReadLimits,
  signal: AbortSignal,
): Promise<Answer | UnansweredError> {
  try {
    return await request.get(query, signal, limits)
  } catch (error) {
    if (error instanceof UnansweredError) return error
    throw error
  }
}

/** The last page of a walk that ends because there was no usable answer. It has no records; the ledger gets its request. */
function noPage(walk: Walk, { problem, status, body, attempts, receivedAt }: LastResponse): WalkPage {
  return {
    query: walk.query,
    status: status ?? null,
    attempts,
    body: new Uint8Array(),
    wire: undefined,
    receivedAt,
    rows: 0,
    shape: 'none',
    fields: null,
    plain: false,
    ...(body.length > 0 && { refused: body }),
    end: { state: 'incomplete', reason: `page ${walk.page}: ${problem}`, code: 'failed' },
  }
}

function countsOf({ itemsCount, pageCount, pageSize }: PageFacts): NonNullable<PageRecord['told']> {
  return {
    ...(itemsCount === undefined ? {} : { items: itemsCount }),
    ...(pageCount === undefined ? {} : { pages: pageCount }),
    ...(pageSize === undefined ? {} : { size: pageSize }),
  }
}

/** `400` refuses the query: the service may not have what it asks for. Every other refusal is a failure. */
function endOf({ state, reason }: Verdict, { status, error }: Answer): WalkEnd {
  const isOfQuery = status === 400 || error?.code.startsWith('400') === true
  if (state !== 'refused' || isOfQuery) return { state, reason: reason ?? null }
  return { state: 'incomplete', reason: `refused: ${reason}`, code: 'failed' }
}
