import {
  type AccountEndpoint,
  type Decimal,
  type MarketEndpoint,
  parseDay,
  type Query,
  queries,
} from 'candlehouse-client/reading'
import type { Board } from 'candlehouse-foundation/market/board'
import type { PartRequest } from '../../plan/account-parts.js'
import type { FetchedName, Window } from '../../plan/datasets.js'
import type { PartName } from '../../plan/parts.js'

/** Endpoints that the datasets come from (docs/brokerage-api.md#market-data). */
export const MARKET: Readonly<Record<FetchedName, MarketEndpoint>> = {
  securities: 'securitiesByBoard',
  indexes: 'indexList',
  indexMembers: 'securitiesByBoard',
  securitiesSummary: 'securitiesSummary',
  indexSummary: 'indexSummary',
  masterdata: 'masterdata',
  ohlc: 'ohlc',
}

/** Endpoints that the parts of an account snapshot come from (docs/brokerage-api.md#accounts). */
export const ACCOUNT: Readonly<Record<PartName, AccountEndpoint>> = {
  accountInfo: 'accountInfo',
  position: 'position',
  positionDetail: 'position',
  fcoList: 'fcoList',
  accountBalance: 'accountBalance',
  ppmmrAccount: 'ppmmrAccount',
  orderBook: 'orderBook',
  fcoStatusHistory: 'fcoStatusHistory',
  maxBuySell: 'maxBuySell',
}

/** The query of a window. The client writes its days in the form that the service takes. */
export function windowQuery({ dataset, key, timeframe, ...window }: Window<FetchedName>): Query {
  const range = () => ({ from: parseDay(window.from), to: parseDay(window.to) })
  switch (dataset) {
    case 'securities':
      return queries.securitiesByBoard({ board: key as Board })
    case 'indexes':
      return queries.indexList({})
    case 'indexMembers':
      return queries.securitiesByBoard({ index: key })
    case 'securitiesSummary':
      return queries.securitiesSummary(key === '*' ? range() : { symbol: key, ...range() })
    case 'indexSummary':
      return queries.indexSummary({ index: key, tradingDate: parseDay(window.from) })
    case 'masterdata':
      return queries.masterdata(range())
    case 'ohlc':
      return queries.ohlc({ symbol: key, timeframe: timeframe || '1d', ...range() })
  }
}

export function partQuery({ part, account: accountNo, key, from, to, price }: PartRequest): Query {
  switch (part) {
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
      // As the service wrote it: the query is part of what was landed.
      return queries.maxBuySell({ accountNo, symbol: key, price: (price ?? '') as Decimal })
    case 'orderBook':
      return queries.orderBook({ accountNo, from, to })
    case 'fcoList':
      return queries.fcoList({ accountNo })
    case 'fcoStatusHistory':
      return queries.fcoStatusHistory({ fcoId: key })
  }
}
