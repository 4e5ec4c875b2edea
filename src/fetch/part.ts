import { type Query, queries } from '../brokerage/index.js'
import { ServiceError } from '../errors.js'
import type { PartWalk } from '../land/journal.js'
import type { PartRequest } from '../plan/account-parts.js'
import { partCeiling } from '../plan/ceilings.js'
import { type PartName, parts } from '../plan/parts.js'
import { type Closing, type FetchContext, type Question, walkOnce } from './walk.js'

/** Rows a page of the second walk over a list that came short with large pages. */
const SMALL_PAGE = 100

/**
 * Asks one part of an account snapshot. A list that came short of its own count is walked again with small pages
 * (docs/market-facts.md#order-book-paging: order pages are unreliable); both walks are kept, and loading counts
 * the records that differ.
 *
 * @throws as `fetchWindow`
 */
export async function fetchPart(
  request: PartRequest,
  context: FetchContext,
  closing: Closing = {},
): Promise<PartWalk[]> {
  const { client } = context
  const { endpoint } = parts[request.part]
  const question: Question<PartName> = {
    window: { dataset: request.part, key: request.key, timeframe: '', from: request.from, to: request.to },
    endpoint,
    query: queryOf(request),
    pageSize: client.pageSizeFor(endpoint),
    ceiling: partCeiling(request),
    get: (query, signal) => client.accounts.get(endpoint, query, signal),
    account: request.account,
  }
  const { pageSize } = question
  const first = await walk(question, context, closing)
  if (first.end.state !== 'incomplete' || pageSize === undefined || pageSize <= SMALL_PAGE) return [first]
  return [first, await walk({ ...question, pageSize: SMALL_PAGE }, context, closing)]
}

async function walk(
  question: Question<PartName>,
  context: FetchContext,
  closing: Closing,
): Promise<PartWalk> {
  const closed = await walkOnce(question, context, false, closing)
  if (!closed) throw new ServiceError(`the walk over ${question.endpoint} did not end`)
  return closed
}

function queryOf(request: PartRequest): Query {
  const { account: accountNo, key, from, to, price } = request
  switch (request.part) {
    case 'accountInfo':
      return queries.accountInfo()
    case 'accountBalance':
      return queries.accountBalance({ accountNo })
    case 'ppmmrAccount':
      return queries.ppmmrAccount({ accountNo })
    case 'position':
      return queries.position({ accountNo })
    case 'positionDetail':
      return queries.position({ accountNo, querySummary: false })
    case 'maxBuySell':
      return queries.maxBuySell({ accountNo, symbol: key, price: price ?? '' })
    case 'orderBook':
      return queries.orderBook({ accountNo, from, to })
    case 'fcoList':
      return queries.fcoList({ accountNo })
    case 'fcoStatusHistory':
      return queries.fcoStatusHistory({ fcoId: key })
  }
}
