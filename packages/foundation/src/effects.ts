import { setTimeout as wait } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { heardByMany } from './on-abort.js'

/** One line of progress or warning for the person who runs this; never data, never a secret. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
}

/** Who answers requests: other programs, or a service in this process. */
export interface Network {
  /** Of the requests to the brokerage. @default connections of each client's own */
  readonly dispatcher?: Dispatcher
  /** Of all other requests: to a bucket, a webhook. */
  fetch(request: Request): Promise<Response>
}

/**
 * Everything outside that makes two runs differ, except for the disk, which only the warehouse writes. It is passed as the last
 * argument, so that tests use a fake clock and never sleep. Only this file uses the globals behind it.
 */
export interface Effects {
  /** Epoch milliseconds of the wall clock, which may be set back or forward at any moment: for stamps only. */
  now(): number
  /** Milliseconds since some start; never goes back. Waits, deadlines and durations are measured with it. */
  monotonic(): number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs something once, after `ms`, unless the function that it returns is called first. For deadlines of other work. */
  after(ms: number, run: () => void): () => void
  /** Uniform in [0, 1). */
  random(): number
  network: Network
  log: Log
}

export const silentLog: Log = { debug() {}, info() {}, warn() {} }

export const systemEffects: Effects = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      if (signal) heardByMany(signal)
      await wait(ms, undefined, signal ? { signal } : undefined)
    } catch (error) {
      // Node rejects with an AbortError of its own.
      throw signal?.aborted ? signal.reason : error
    }
  },
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
  network: { fetch: (request) => fetch(request) },
  log: silentLog,
}
