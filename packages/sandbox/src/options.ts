import type { Day } from 'candlehouse-foundation/market/day'
import type { MarketEvents } from './market/world/market-events.js'
import type { FaultPlan } from './planned-faults.js'

/** A value the service answers instead of the computed one, as after a correction at the exchange. */
export interface Restatement {
  symbol: string
  /** `YYYY-MM-DD` for daily records, `YYYY-MM-DD HH:mm:ss` for an intraday candle. */
  tradingDate: string
  field: string
  value: string | null
  /** Only for endpoints whose path ends with this text; for all endpoints when absent. */
  route?: string
}

export type DateFormat = 'YYYY/MM/DD' | 'DD/MM/YYYY' | 'iso'

export interface SandboxOptions extends MarketEvents {
  /** @default 0: any free port on loopback */
  port?: number
  /** The sandbox's today; its clock stops at 18:00 UTC+7 unless `now` is given. @default the real today */
  date?: Day
  /** Epoch milliseconds at which the market's clock is stopped. Tokens and rate limits use the real clock. */
  now?: number
  /** Time of day (`HH:mm`, UTC+7) at which the clock is stopped on `date`. @default '18:00' */
  at?: string
  /** Runs the scripted trading day of `date` and stops the clock at this time (`HH:mm`). @default no script */
  trade?: string
  /**
   * Opens `/sandbox/clock`, `/sandbox/smart-otp` and `/sandbox/cash`, which move the clock, answer Smart OTP requests, and pay money in
   * and out.
   * @default false
   */
  drive?: boolean
  /** The participants go on trading on every session that the clock reaches. @default false: up to `date` only */
  ongoing?: boolean
  /**
   * How the service answers: as specified, or as live deployments differ
   * (docs/market-facts.md#live-deployments). @default 'spec'
   */
  dialect?: 'spec' | 'live'
  /** What balances and PP/MMR write for the suffixes of the specification. @default `Broker`, `Depository` */
  fieldSuffixes?: { broker: string; depository: string }
  /** The account's public key, PEM or .NET XML: then X-Signature is verified. @default only looked at */
  publicKey?: string
  /** How many API keys it serves, 1 to 3: each reads the accounts of a client of its own. @default 1 */
  keys?: number
  /** Whether a Smart OTP is approved at its second poll or waits for `/sandbox/smart-otp`. @default 'auto' */
  smartOtp?: 'auto' | 'manual'
  /**
   * Whether the demo one-time password works once, as real ones do. Others are sent on request.
   * @default false
   */
  singleUseOtp?: boolean
  /** Called with one line per request, after its answer: no header, no body, no secret. @default no log */
  log?: (line: string) => void
  /** Called with each one-time password that is sent, in place of a phone. */
  onOtp?: (otp: string) => void
  /** About 70 or about 1,700 listed instruments. @default 'demo' */
  universe?: 'demo' | 'full'
  /** Another seed is another market. @default 1 */
  seed?: number
  /** VND that the margin account has borrowed at the start: the more, the nearer it is to a margin call. @default 60,000,000 */
  marginLoan?: number
  /** Per cent of its assets, to a tenth: below the first the broker calls the margin account for money, below the second it sells. @default 40, 30 */
  marginRatios?: { call: number; sell: number }
  /**
   * Orders that trade at the market's best price move it, and are in candles and summaries. @default false: the market of a seed is
   * the same whatever is ordered
   */
  impact?: boolean
  /** Per cent of the value of a share that is lent on it, by symbol, in place of the usual list: 0 to 50. @default the usual list */
  lending?: Readonly<Record<string, number>>
  /**
   * Time of day (`HH:mm`) at which, on `date` and later sessions, the broker begins to sell the shares of an account that is in
   * FORCESELL. @default nothing is sold
   */
  forcedSale?: string
  /**
   * Reference prices as measured on real days: on a third of the sessions a fifth of the stocks and funds differ by a tick from
   * what the exchange set. @default false
   */
  referenceNoise?: boolean
  /** Added to every answer. @default 0 */
  latencyMs?: number
  /** Larger pages are silently cut to this many rows. @default 2,000: a page of 100,000 rows would block all others for seconds */
  pageCap?: number
  /** Larger pages are refused with 400. @default none */
  pageSizeRefusedAbove?: number
  /** How `tradingDate` is written. @default 'YYYY/MM/DD', as the specification's dates */
  dateFormat?: DateFormat
  /** @default 100,000 requests a second: the headers are there, the limit is out of the way */
  rateLimit?: { limit: number; windowSeconds: number }
  /** @default 'oldest' */
  ohlcOrder?: 'oldest' | 'newest'
  /** Whether candle pages carry itemsCount and pageCount. @default true, as the specification shows */
  ohlcCounts?: boolean
  /** Empty results as `[]` or an empty envelope, or as 200 `{"code":204}` (seen live). @default 'envelope' */
  emptyAs?: 'envelope' | 'code204'
  /** @default 28,800: a working day */
  tokenTtlSeconds?: number
  /** Planned faults to begin with; `POST /sandbox/faults` replaces them. */
  faults?: FaultPlan
  /** Values that were corrected. */
  restate?: readonly Restatement[]
}

/** An API key and its secret. */
export interface SandboxKey {
  readonly apiKey: string
  readonly apiSecret: string
}

/** A running sandbox. The credentials are documented demo values. */
export interface RunningSandbox {
  url: string
  apiKey: string
  apiSecret: string
  otp: string
  /** Every key with its secret, the first one above included. */
  keys: readonly SandboxKey[]
  close(): Promise<void>
  /** Requests received so far, refused ones included. */
  requests(): number
}

/** Time of the last actions of the scripted day: at 14:20:00 their orders are still on their way. */
export const SHOWCASE_ENDS = '14:20'

/** How many API keys it can serve: one per client. */
export const MOST_KEYS = 3

export const DEMO_API_KEY = 'sandbox-key'
export const DEMO_API_SECRET = 'sandbox-secret'
export const DEMO_OTP = '246810'
/** For `code` of conditional orders. */
export const DEMO_PIN = '1357'
