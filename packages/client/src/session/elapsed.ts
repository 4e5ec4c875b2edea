import type { Effects } from 'candlehouse-foundation/effects'

/**
 * One moment by both clocks. The wall clock can be set while a run lasts; the monotonic clock of some systems stands still
 * while the machine sleeps. Neither alone shows how old a token is.
 */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number
  /** Milliseconds of the monotonic clock. */
  readonly monotonic: number
}

export function momentOf(effects: Effects): Moment {
  return { now: effects.now(), monotonic: effects.monotonic() }
}

/** Now, as the wall clock would show it if nobody had set it since `from`, epoch milliseconds: within these bounds. */
export function nowSince(
  from: Moment,
  effects: Effects,
): { readonly earliest: number; readonly latest: number } {
  const wall = effects.now()
  const steady = from.now + (effects.monotonic() - from.monotonic)
  return { earliest: Math.min(wall, steady), latest: Math.max(wall, steady) }
}
