import type { ClosedWalk, PageRecord } from '../land/journal.js'
import { type LandingRun, landWalk, type WalkPage, type WalkSubject } from '../land/walk.js'
import type { DatasetName } from '../plan/datasets.js'
import type { PartName } from '../plan/parts.js'
import { type LastResponse, NoAnswerError, type Source, type SourceWalk } from '../source/source.js'
import type { FaultScope } from './fault-scope.js'

/** What all page walks of a run share. */
export interface FetchContext extends LandingRun {
  readonly source: Source
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
export interface WalkRequest<Asked extends DatasetName | PartName>
  extends Omit<WalkSubject<Asked>, 'endpoint'> {
  readonly walk: SourceWalk
  /** Runs in a row in which the window failed. @default 0 */
  readonly failedRuns?: number
  /** Why it is not requested: the walk then only says so in the journal. */
  readonly skipped?: LastResponse | undefined
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
 *   source · StorageError
 */
export async function walkOnce<Asked extends DatasetName | PartName>(
  request: WalkRequest<Asked>,
  context: FetchContext,
  mayLeaveOpen: boolean,
  lastPage: LastPageFields = {},
): Promise<ClosedWalk<Asked> | undefined> {
  const { window, account, walk } = request
  const subject = { window, endpoint: walk.endpoint, ...(account !== undefined && { account }) }
  const numbers = { walk: ++context.count.walks, nextPage: () => ++context.count.pages }
  return await landWalk(subject, requestPages(request, context, mayLeaveOpen, lastPage), numbers, context)
}

/** Requests one page after the other; each is requested only after the consumer has taken the page before. */
async function* requestPages<Asked extends DatasetName | PartName>(
  request: WalkRequest<Asked>,
  context: Pick<FetchContext, 'signal' | 'checkDeadline' | 'scope'>,
  mayLeaveOpen: boolean,
  lastPage: LastPageFields,
): AsyncGenerator<WalkPage> {
  const { walk } = request
  const { signal, checkDeadline, scope } = context
  const skipped = request.skipped ?? scope.skipped(walk.endpoint)
  signal.throwIfAborted()
  checkDeadline()
  if (skipped) return yield { ...noPage(walk.query, 1, skipped), ...lastPage }
  try {
    for await (const page of walk.pages(scope.limitsOf(walk.endpoint, request.failedRuns ?? 0), signal)) {
      scope.answered(walk.endpoint)
      const end = page.hasShifted && mayLeaveOpen ? null : page.end
      yield { ...page, end, ...(end ? lastPage : {}) }
      if (page.end) return
      signal.throwIfAborted()
      checkDeadline()
    }
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error
    await scope.failed(walk.endpoint, error, signal)
    const { query, page, last } = error.about
    yield { ...noPage(query, page, last), ...lastPage }
  }
}

/** The last page of a walk that ends because there was no usable answer. It has no records; the ledger gets its request. */
function noPage(query: WalkPage['query'], page: number, last: LastResponse): WalkPage {
  const { problem, status, body, attempts, receivedAt } = last
  return {
    query,
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
    end: { state: 'incomplete', reason: `page ${page}: ${problem}`, code: 'failed' },
  }
}
