import type { Grade, Tokens } from '../contract.js'
import { member } from '../page/envelope.js'

/**
 * Reads a Token object (docs/brokerage-api.md#token), also inside `data`; undefined when there is no access
 * token in it. Expiries are seconds or milliseconds by magnitude (docs/market-facts.md#token-expiry: seconds
 * live), moved into our clock by the difference to the service's.
 *
 * @param clock our now and the service's, epoch milliseconds
 * @param former tokens a refresh replaces: values that the answer does not have stay
 */
export function readTokens(
  value: unknown,
  clock: { now: number; server: number },
  grade: Grade,
  former?: Tokens,
): Tokens | undefined {
  const holder = member(value, 'accessToken') === undefined ? member(value, 'data') : value
  const accessToken = word(member(holder, 'accessToken'))
  if (!accessToken) return undefined
  const skew = clock.server - clock.now
  const instant = (name: string): number | undefined => {
    const expiry = epochMs(member(holder, name))
    // A token that is new and expired is a wrong clock somewhere: then a 401 of the service decides.
    return expiry !== undefined && expiry - skew > clock.now ? expiry - skew : undefined
  }
  return {
    accessToken,
    refreshToken: word(member(holder, 'refreshToken')) ?? former?.refreshToken,
    expiresAt: instant('expiresAt'),
    refreshExpiresAt: instant('refreshExpiresAt') ?? former?.refreshExpiresAt,
    grade,
    obtainedAt: clock.now,
  }
}

/** One minute, and for short-lived tokens a fifth of their life: renewed before a request can meet the end. */
export function renewAt(tokens: Tokens): number {
  if (tokens.expiresAt === undefined) return Number.POSITIVE_INFINITY
  return tokens.expiresAt - Math.min(60_000, (tokens.expiresAt - tokens.obtainedAt) / 5)
}

/** Header values hold no control characters; a value with anything else is not a token. */
function word(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined
}

function epochMs(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return undefined
  return number < 1e12 ? number * 1000 : number
}
