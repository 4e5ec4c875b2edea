import { type Effects, systemEffects } from 'candlehouse-foundation/effects'
import { type ClientOptions, type Connection, connect } from './connection.js'
import type { Accounts, Client, MarketData } from './facets.js'
import { LearnedDialect } from './learned-dialect.js'
import { queries } from './queries.js'
import { Reader } from './reader.js'

/**
 * The API as candlehouse reads it. One client is one session, one throttle and one retry budget: share it.
 *
 * @throws SettingsError when the base address is not an http or https address
 */
export function createClient(options: ClientOptions, effects: Effects = systemEffects): Client {
  return readingClient(connect(options, effects), options)
}

/** The facets that only read, over a connection that may also serve others. */
export function readingClient(connection: Connection, options: Pick<ClientOptions, 'pageSizes'>): Client {
  const dialect = new LearnedDialect(options.pageSizes ?? {})
  const { read } = new Reader({ ...connection, dialect })

  const market: MarketData = {
    get: read,
    securitiesByBoard: (request, signal) =>
      read('securitiesByBoard', queries.securitiesByBoard(request), signal),
    securitiesSummary: (request, signal) =>
      read('securitiesSummary', queries.securitiesSummary(request), signal),
    indexSummary: (request, signal) => read('indexSummary', queries.indexSummary(request), signal),
    indexList: (request, signal) => read('indexList', queries.indexList(request), signal),
    masterdata: (request, signal) => read('masterdata', queries.masterdata(request), signal),
    ohlc: (request, signal) => read('ohlc', queries.ohlc(request), signal),
  }

  const accounts: Accounts = {
    get: read,
    accountInfo: (signal) => read('accountInfo', queries.accountInfo(), signal),
    accountBalance: (request, signal) => read('accountBalance', queries.accountBalance(request), signal),
    ppmmrAccount: (request, signal) => read('ppmmrAccount', queries.ppmmrAccount(request), signal),
    position: (request, signal) => read('position', queries.position(request), signal),
    maxBuySell: (request, signal) => read('maxBuySell', queries.maxBuySell(request), signal),
    orderBook: (request, signal) => read('orderBook', queries.orderBook(request), signal),
    fcoList: (request, signal) => read('fcoList', queries.fcoList(request), signal),
    fcoStatusHistory: (request, signal) =>
      read('fcoStatusHistory', queries.fcoStatusHistory(request), signal),
  }

  return {
    market,
    accounts,
    session: connection.session,
    pageSizeFor: (endpoint) => dialect.pageSizeFor(endpoint),
    stats: () => ({
      ...connection.sender.counts(),
      rate: connection.throttle.rate(),
      pausedMs: connection.throttle.pausedMs(),
    }),
    close: () => connection.transport.close(),
  }
}
