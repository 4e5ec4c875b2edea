/** Retries of a whole run: a long outage must end in a bounded number of requests. */
export interface RetryBudget {
  /** Takes one; false when none is left. */
  take(): boolean
  /** A success gives a little back, so that a long run with rare faults never runs dry. */
  refill(): void
  left(): number
}

/** Ten successes pay for one retry: a service that fails more often than that is out of order. */
const REFILL = 0.1

export function createRetryBudget(capacity: number): RetryBudget {
  let left = capacity
  return {
    take() {
      if (left < 1) return false
      left -= 1
      return true
    },
    refill() {
      left = Math.min(capacity, left + REFILL)
    },
    left: () => Math.floor(left),
  }
}
