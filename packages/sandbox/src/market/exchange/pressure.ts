/** Time in which half of the move that orders have caused is gone, milliseconds. */
const HALF_LIFE_MS = 60_000
/** Ticks that orders can move a price at most. */
const FURTHEST = 5

/** How far orders of the sandbox have moved the prices of a symbol, in ticks: it fades. */
export class Pressure {
  private moved = 0
  private since = Number.NEGATIVE_INFINITY

  /** @param share quantity of a trade over the quantity at the best price: one tick for all of it; negative for a sale */
  add(share: number, now: number): void {
    this.moved = Math.min(FURTHEST, Math.max(-FURTHEST, this.at(now) + share))
    this.since = now
  }

  /** Whole ticks up (or down), now. */
  ticksAt(now: number): number {
    return Math.round(this.at(now)) || 0
  }

  private at(now: number): number {
    return this.moved * 2 ** (-(now - this.since) / HALF_LIFE_MS)
  }
}
