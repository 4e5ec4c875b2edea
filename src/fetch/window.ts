import { ServiceError } from '../errors.js'
import type { ClosedWalk } from '../land/journal.js'
import { windowCeiling } from '../plan/ceilings.js'
import { type DatasetName, datasets } from '../plan/datasets.js'
import type { WindowRequest } from '../plan/request.js'
import { queryOf } from './query.js'
import { type FetchContext, type WalkRequest, walkOnce } from './walk.js'

/**
 * Makes the page walk of one window of market data. If its pages shifted between requests, the walk is made again, once, and
 * the first one is left open: it is never loaded.
 *
 * @throws the signal's reason between two pages · ServiceError, SettingsError from the client · StorageError
 */
export async function fetchWindow(request: WindowRequest, context: FetchContext): Promise<ClosedWalk> {
  const { dataset, key, timeframe, from, to } = request
  const { endpoint } = datasets[dataset]
  const { client } = context
  const walkRequest: WalkRequest<DatasetName> = {
    window: { dataset, key, timeframe, from, to },
    endpoint,
    query: queryOf(request),
    pageSize: client.pageSizeFor(endpoint),
    ceiling: windowCeiling(request, context.listed),
    get: (query, signal) => client.market.get(endpoint, query, signal),
  }
  const walk = (await walkOnce(walkRequest, context, true)) ?? (await walkOnce(walkRequest, context, false))
  if (!walk) throw new ServiceError(`the page walk over ${dataset} ${key} did not end`)
  return walk
}
