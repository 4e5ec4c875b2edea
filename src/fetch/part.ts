import { ServiceError } from 'candlehouse-foundation/errors'
import type { PartWalk } from '../land/journal.js'
import type { PartRequest } from '../plan/account-parts.js'
import { partCeiling } from '../plan/ceilings.js'
import type { LastResponse, SourceWalk } from '../source/source.js'
import { type FetchContext, type LastPageFields, walkOnce } from './walk.js'

/** Rows per page of the second walk over a list that was short with large pages. */
const SMALL_PAGE = 100

/**
 * Fetches one part of an account snapshot. A part that fails is missing in the snapshot. If a list has fewer records than the
 * service counts, a second walk with small pages follows (docs/market-facts.md#order-book-paging: order pages are unreliable).
 * Both walks are landed, and loading counts their distinct records.
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
  const { part, key, from, to, account } = request
  const { source } = context
  const ceiling = partCeiling(request)
  const window = { dataset: part, key, timeframe: '', from, to } as const
  const closed = async (walk: SourceWalk): Promise<PartWalk> => {
    const ended = await walkOnce({ window, account, walk, skipped }, context, false, lastPage)
    if (!ended) throw new ServiceError(`the page walk over ${walk.endpoint} did not end`)
    return ended
  }
  const walk = source.partWalk(request, ceiling)
  const first = await closed(walk)
  const isShort = first.end.state === 'incomplete' && first.end.code !== 'failed'
  if (!isShort || walk.pageSize === undefined || walk.pageSize <= SMALL_PAGE) return [first]
  return [first, await closed(source.partWalk(request, ceiling, SMALL_PAGE))]
}
