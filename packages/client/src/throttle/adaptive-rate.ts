/** Requests a second that are allowed now: halved on a 429, raised gently by successes (AIMD). */
export interface Rate {
  /** Infinity when unbounded. */
  current(): number
  started(at: number): void
  succeeded(): void
  halve(at: number): void
}

/** Never slower than one request in two seconds by halving alone; waits come from headers. */
const SLOWEST = 0.5

/** The rate recovers soon after two halvings: +0.5 requests/s per second, or 5 % if that is more. */
const RISE = 0.5
const RISE_SHARE = 0.05

/** @param ceiling requests a second, Infinity for none */
export function createRate(ceiling: number): Rate {
  let current = ceiling
  let second = 0
  let inSecond = 0
  let lastSecond = 0
  return {
    current: () => current,
    started(at) {
      const now = Math.floor(at / 1000)
      if (now !== second) {
        lastSecond = now === second + 1 ? inSecond : 0
        second = now
        inSecond = 0
      }
      inSecond++
    },
    succeeded() {
      if (current === ceiling) return
      current = Math.min(ceiling, current + Math.max(RISE, RISE_SHARE * current) / Math.max(1, current))
    },
    halve(at) {
      // An unlimited rate cannot be halved: the measured rate is used instead.
      const now = Math.floor(at / 1000)
      const measured = Math.max(1, now === second ? Math.max(inSecond, lastSecond) : inSecond)
      const base = Number.isFinite(current) ? current : measured
      current = Math.max(SLOWEST, base / 2)
    },
  }
}
