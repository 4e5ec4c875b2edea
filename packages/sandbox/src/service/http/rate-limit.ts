import type { Effects } from 'candlehouse-foundation/effects'

/** Requests of a client in the current window. */
export interface Standing {
  limit: number
  remaining: number
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number
  exceeded: boolean
}

const OUT_OF_THE_WAY = { limit: 100_000, windowSeconds: 1 }

/** Counts requests in fixed windows of the real clock. */
export class RateWindow {
  private start = Number.NEGATIVE_INFINITY
  private used = 0

  constructor(
    private readonly rule: { limit: number; windowSeconds: number } = OUT_OF_THE_WAY,
    private readonly effects: Effects,
  ) {}

  take(): Standing {
    const now = this.effects.now()
    const length = this.rule.windowSeconds * 1000
    if (now >= this.start + length || now < this.start) {
      this.start = now
      this.used = 0
    }
    const exceeded = this.used >= this.rule.limit
    if (!exceeded) this.used++
    return {
      limit: this.rule.limit,
      remaining: this.rule.limit - this.used,
      resetSeconds: Math.max(1, Math.ceil((this.start + length - now) / 1000)),
      exceeded,
    }
  }
}
