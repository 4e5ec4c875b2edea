import type { Answer, Endpoint, Query, Verdict, Walk } from '../contract.js'
import { isPaged } from '../endpoints.js'
import { MOST_ROWS, nextStep, startWalk } from './walk.js'

/** One page of a walk. */
export interface Page extends Answer {
  /** How the walk ended, on its last page; undefined on the pages before. */
  readonly end: Verdict | undefined
}

export interface PagesOptions {
  /** Rows to ask per page; less where the service refuses that many. @default 1000 */
  readonly pageSize?: number
  /** Distinct rows after which the loop ends, as incomplete, whatever the service counts. @default 1_000_000 */
  readonly maxRows?: number
  readonly signal?: AbortSignal
}

/** What clients of live deployments send (docs/market-facts.md#page-size). */
const PAGE_SIZE = 1000

/**
 * All pages of one question, each asked when the loop gets to it: `for await (const page of pages(client.market,
 * 'ohlc', queries.ohlc(request)))`. The last page always comes, refused or empty ones too, and its `end` says whether
 * what came is all there is.
 *
 * @param facet `client.market` or `client.accounts`
 * @throws what the facet throws
 */
export async function* pages<E extends Endpoint>(
  facet: { get(endpoint: E, query: Query, signal?: AbortSignal): Promise<Answer> },
  endpoint: E,
  query: Query,
  { pageSize = PAGE_SIZE, maxRows = MOST_ROWS, signal }: PagesOptions = {},
): AsyncGenerator<Page, void, undefined> {
  let walk: Walk | undefined = startWalk(endpoint, query, isPaged(endpoint) ? pageSize : undefined, maxRows)
  while (walk) {
    const answer = await facet.get(endpoint, walk.query, signal)
    const step = nextStep(walk, answer)
    yield { ...answer, end: step.closed }
    walk = step.next
  }
}
