/** Retries of several requests together, of a client or of one page walk: an outage must end in a bounded number of requests. */
export interface RetryBudget {
  /** Takes one retry. @returns false when none is left */
  take(): boolean
  /** A success gives a little back, so that a long run with rare faults never runs dry. */
  refill(): void
  left(): number
}

/** Ten successes pay for one retry: a service that fails more often than that does not work. */
const REFILL = 0.1

export function createRetryBudget(capacity: number): RetryBudget {
  let remaining = capacity
  return {
    take() {
      if (remaining < 1) return false
      remaining -= 1
      return true
    },
    refill() {
      remaining = Math.min(capacity, remaining + REFILL)
    },
    left: () => Math.floor(remaining),
  }
}
