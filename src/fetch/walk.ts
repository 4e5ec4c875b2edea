import type { Client, Endpoint, PageFacts, Query, Verdict, Walk } from '../brokerage/index.js'
import { nextStep, startWalk } from '../brokerage/index.js'
import type { ClosedWalk, Journal, PageRecord } from '../land/journal.js'
import { landPage } from '../land/page.js'
import { firstRecord } from '../land/record.js'
import type { DatasetName, Window } from '../plan/datasets.js'
import type { PartName } from '../plan/parts.js'

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

/** One walk to make: what its pages are filed under, and how they are asked for. */
export interface Question<Asked extends DatasetName | PartName> {
  readonly window: Window<Asked>
  readonly endpoint: Endpoint
  readonly query: Query
  /** Rows a page to begin with; undefined for endpoints without pages. */
  readonly pageSize: number | undefined
  get(query: Query, signal: AbortSignal): ReturnType<Client['market']['get']>
  /** Written into the journal beside each page. */
  readonly mark: Pick<PageRecord, 'account'>
}

/** What the line of the last page says beside how the walk ended. */
export type Closing = Pick<PageRecord, 'closes'>

/**
 * Walks page by page: every page is landed, then its line is appended to the journal, then the next is asked. The
 * line of the last page says how the walk ended: only then is the walk closed.
 *
 * @param again whether the walk may be left open when its pages moved under it, to be made once more
 * @returns undefined when it was left open: nobody loads it
 * @throws the signal's reason between two pages · ServiceError, SettingsError from the client · StorageError
 */
export async function walkOnce<Asked extends DatasetName | PartName>(
  question: Question<Asked>,
  context: FetchContext,
  again: boolean,
  closing: Closing = {},
): Promise<ClosedWalk<Asked> | undefined> {
  const { window, endpoint, mark } = question
  const walkId = `${context.run}-w${String(++context.count.walks).padStart(6, '0')}`
  const pages: PageRecord[] = []
  let walk: Walk | undefined = startWalk(endpoint, question.query, question.pageSize)
  while (walk) {
    context.signal.throwIfAborted()
    const answer = await question.get(walk.query, context.signal)
    const id = `${context.run}-${String(++context.count.pages).padStart(6, '0')}`
    const landed = await landPage(context.home, `raw/${window.dataset}/${context.run}/${id}.json.gz`, answer)
    const step = nextStep(walk, answer)
    const open = step.closed === undefined || (step.closed.walkAgain && again)
    const record: PageRecord = {
      id,
      run: context.run,
      job: context.job,
      trading_date: context.tradingDate,
      endpoint,
      query: answer.query,
      window,
      walk: walkId,
      page: walk.page,
      status: answer.status,
      attempts: answer.attempts,
      received_at: new Date(answer.receivedAt).toISOString(),
      bytes: answer.body.length,
      rows: answer.page.rows,
      told: toldBy(answer.page),
      ...landed,
      shape: answer.outcome === 'rows' ? answer.page.shape : 'none',
      ...firstRecord(answer.body, answer.page.list),
      ...mark,
      ...(open ? {} : closing),
      end: open || !step.closed ? null : endOf(step.closed),
    }
    await context.journal.append(record)
    pages.push(record)
    if (record.end) return { id: walkId, window, end: record.end, pages }
    walk = step.next
  }
  return undefined
}

function toldBy({ itemsCount, pageCount, pageSize }: PageFacts): NonNullable<PageRecord['told']> {
  return {
    ...(itemsCount === undefined ? {} : { items: itemsCount }),
    ...(pageCount === undefined ? {} : { pages: pageCount }),
    ...(pageSize === undefined ? {} : { size: pageSize }),
  }
}

function endOf(verdict: Verdict): { state: Verdict['state']; reason: string | null } {
  return { state: verdict.state, reason: verdict.reason ?? null }
}
