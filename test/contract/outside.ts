import { setTimeout as wait } from 'node:timers/promises'

/** What the suite needs of the world, so that its own tests need no time and no network. */
export interface Outside {
  fetch: typeof fetch
  /** Epoch milliseconds. */
  now(): number
  sleep(ms: number): Promise<void>
  /** Aborts after so many milliseconds. */
  deadline(ms: number): AbortSignal
}

export const realOutside: Outside = {
  fetch: (input, init) => fetch(input, init),
  now: () => Date.now(),
  sleep: async (ms) => {
    await wait(ms)
  },
  deadline: (ms) => AbortSignal.timeout(ms),
}
