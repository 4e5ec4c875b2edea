/** Names of the API's reads, as the client, the planner and the journal use them. */

/** Market data, readable with any token (docs/brokerage-api.md#market-data). */
export type MarketEndpoint =
  | 'securitiesByBoard'
  | 'securitiesSummary'
  | 'indexSummary'
  | 'indexList'
  | 'masterdata'
  | 'ohlc'

/**
 * Accounts, orders and conditional orders: reads that need a token verified with an OTP
 * (docs/brokerage-api.md#accounts).
 */
export type AccountEndpoint =
  | 'accountInfo'
  | 'accountBalance'
  | 'ppmmrAccount'
  | 'position'
  | 'maxBuySell'
  | 'orderBook'
  | 'fcoList'
  | 'fcoStatusHistory'

export type Endpoint = MarketEndpoint | AccountEndpoint
