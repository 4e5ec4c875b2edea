// A fixed window per key, and what the headers say about it.

import type { StandInOptions } from './options.js'

export interface RateVerdict {
  refused: boolean
  headers: Record<string, string>
}

export const rateGate = (options: StandInOptions): (() => RateVerdict) => {
  let start = Number.NEGATIVE_INFINITY
  let used = 0
  return () => {
    const rule = options.rateLimit
    if (!rule) return { refused: false, headers: {} }
    const now = options.now()
    if (now - start >= rule.windowMs) {
      start = now
      used = 0
    }
    used += 1
    const left = start + rule.windowMs - now
    const seconds = String(Math.ceil(left / 1000))
    const stamp = { delta: seconds, s: String(Math.ceil((now + left) / 1000)), ms: String(now + left) }
    const refused = used > rule.limit
    return {
      refused,
      headers: {
        'X-RATELIMIT-LIMIT': String(rule.limit),
        'X-RATELIMIT-REMAINING': String(Math.max(0, rule.limit - used)),
        'X-RATELIMIT-RESET': stamp[rule.reset ?? 'delta'],
        ...(refused && rule.retryAfter ? { 'Retry-After': seconds } : {}),
      },
    }
  }
}
