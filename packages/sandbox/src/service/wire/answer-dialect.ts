import type { SandboxOptions } from '../../options.js'

/**
 * How live deployments differ from the specification (docs/market-facts.md#live-deployments), as the sandbox
 * shows it with `--dialect live`. Options that are given explicitly still win.
 */
export interface Dialect {
  readonly name: 'spec' | 'live'
  readonly ohlcOrder: 'oldest' | 'newest'
  readonly ohlcCounts: boolean
  readonly emptyAs: 'envelope' | 'code204'
  /** A bare `YYYY/MM/DD` is refused for candles, code 400213. */
  readonly refusesBareDays: boolean
  /** masterdata names the exchange `board`. */
  readonly masterdataBoard: 'exchange' | 'board'
  /** Fields that the specification does not have: foreign totals, limits, a stock type. */
  readonly extraFields: boolean
  /** Some numbers as `"1234.0"`, with thousands separators, or as JSON numbers. */
  readonly oddNumbers: boolean
  /** What does not apply to a security, such as a stock's open interest, is null; an empty text otherwise. */
  readonly nullFields: boolean
  /** The second page of the order book begins with the last row of the first. */
  readonly ordersOverlap: boolean
  /** `wavering`: counts of remaining requests are not in order, and a 401 has no reset header. */
  readonly rateHeaders: 'steady' | 'wavering'
  readonly rateLimit: { limit: number; windowSeconds: number } | undefined
}

export function dialectOf(options: SandboxOptions): Dialect {
  const live = options.dialect === 'live'
  return {
    name: options.dialect ?? 'spec',
    ohlcOrder: options.ohlcOrder ?? (live ? 'newest' : 'oldest'),
    ohlcCounts: options.ohlcCounts ?? !live,
    emptyAs: options.emptyAs ?? (live ? 'code204' : 'envelope'),
    refusesBareDays: live,
    masterdataBoard: live ? 'board' : 'exchange',
    extraFields: live,
    oddNumbers: live,
    nullFields: live,
    ordersOverlap: live,
    rateHeaders: live ? 'wavering' : 'steady',
    // "A limit of 100 was seen"; its cycle was not: ten seconds fit the ten requests a second of the operator's
    // client.
    rateLimit: options.rateLimit ?? (live ? { limit: 100, windowSeconds: 10 } : undefined),
  }
}
