import type { Dispatcher } from 'undici'
import { type Effects, systemEffects } from '../effects.js'
import { createSecrets } from '../secrets.js'
import type { Endpoint, Tokens } from './contract.js'
import { createDialect } from './dialect.js'
import type { Accounts, Client, MarketData } from './facets.js'
import { queries } from './queries.js'
import { createReader } from './reader.js'
import { createSender, type RetryOptions } from './sender.js'
import { createAuth } from './session/auth.js'
import { createSession } from './session/shared-session.js'
import { createThrottle } from './throttle/throttle.js'
import { createTransport } from './transport/transport.js'

export interface ClientOptions extends RetryOptions {
  /** `BROKER_BASE_URL`. */
  readonly baseUrl: string
  /** `BROKER_API_KEY`; undefined when a kept session is all there is. */
  readonly apiKey: string | undefined
  /** `BROKER_API_SECRET`. */
  readonly apiSecret: string | undefined
  /** `BROKER_OTP`: one-time password of the first login; undefined logs in for market data only. */
  readonly otp?: string | undefined
  /** A session kept by an earlier run. */
  readonly tokens?: Tokens | undefined
  /** Stores tokens; awaited before their first use. @default nowhere */
  readonly onTokens?: (tokens: Tokens) => Promise<void> | void
  /** `BROKER_MAX_RPS`, requests a second. @default 10, what the operator's own client does; Infinity for none */
  readonly maxRps?: number
  /** `BROKER_LANGUAGE`, sent as Accept-Language. @default `en` (spec, Conventions) */
  readonly language?: string
  /** Requests in flight and connections kept. @default 8 */
  readonly connections?: number
  /** Milliseconds for one attempt, connecting included. @default 60_000; pages of 1,000 rows take seconds */
  readonly deadlineMs?: number
  /** Bytes of a decoded body. @default 67_108_864; a page of 1,000 records is 500 kB */
  readonly maxBodyBytes?: number
  /** Rows per page to begin with, as `pageSizeFor` said to an earlier client. @default 1000, stepping down */
  readonly pageSizes?: Readonly<Partial<Record<Endpoint, number>>>
  /** For tests: undici's MockAgent in place of real connections. */
  readonly dispatcher?: Dispatcher
}

/**
 * The API as candlehouse reads it. One client is one session, one throttle and one retry budget: share it.
 *
 * @throws SettingsError when the base address is none
 */
export function createClient(options: ClientOptions, effects: Effects = systemEffects): Client {
  const secrets = createSecrets()
  for (const secret of [
    options.apiKey,
    options.apiSecret,
    options.otp,
    options.tokens?.accessToken,
    options.tokens?.refreshToken,
  ])
    secrets.add(secret)
  const transport = createTransport(
    {
      baseUrl: options.baseUrl,
      language: options.language ?? 'en',
      connections: options.connections ?? 8,
      deadlineMs: options.deadlineMs ?? 60_000,
      maxBodyBytes: options.maxBodyBytes ?? 64 * 1024 * 1024,
      dispatcher: options.dispatcher,
    },
    effects,
  )
  const throttle = createThrottle({ maxRps: options.maxRps ?? 10 }, effects)
  const sender = createSender({ transport, throttle, secrets }, options, effects)
  const credentials = { apiKey: options.apiKey ?? '', apiSecret: options.apiSecret ?? '' }
  const session = createSession(
    createAuth(sender, credentials, secrets, effects),
    {
      hasKey: Boolean(options.apiKey && options.apiSecret),
      otp: options.otp,
      kept: options.tokens,
      onTokens: options.onTokens ?? (() => undefined),
    },
    secrets,
    effects,
  )
  const dialect = createDialect(options.pageSizes ?? {})
  const read = createReader({ sender, session, dialect, secrets })

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
    session,
    pageSizeFor: (endpoint) => dialect.pageSizeFor(endpoint),
    stats: () => ({ ...sender.counts(), rate: throttle.rate(), pausedMs: throttle.pausedMs() }),
    close: () => transport.close(),
  }
}
