import { type Effects, silentLog, systemEffects } from 'candlehouse-foundation/effects'

export interface FakeEffects extends Effects {
  /** Milliseconds of every sleep, in order. */
  readonly slept: number[]
  /** Lines that were shown as warnings. */
  readonly warnings: string[]
  /** Moves both clocks. */
  advance(ms: number): void
  /** Sets the wall clock: the monotonic clock does not notice. */
  step(ms: number): void
}

/** A clock that only sleeping moves. */
export function fakeEffects(start = Date.UTC(2025, 0, 2, 10), random = 0.5): FakeEffects {
  let now = start
  let step = 0
  const warnings: string[] = []
  const slept: number[] = []
  return {
    ...systemEffects,
    slept,
    warnings,
    now: () => now + step,
    monotonic: () => now - start,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
    },
    random: () => random,
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
    advance: (ms) => {
      now += ms
    },
    step: (ms) => {
      step += ms
    },
  }
}
