import { setTimeout as wait } from 'node:timers/promises'

/** One line of progress or warning for the person who runs this; never data, never a secret. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
}

/**
 * Everything outside that makes two runs differ. It is passed as the last argument, so that tests use a fake clock
 * and never sleep. Only this file uses the globals behind it.
 */
export interface Effects {
  /** Epoch milliseconds of the wall clock, which may be set back or forward at any moment: for stamps only. */
  now(): number
  /** Milliseconds since some start; never goes back. Waits, deadlines and durations are measured with it. */
  monotonic(): number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Uniform in [0, 1). */
  random(): number
  log: Log
}

export const silentLog: Log = { debug() {}, info() {}, warn() {} }

export const systemEffects: Effects = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, signal ? { signal } : undefined)
  },
  random: () => Math.random(),
  log: silentLog,
}
