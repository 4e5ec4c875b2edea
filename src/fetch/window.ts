import { ServiceError } from '../errors.js'
import type { ClosedWalk } from '../land/journal.js'
import { windowCeiling } from '../plan/ceilings.js'
import { type DatasetName, datasets } from '../plan/datasets.js'
import type { WindowRequest } from '../plan/request.js'
import { queryOf } from './query.js'
import { type FetchContext, type Question, walkOnce } from './walk.js'

/**
 * Walks one window of market data. A walk whose pages moved under it is made once more, and the first is left
 * open: nobody loads it.
 *
 * @throws the signal's reason between two pages · ServiceError, SettingsError from the client · StorageError
 */
export async function fetchWindow(request: WindowRequest, context: FetchContext): Promise<ClosedWalk> {
  const { dataset, key, timeframe, from, to } = request
  const { endpoint } = datasets[dataset]
  const { client } = context
  const question: Question<DatasetName> = {
    window: { dataset, key, timeframe, from, to },
    endpoint,
    query: queryOf(request),
    pageSize: client.pageSizeFor(endpoint),
    ceiling: windowCeiling(request, context.listed),
    get: (query, signal) => client.market.get(endpoint, query, signal),
  }
  const walk = (await walkOnce(question, context, true)) ?? (await walkOnce(question, context, false))
  if (!walk) throw new ServiceError(`the walk over ${dataset} ${key} did not end`)
  return walk
}
