import type { AccountEndpoint, Answer, ClientStats, Endpoint, MarketEndpoint, Query } from './contract.js'
import type {
  AccountRequest,
  FcoListRequest,
  FcoStatusHistoryRequest,
  IndexListRequest,
  IndexSummaryRequest,
  MasterdataRequest,
  MaxBuySellRequest,
  OhlcRequest,
  OrderBookRequest,
  PositionRequest,
  SecuritiesByBoardRequest,
  SecuritiesSummaryRequest,
} from './requests.js'
import type { ReadLimits } from './retries.js'
import type { Session } from './session/session-view.js'

/**
 * Reads of market data; any token will do. Every method answers one page and throws
 * InterruptedError-like reasons of the signal, SettingsError (credentials), UnansweredError (gave up; its `reach` says whom that
 * concerns), ServiceError (session lost).
 */
export interface MarketData {
  /** Used by the pipeline: the query goes into the URL unchanged. */
  get(endpoint: MarketEndpoint, query: Query, signal?: AbortSignal, limits?: ReadLimits): Promise<Answer>
  securitiesByBoard(request: SecuritiesByBoardRequest, signal?: AbortSignal): Promise<Answer>
  securitiesSummary(request: SecuritiesSummaryRequest, signal?: AbortSignal): Promise<Answer>
  indexSummary(request: IndexSummaryRequest, signal?: AbortSignal): Promise<Answer>
  indexList(request: IndexListRequest, signal?: AbortSignal): Promise<Answer>
  masterdata(request: MasterdataRequest, signal?: AbortSignal): Promise<Answer>
  ohlc(request: OhlcRequest, signal?: AbortSignal): Promise<Answer>
}

/** Reads of accounts and orders; answers `refused` when the token was not verified with an OTP. */
export interface Accounts {
  get(endpoint: AccountEndpoint, query: Query, signal?: AbortSignal, limits?: ReadLimits): Promise<Answer>
  accountInfo(signal?: AbortSignal): Promise<Answer>
  accountBalance(request: AccountRequest, signal?: AbortSignal): Promise<Answer>
  ppmmrAccount(request: AccountRequest, signal?: AbortSignal): Promise<Answer>
  position(request: PositionRequest, signal?: AbortSignal): Promise<Answer>
  maxBuySell(request: MaxBuySellRequest, signal?: AbortSignal): Promise<Answer>
  orderBook(request: OrderBookRequest, signal?: AbortSignal): Promise<Answer>
  fcoList(request: FcoListRequest, signal?: AbortSignal): Promise<Answer>
  fcoStatusHistory(request: FcoStatusHistoryRequest, signal?: AbortSignal): Promise<Answer>
}

export interface Client {
  readonly market: MarketData
  readonly accounts: Accounts
  readonly session: Session
  /** Rows to ask per page: the largest the service has not refused; undefined for endpoints without pages. */
  pageSizeFor(endpoint: Endpoint): number | undefined
  stats(): ClientStats
  /** Closes the connections. What is under way ends with a ServiceError, a write as `unknown`; nothing is sent afterwards. */
  close(): Promise<void>
}
