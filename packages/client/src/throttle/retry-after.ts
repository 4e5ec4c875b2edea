/** The clock that a wait is measured with: the service's clock if it sends one, else ours. */
export interface WaitBase {
  /** Epoch milliseconds, our clock, when the answer arrived. */
  readonly receivedAt: number
  /** The answer's `Date` header. */
  readonly date: string | undefined
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /

/**
 * Milliseconds to wait by a `Retry-After` or `X-RATELIMIT-RESET` value, never negative. The specification does
 * not say what the reset counts, so magnitude decides: below 1e9 seconds from now, below 1e12 epoch seconds,
 * else epoch milliseconds; instants are compared with the service's own `Date`, since clocks differ. Undefined
 * for anything else (negative, words).
 */
export function waitOf(value: string | undefined, base: WaitBase): number | undefined {
  const text = value?.trim() ?? ''
  const serverNow = serverClock(base)
  if (/^\d{1,16}(\.\d+)?$/.test(text)) {
    const number = Number(text)
    if (number < 1e9) return number * 1000
    return Math.max(0, (number < 1e12 ? number * 1000 : number) - serverNow)
  }
  if (!HTTP_DATE.test(text)) return undefined
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - serverNow)
}

/** Epoch milliseconds by the service's clock, ours when it sends no readable time. */
export function serverClock(base: WaitBase): number {
  return readHttpDate(base.date) ?? base.receivedAt
}

/** Epoch milliseconds of a `Date` header; undefined when it is absent or not a date of HTTP. */
export function readHttpDate(text: string | undefined): number | undefined {
  const instant = text && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}
