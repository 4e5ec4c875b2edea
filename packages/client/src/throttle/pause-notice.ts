import type { Effects } from 'candlehouse-foundation/effects'
import { exchangeTime } from 'candlehouse-foundation/market/day'

/** Milliseconds. Shorter pauses belong to the pace of a run. */
const LONG_PAUSE_MS = 10_000

/**
 * Shows each long pause once, with its reason and its end. Pauses overlap, since all workers meet the same outage: one is
 * shown again only when its end moves by more than a long pause.
 */
export class PauseNotice {
  /** End of the latest pause shown, milliseconds of the monotonic clock. */
  private shownUntil = Number.NEGATIVE_INFINITY

  constructor(private readonly effects: Effects) {}

  /** @param ms how long nothing is sent, from now on */
  show(reason: string, ms: number): void {
    const { effects } = this
    const until = effects.monotonic() + ms
    if (ms <= LONG_PAUSE_MS || until - this.shownUntil <= LONG_PAUSE_MS) return
    this.shownUntil = until
    const seconds = Math.round(ms / 1000)
    effects.log.warn(
      `${reason}: waiting ${seconds} s, until ${exchangeTime(effects.now() + ms)} exchange time`,
    )
  }
}
