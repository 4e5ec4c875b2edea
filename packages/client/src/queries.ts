import type { Query } from './contract.js'
import { writeDay, writeIsoBound } from './date-form.js'
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
  Paging,
  PositionRequest,
  SecuritiesByBoardRequest,
  SecuritiesSummaryRequest,
} from './requests.js'

/**
 * Typed request → the query of the URL, one per endpoint, in the specification's order. Pure: a plan can name its
 * queries without a client.
 */
export const queries = {
  securitiesByBoard: (request: SecuritiesByBoardRequest): Query => withoutEmpty({ ...request }),

  securitiesSummary: (request: SecuritiesSummaryRequest): Query =>
    withoutEmpty({
      symbol: request.symbol,
      index: request.index,
      from: writeDay(request.from, 'slash', 'from'),
      to: writeDay(request.to, 'slash', 'to'),
      ...paging(request),
    }),

  indexSummary: (request: IndexSummaryRequest): Query =>
    withoutEmpty({
      board: request.board,
      index: request.index,
      tradingDate: request.tradingDate && writeDay(request.tradingDate, 'slash', 'from'),
    }),

  indexList: (request: IndexListRequest): Query => withoutEmpty({ board: request.board }),

  masterdata: (request: MasterdataRequest): Query =>
    withoutEmpty({
      from: request.from && writeDay(request.from, 'slash', 'from'),
      to: request.to && writeDay(request.to, 'slash', 'to'),
      ...paging(request),
    }),

  /** Date-times: live deployments refuse a bare `YYYY/MM/DD` here (docs/market-facts.md#candle-dates). */
  ohlc: (request: OhlcRequest): Query =>
    withoutEmpty({
      symbol: request.symbol,
      from: writeDay(request.from, 'slash-time', 'from'),
      to: writeDay(request.to, 'slash-time', 'to'),
      timeFrame: request.timeframe,
      ...paging(request),
    }),

  accountInfo: (): Query => ({}),

  accountBalance: (request: AccountRequest): Query => withoutEmpty(account(request)),

  ppmmrAccount: (request: AccountRequest): Query => withoutEmpty(account(request)),

  position: (request: PositionRequest): Query =>
    withoutEmpty({ ...account(request), querySummary: request.querySummary?.toString() }),

  maxBuySell: (request: MaxBuySellRequest): Query =>
    withoutEmpty({ accountNo: request.accountNo, symbol: request.symbol, price: request.price }),

  orderBook: (request: OrderBookRequest): Query =>
    withoutEmpty({
      accountNo: request.accountNo,
      from: request.from && writeIsoBound(request.from, 'from'),
      to: request.to && writeIsoBound(request.to, 'to'),
      symbol: request.symbol,
      orderStatus: request.orderStatus?.join(','),
      ...paging(request),
    }),

  fcoList: (request: FcoListRequest): Query =>
    withoutEmpty({
      accountNo: request.accountNo,
      fcoId: request.fcoId,
      type: request.type,
      processStatus: request.processStatus?.join(','),
      symbol: request.symbol,
      side: request.side,
      from: request.from && writeDay(request.from, 'slash', 'from'),
      to: request.to && writeDay(request.to, 'slash', 'to'),
      ...paging(request),
    }),

  fcoStatusHistory: (request: FcoStatusHistoryRequest): Query => ({ fcoId: request.fcoId }),
} as const

/**
 * The six digits after the three-character prefix (docs/brokerage-api.md#account-numbers); undefined for any
 * other shape.
 */
export function clientIdOf(accountNo: string): string | undefined {
  return /^.{3}(\d{6})/.exec(accountNo)?.[1]
}

function account(request: AccountRequest): Record<string, string | undefined> {
  return { accountNo: request.accountNo, clientId: request.clientId ?? clientIdOf(request.accountNo) }
}

function paging(request: Paging): Record<string, string | undefined> {
  return { pageIndex: request.pageIndex?.toString(), pageSize: request.pageSize?.toString() }
}

function withoutEmpty(fields: Record<string, string | undefined>): Query {
  const query: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields)) if (value) query[name] = value
  return query
}
