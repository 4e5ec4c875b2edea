/** Types of the brokerage's API for the rest of candlehouse: endpoints, answers, walks. */

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

/** Exactly what goes into the URL, before percent-encoding. */
export type Query = Readonly<Record<string, string>>

/**
 * `rows`: records, or an account object. `empty`: there are no records (`{"code":204}`, HTTP 204,
 * `[]`, an empty `data`). `refused`: an error `{code, msg}` that asking again will not change.
 */
export type Outcome = 'rows' | 'empty' | 'refused'

/** An error body (docs/brokerage-api.md#errors): `code` arrives as a string or a number and is kept as text. */
export interface ApiFault {
  readonly code: string
  /** The service's `msg`, control characters escaped, at most 200 characters. */
  readonly message: string
}

/** Facts of a page about itself and its walk. Counts that arrive as strings are numbers here. */
export interface PageFacts {
  /**
   * Where the records are: a top-level array, a top-level `data` array, or neither (`none`: objects, and the
   * order, conditional order and position lists inside their own envelopes; `rows` counts those too).
   */
  readonly shape: 'array' | 'data' | 'none'
  /** Records on this page, duplicates included. */
  readonly rows: number
  /** Byte range of the text between the brackets of the record list in the body; undefined when not known. */
  readonly list: readonly [start: number, end: number] | undefined
  /** Field names of the first record of a top-level list; null where it is not an object, and for other shapes. */
  readonly fields: readonly string[] | null
  /** Every record has the same fields in the same order, once each, as text or null, and nothing is escaped. */
  readonly plain: boolean
  readonly pageSize: number | undefined
  /** `pageIndex` or `pageNumber`, from 1. */
  readonly pageIndex: number | undefined
  /** `pagesCount` or `pageCount`. */
  readonly pageCount: number | undefined
  /** `itemsCount`, or the order book's `totalRecord`. */
  readonly itemsCount: number | undefined
}

/**
 * One HTTP answer, whole and proven readable: truncation, a bad CRC, HTML, invalid UTF-8 were retried or
 * refused before. A byte order mark is cut off.
 */
export interface Answer {
  readonly endpoint: Endpoint
  /** The query as sent: a refused page size or date form may have been replaced. */
  readonly query: Query
  readonly status: number
  /** HTTP attempts this answer took, from 1; refused page sizes and date forms included. */
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
  /** The service's clock in its `Date` header, epoch milliseconds; undefined when it sent none that can be read. */
  readonly serviceTime?: number | undefined
  /** Decoded JSON bytes; empty for HTTP 204. */
  readonly body: Uint8Array
  /** The gzip bytes as they came over the wire, when they did, so that landing need not compress again. */
  readonly wire: Uint8Array | undefined
  readonly outcome: Outcome
  /** Set when `refused`. */
  readonly error: ApiFault | undefined
  readonly page: PageFacts
}

/** How a walk ended. */
export interface Verdict {
  readonly state: 'complete' | 'empty' | 'incomplete' | 'refused'
  /** Set unless complete or empty. */
  readonly reason: string | undefined
  /** Records received over all pages, duplicates included. */
  readonly rows: number
  /** Of those, records recognised as repeats of the former page (pages that slide). */
  readonly repeated: number
  /** Count of all records, if the service reported one: distinct rows must equal it. */
  readonly expected: number | undefined
  /** Whether the pages shifted between requests: a second walk may close the window. */
  readonly walkAgain: boolean
}

/** A walk between two pages: a plain value. `query` is what to ask next. */
export interface Walk {
  readonly endpoint: Endpoint
  readonly query: Query
  /** Number of the page `query` asks for, from 1. */
  readonly page: number
  /** Rows asked for per page; undefined for endpoints without pages. */
  readonly pageSize: number | undefined
  /** Most distinct rows that all pages together can have: the walk stops there, whatever the service counts. */
  readonly ceiling: number
  readonly rows: number
  readonly repeated: number
  readonly expected: number | undefined
  readonly pageCount: number | undefined
  /** Record text of the former page, to notice repeats. */
  readonly former: Uint8Array | undefined
  /** `query` asks for another page size than the former page did: page counts cannot be compared. */
  readonly resized: boolean
  /** The former page was shorter than asked, and the service counts nothing: it may have been the last. */
  readonly doubtful: boolean
}

export type WalkStep =
  | { readonly next: Walk; readonly closed?: undefined }
  | { readonly next?: undefined; readonly closed: Verdict }

/** Market data needs `market`; accounts and orders need `trading`, a token verified with an OTP. */
export type Grade = 'market' | 'trading'

/** A session as it is stored between runs. Instants are epoch milliseconds in this machine's clock. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Undefined when the service sent none, or an instant in the past. */
  readonly expiresAt: number | undefined
  readonly refreshExpiresAt: number | undefined
  readonly grade: Grade
  readonly obtainedAt: number
}

/** Counts since the client was created. */
export interface ClientStats {
  /** HTTP attempts sent, logins included. */
  readonly requests: number
  /** Of those, attempts after the first. */
  readonly retries: number
  /** Bytes of bodies as they came over the wire. */
  readonly wireBytes: number
  /** Bytes of bodies, decoded. */
  readonly bodyBytes: number
  /** Requests a second now allowed; Infinity when unbounded. */
  readonly rate: number
  /** Milliseconds for which all workers paused. */
  readonly pausedMs: number
  /** Retries left for the run. */
  readonly retryBudget: number
}
