import { type Effects, silentLog } from '../../../src/effects.js'

export interface FakeEffects extends Effects {
  /** Milliseconds of every sleep, in order. */
  readonly slept: number[]
  advance(ms: number): void
}

/** A clock that only sleeping moves. */
export function fakeEffects(start = Date.UTC(2025, 0, 2, 10), random = 0.5): FakeEffects {
  let now = start
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      now += ms
    },
    random: () => random,
    log: silentLog,
    advance: (ms) => {
      now += ms
    },
  }
}
