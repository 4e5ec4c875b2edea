import { VN30_BASE } from './derivatives.js'
import { noise } from './hash.js'

/**
 * The level a path moves along: a pure function of (path, session), so that any day costs the same and no
 * chain has to be rolled forward. The amplitudes bound one session's move: lively names by 4.0 %, calm ones
 * by 2.1 % and by 5 % over the five sessions that can pass without a trade. That is what lets a close be
 * read off the level and still lie inside the band around the close before it.
 */

/** Yearly drift that makes up for what dividends take off, per session. */
const DRIFT = 0.0002

/** Logarithm of the level relative to the base price, without corporate actions. */
export function logLevel(path: number, calm: boolean, session: number, market: number): number {
  const shared = noise(market, session, 8)
  const ownPart = calm
    ? 0.1 * noise(path, session, 64) + 0.01 * noise(path, session, 16) + 0.007 * noise(path, session, 1)
    : 0.15 * noise(path, session, 64) +
      0.04 * noise(path, session, 16) +
      0.012 * noise(path, session, 4) +
      0.01 * noise(path, session, 1)
  return ownPart + (calm ? 0.01 : 0.018) * shared + DRIFT * session
}

/**
 * A contract trades about the index, dearer the further its delivery.
 *
 * @param index level of the VN30 index as a multiple of its base
 */
export function futuresLevel(index: number, path: number, session: number, expires: number): number {
  const carry = Math.min(0.01, Math.max(0, expires - session) * 0.00005)
  return VN30_BASE * index * Math.exp(carry + 0.002 * noise(path, session, 1))
}
