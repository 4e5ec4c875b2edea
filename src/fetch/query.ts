import type { Query } from 'candlehouse-client/reading'
import { queries } from 'candlehouse-client/reading'
import type { Board } from 'candlehouse-foundation/market/board'
import type { WindowRequest } from '../plan/request.js'

/** The query of a window. The client writes its days in the form that the service takes. */
export function queryOf(request: WindowRequest): Query {
  const { key, from, to } = request
  switch (request.dataset) {
    case 'securities':
      return queries.securitiesByBoard({ board: key as Board })
    case 'indexes':
      return queries.indexList({})
    case 'indexMembers':
      return queries.securitiesByBoard({ index: key })
    case 'securitiesSummary':
      return queries.securitiesSummary(key === '*' ? { from, to } : { symbol: key, from, to })
    case 'indexSummary':
      return queries.indexSummary({ index: key, tradingDate: from })
    case 'masterdata':
      return queries.masterdata({ from, to })
    case 'ohlc':
      return queries.ohlc({ symbol: key, timeframe: request.timeframe || '1d', from, to })
  }
}
