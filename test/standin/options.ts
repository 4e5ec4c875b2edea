// Every way this service may differ from its specification, each switchable while it runs.

import type { DateFormat } from './dates.js'
import type { Fault } from './faults.js'
import type { RequestLog } from './log.js'
import type { StandInMarket } from './market.js'
import type { Row } from './rows.js'

export type Dataset =
  | 'securitiesByBoard'
  | 'securitiesSummary'
  | 'indexSummary'
  | 'indexList'
  | 'masterdata'
  | 'ohlc'
  | 'account'

/** A further key of the service: its own session, and the accounts that it may read. */
export interface StandInKey {
  apiKey: string
  apiSecret: string
  otp: string
  accounts: readonly string[]
}

export interface StandInOptions {
  market: StandInMarket
  /** false: there is no port; requests come through `serve`. */
  listens: boolean
  apiKey: string
  apiSecret: string
  otp: string
  /** Further keys. The first key reads every account that `ownAccounts` names. */
  keys: readonly StandInKey[]
  /** Undefined: every account. */
  ownAccounts: readonly string[] | undefined
  gzip: boolean
  dateFormat: DateFormat
  ohlcBareDate: 'accept' | 'refuse'
  ohlcOrder: 'asc' | 'newest-first'
  /** false: no counts; an `ohlcEnvelope` of 'spec' is then served as 'data'. */
  ohlcCounts: boolean
  ohlcEnvelope: 'spec' | 'data' | 'array'
  emptyAs: 'envelope' | '204' | '[]' | 'http204'
  pageCap: number | undefined
  pageSizeRefusedAbove: number | undefined
  numbers: 'strings' | 'commas' | 'json' | 'trailing'
  masterdataBoardField: 'exchange' | 'board'
  extraFields: boolean
  countsAsStrings: boolean
  summaryWithoutFilter: 'serve' | 'refuse' | 'empty'
  errorCode: 'string' | 'number'
  /** 'YYYY-MM-DD'. Rows of later sessions are not served yet. Default: the last session of the market. */
  today: string | undefined
  /** What an intraday candle request with `to` after today gets. */
  intradayPastToday: 'serve' | 'empty'
  tokenTtlSeconds: number
  refreshTtlSeconds: number
  expiresIn: 's' | 'ms'
  refreshShape: 'spec' | 'refused'
  /** How many token calls with a transactionId are answered "pending" (202) before one succeeds. */
  smartOtpPending: number
  /** The side of a balance that an account does not have. */
  otherSide: 'zeros' | 'null' | 'absent'
  brokerSuffix: string
  depositorySuffix: string
  rateLimit:
    | { limit: number; windowMs: number; reset?: 'delta' | 's' | 'ms' | undefined; retryAfter?: boolean }
    | undefined
  /** Clock of the service in epoch milliseconds: token expiry, rate windows and the Date header. */
  now: () => number
  /** A one-time password opens one session only, as the specification says; false: every session. */
  otpSingleUse: boolean
  /** Intraday candles begin one year before today, and so many days later. */
  yearEdgeLaterDays: number
  /** Intraday candles of a range that begins before that edge: those after it, or 400. */
  beforeYearEdge: 'cut' | 'refuse'
  /** Summaries, limits and index totals of a range that begins before the first session: those after it, or 400. */
  beforeData: 'cut' | 'refuse'
  faults: Fault[]
  /** Sees each row in the form of the truth (a copy), before dates and numbers take their dialect. */
  mutateRow: ((dataset: Dataset, row: Row, request: RequestLog) => Row) | undefined
}

export const defaultOptions = (market: StandInMarket): StandInOptions => ({
  market,
  listens: true,
  apiKey: 'standin-key',
  apiSecret: 'standin-secret',
  otp: '246810',
  keys: [],
  ownAccounts: undefined,
  gzip: true,
  dateFormat: 'YYYY/MM/DD',
  ohlcBareDate: 'accept',
  ohlcOrder: 'asc',
  ohlcCounts: true,
  ohlcEnvelope: 'spec',
  emptyAs: 'envelope',
  pageCap: undefined,
  pageSizeRefusedAbove: undefined,
  numbers: 'strings',
  masterdataBoardField: 'exchange',
  extraFields: false,
  countsAsStrings: false,
  summaryWithoutFilter: 'serve',
  errorCode: 'string',
  today: undefined,
  intradayPastToday: 'serve',
  tokenTtlSeconds: 3600,
  refreshTtlSeconds: 86_400,
  expiresIn: 's',
  refreshShape: 'spec',
  smartOtpPending: 0,
  otherSide: 'zeros',
  brokerSuffix: 'Broker',
  depositorySuffix: 'Depository',
  rateLimit: undefined,
  now: () => Date.now(),
  otpSingleUse: false,
  yearEdgeLaterDays: 0,
  beforeYearEdge: 'cut',
  beforeData: 'cut',
  faults: [],
  mutateRow: undefined,
})
