import type { AccountEndpoint, Endpoint, MarketEndpoint } from './contract.js'
import type { DateForm } from './date-form.js'

/** What one read endpoint is like on the wire (docs/brokerage-api.md#market-data, docs/brokerage-api.md#accounts). */
export interface EndpointFacts {
  readonly path: string
  readonly facet: 'market' | 'account'
  /** The specification's answer: a bare array, an envelope around a list of that name, or an object. */
  readonly answer: 'array' | 'data' | 'orderList' | 'fcoList' | 'object'
  /**
   * Forms its `from` and `to` are sent in: the first unless the service refuses it.
   * docs/market-facts.md#candle-dates: a bare `YYYY/MM/DD` is refused by live OHLC (400213) where date-times
   * work, the specification's example shows `YYYY-MM-DD`; the order book is sent all three by different
   * clients.
   */
  readonly dateForms: readonly DateForm[]
}

const SLASH: readonly DateForm[] = ['slash']

export const MARKET_ENDPOINTS: Readonly<Record<MarketEndpoint, EndpointFacts>> = {
  securitiesByBoard: market('/api/v3/data/securitiesByBoard', 'array', []),
  securitiesSummary: market('/api/v3/data/securitiesSummary', 'data', SLASH),
  indexSummary: market('/api/v3/data/indexSummary', 'array', []),
  indexList: market('/api/v3/data/indexList', 'array', []),
  masterdata: market('/api/v3/data/masterdata', 'data', SLASH),
  ohlc: market('/api/v3/data/ohlc', 'data', ['slash-time', 'dash']),
}

export const ACCOUNT_ENDPOINTS: Readonly<Record<AccountEndpoint, EndpointFacts>> = {
  accountInfo: account('/api/v3/account/info', 'array'),
  accountBalance: account('/api/v3/trading/accountBalance', 'object'),
  ppmmrAccount: account('/api/v3/trading/ppmmrAccount', 'object'),
  position: account('/api/v3/trading/position', 'object'),
  maxBuySell: account('/api/v3/trading/maxBuySell', 'object'),
  orderBook: account('/api/v3/trading/orderBook', 'orderList', ['iso', 'slash', 'slash-time']),
  fcoList: account('/api/v3/trading/fco/list', 'fcoList', SLASH),
  fcoStatusHistory: account('/api/v3/trading/fco/statusHistory', 'data'),
}

export function factsOf(endpoint: Endpoint): EndpointFacts {
  return { ...MARKET_ENDPOINTS, ...ACCOUNT_ENDPOINTS }[endpoint]
}

/** Endpoints that take `pageIndex` and `pageSize`. */
const PAGED: ReadonlySet<Endpoint> = new Set([
  'securitiesSummary',
  'masterdata',
  'ohlc',
  'orderBook',
  'fcoList',
])

export function isPaged(endpoint: Endpoint): boolean {
  return PAGED.has(endpoint)
}

function market(
  path: string,
  answer: EndpointFacts['answer'],
  dateForms: readonly DateForm[],
): EndpointFacts {
  return { path, facet: 'market', answer, dateForms }
}

function account(
  path: string,
  answer: EndpointFacts['answer'],
  dateForms: readonly DateForm[] = [],
): EndpointFacts {
  return { path, facet: 'account', answer, dateForms }
}
