import type { Client, Verdict, Walk } from '../brokerage/index.js'
import { nextStep, startWalk } from '../brokerage/index.js'
import { ServiceError } from '../errors.js'
import type { ClosedWalk, Journal, PageRecord } from '../land/journal.js'
import { landPage } from '../land/page.js'
import { firstRecord } from '../land/record.js'
import { datasets } from '../plan/datasets.js'
import type { WindowRequest } from '../plan/request.js'
import { queryOf } from './query.js'

/** What every walk of a run shares. */
export interface FetchContext {
  readonly client: Client
  readonly journal: Journal
  readonly home: string
  readonly run: string
  readonly job: string
  readonly tradingDate: string
  readonly signal: AbortSignal
  /** Numbers pages and walks of the run, from 1. */
  readonly count: { pages: number; walks: number }
}

/**
 * Walks one window page by page: every page is landed, then its line is appended to the journal, then the
 * next is asked. The line of the last page says how the walk ended: only then is the walk closed. A walk whose
 * pages moved under it is made once more, and the first is left open: nobody loads it.
 *
 * @throws the signal's reason between two pages · ServiceError, SettingsError from the client · StorageError
 */
export async function fetchWindow(request: WindowRequest, context: FetchContext): Promise<ClosedWalk> {
  const first = await walkOnce(request, context, false)
  if (first) return first
  const second = await walkOnce(request, context, true)
  if (second) return second
  throw new ServiceError(`the walk over ${request.dataset} ${request.key} did not end`)
}

async function walkOnce(
  request: WindowRequest,
  context: FetchContext,
  lastTry: boolean,
): Promise<ClosedWalk | undefined> {
  const { endpoint } = datasets[request.dataset]
  const walkId = `${context.run}-w${String(++context.count.walks).padStart(6, '0')}`
  const pages: PageRecord[] = []
  let walk: Walk | undefined = startWalk(endpoint, queryOf(request), context.client.pageSizeFor(endpoint))
  while (walk) {
    context.signal.throwIfAborted()
    const answer = await context.client.market.get(endpoint, walk.query, context.signal)
    const id = `${context.run}-${String(++context.count.pages).padStart(6, '0')}`
    const landed = await landPage(context.home, `raw/${request.dataset}/${context.run}/${id}.json.gz`, answer)
    const step = nextStep(walk, answer)
    const again = step.closed?.walkAgain === true && !lastTry
    const record: PageRecord = {
      id,
      run: context.run,
      job: context.job,
      trading_date: context.tradingDate,
      endpoint,
      query: answer.query,
      window: windowOf(request),
      walk: walkId,
      page: walk.page,
      status: answer.status,
      attempts: answer.attempts,
      received_at: new Date(answer.receivedAt).toISOString(),
      bytes: answer.body.length,
      rows: answer.page.rows,
      ...landed,
      shape: answer.outcome === 'rows' ? answer.page.shape : 'none',
      ...firstRecord(answer.body, answer.page.list),
      end: step.closed && !again ? endOf(step.closed) : null,
    }
    await context.journal.append(record)
    pages.push(record)
    if (record.end) return { id: walkId, window: record.window, end: record.end, pages }
    walk = step.next
  }
  return undefined
}

function endOf(verdict: Verdict): { state: Verdict['state']; reason: string | null } {
  return { state: verdict.state, reason: verdict.reason ?? null }
}

function windowOf(request: WindowRequest): PageRecord['window'] {
  const { dataset, key, timeframe, from, to } = request
  return { dataset, key, timeframe, from, to }
}
