import { type Answer, type Client, type LastResponse, type Query, queries } from 'candlehouse-client/reading'
import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import type { PartWalk } from '../land/journal.js'
import type { PartRequest } from '../plan/account-parts.js'
import { partCeiling } from '../plan/ceilings.js'
import { type PartName, parts } from '../plan/parts.js'
import { type FetchContext, type LastPageFields, type WalkRequest, walkOnce } from './walk.js'

/** Rows per page of the second walk over a list that was short with large pages. */
const SMALL_PAGE = 100

/** The session that could read accounts ended, and the one after it reads market data only: no part will be answered. */
export class SessionLostError extends SettingsError {}

/**
 * Fetches one part of an account snapshot. A part that fails is missing in the snapshot. If a list has fewer records than the service counts, a second walk with small pages
 * follows (docs/market-facts.md#order-book-paging: order pages are unreliable). Both walks are landed, and loading counts
 * their distinct records.
 *
 * @param skipped why it is not requested
 * @throws as `fetchWindow` · SessionLostError
 */
export async function fetchPart(
  request: PartRequest,
  context: FetchContext,
  lastPage: LastPageFields = {},
  skipped?: LastResponse,
): Promise<PartWalk[]> {
  const { client } = context
  const { endpoint } = parts[request.part]
  const walkRequest: WalkRequest<PartName> = {
    window: { dataset: request.part, key: request.key, timeframe: '', from: request.from, to: request.to },
    endpoint,
    query: queryOf(request),
    pageSize: client.pageSizeFor(endpoint),
    ceiling: partCeiling(request),
    get: async (query, signal, limits) =>
      unlessLost(await client.accounts.get(endpoint, query, signal, limits), client),
    account: request.account,
    skipped,
  }
  const { pageSize } = walkRequest
  const first = await closedWalk(walkRequest, context, lastPage)
  const isShort = first.end.state === 'incomplete' && first.end.code !== 'failed'
  if (!isShort || pageSize === undefined || pageSize <= SMALL_PAGE) return [first]
  return [first, await closedWalk({ ...walkRequest, pageSize: SMALL_PAGE }, context, lastPage)]
}

/** A refusal to a session for market data says nothing of the part. @throws SessionLostError */
function unlessLost(answer: Answer, { session }: Client): Answer {
  if (answer.outcome === 'refused' && session.isDowngraded)
    throw new SessionLostError('the verified session was lost')
  return answer
}

/** @throws as `fetchPart` */
async function closedWalk(
  request: WalkRequest<PartName>,
  context: FetchContext,
  lastPage: LastPageFields,
): Promise<PartWalk> {
  const walk = await walkOnce(request, context, false, lastPage)
  if (!walk) throw new ServiceError(`the page walk over ${request.endpoint} did not end`)
  return walk
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
