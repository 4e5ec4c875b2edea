import type { Effects } from '../../effects.js'
import { createRate } from './adaptive-rate.js'
import { waitOf } from './retry-after.js'

/** What a response shows about limits. Header names in lower case. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/** A place in the queue: when the request was let go, epoch milliseconds. */
export interface Ticket {
  readonly startedAt: number
}

/** Milliseconds, 0 for none; `isStated` when the service stated how long. */
export interface Pause {
  readonly ms: number
  readonly isStated: boolean
}

const NO_PAUSE: Pause = { ms: 0, isStated: false }

/** One for all workers: the limit is per API key (docs/market-facts.md#rate-limit). */
export interface Throttle {
  /** Resolves when a request may start. Rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<Ticket>
  /** Learns from an answer: how long all workers now pause because of it. */
  observe(ticket: Ticket, reply: Reply): Pause
  /** Requests a second now allowed. */
  rate(): number
  /** Milliseconds of pauses so far. */
  pausedMs(): number
}

export interface ThrottleOptions {
  /** Requests a second at most, whatever the headers allow; Infinity for none (embedded sandbox). */
  readonly maxRps: number
  /** Milliseconds. @default 900_000; a reset in 2099 must not end the run. Never applied to Retry-After. */
  readonly maxResetMs?: number
}

/** A 429 that says nothing, and REMAINING 0 without a readable reset: from one second on. */
const BASE_PAUSE_MS = 1000
const MAX_JITTER_MS = 60_000

/** Timers fire up to this much late or early; without it high rates fall behind. */
const TIMER_SLACK_MS = 4

export function createThrottle(options: ThrottleOptions, effects: Effects): Throttle {
  const maxResetMs = options.maxResetMs ?? 15 * 60_000
  const rate = createRate(options.maxRps)
  let slot = Number.NEGATIVE_INFINITY
  let pausedUntil = 0
  let pausedMs = 0
  let strikes = 0
  let halvedAt = Number.NEGATIVE_INFINITY
  let turn: Promise<unknown> = Promise.resolve()

  const waitTurn = async (signal: AbortSignal | undefined): Promise<Ticket> => {
    let slept = Number.NEGATIVE_INFINITY
    for (;;) {
      signal?.throwIfAborted()
      // What was slept through counts, even where a clock stands still or a timer fires early.
      const now = Math.max(effects.now(), slept)
      const from = Math.max(pausedUntil, slot + 1000 / rate.current())
      if (now >= from) {
        slot = now - from <= TIMER_SLACK_MS ? from : now
        rate.started(now)
        return { startedAt: now }
      }
      await effects.sleep(from - now, signal)
      slept = from
    }
  }

  const pause = (ms: number, isStated: boolean): Pause => {
    const now = effects.now()
    const until = now + ms
    if (until > pausedUntil) {
      pausedMs += until - Math.max(now, pausedUntil)
      pausedUntil = until
    }
    return { ms, isStated }
  }

  const resetOf = (reply: Reply): number | undefined => {
    const wait = waitOf(reply.headers['x-ratelimit-reset'], {
      receivedAt: reply.receivedAt,
      date: reply.headers.date,
    })
    return wait ? Math.min(wait, maxResetMs) : undefined
  }

  return {
    take(signal) {
      const ticket = turn.then(() => waitTurn(signal))
      turn = ticket.catch(() => undefined)
      return ticket
    },

    observe(ticket, reply) {
      const retryAfter = waitOf(reply.headers['retry-after'], {
        receivedAt: reply.receivedAt,
        date: reply.headers.date,
      })
      if (reply.status === 429) {
        // Answers to one burst count once: only a request that started after the last halving halves again.
        if (ticket.startedAt > halvedAt) {
          rate.halve(effects.now())
          halvedAt = Math.max(effects.now(), ticket.startedAt)
          strikes++
        }
        if (retryAfter) return pause(retryAfter, true)
        const reset = resetOf(reply)
        if (reset) return pause(reset, true)
        return pause(effects.random() * Math.min(MAX_JITTER_MS, BASE_PAUSE_MS * 2 ** (strikes - 1)), false)
      }
      if (reply.status >= 500) return retryAfter ? pause(retryAfter, true) : NO_PAUSE
      if (reply.status >= 400) return NO_PAUSE
      strikes = 0
      rate.succeeded()
      if (reply.headers['x-ratelimit-remaining']?.trim() === '0')
        return pause(resetOf(reply) ?? BASE_PAUSE_MS, true)
      return NO_PAUSE
    },

    rate: () => rate.current(),
    pausedMs: () => pausedMs,
  }
}
