import type { Effects } from 'candlehouse-foundation/effects'
import { createRate, type Rate } from './adaptive-rate.js'
import { PauseNotice } from './pause-notice.js'
import { waitOf } from './retry-after.js'

/** The part of an answer that concerns limits. Header names in lower case. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Epoch milliseconds of the wall clock, which a stated instant is compared with. */
  readonly receivedAt: number
}

/** Permission to send one request. `startedAt`: when it was given, milliseconds of the monotonic clock. */
export interface Ticket {
  readonly startedAt: number
}

/** Milliseconds, 0 for none. `isStated`: the service said how long. */
export interface Pause {
  readonly ms: number
  readonly isStated: boolean
}

const NO_PAUSE: Pause = { ms: 0, isStated: false }

/**
 * Shared by all workers. It runs on the monotonic clock: with the wall clock, a clock that was set back one hour stopped
 * every request for that hour. The limit is per API key (docs/market-facts.md#rate-limit).
 */
export interface Throttle {
  /** Resolves when a request may start. Rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<Ticket>
  /** Learns from an answer. @returns how long all workers pause because of it */
  observe(ticket: Ticket, reply: Reply): Pause
  /** Requests per second that are allowed now. */
  rate(): number
  /** Milliseconds of pauses so far. */
  pausedMs(): number
}

export interface ThrottleOptions {
  /** Most requests per second, even if the headers allow more; Infinity for none (embedded sandbox). */
  readonly maxRps: number
  /** Milliseconds. @default 900_000; a reset in 2099 must not end the run. Never applied to Retry-After. */
  readonly maxResetMs?: number
}

/** First pause after a 429 without a wait time, and after REMAINING 0 without a readable reset. */
const BASE_PAUSE_MS = 1000
const MAX_JITTER_MS = 60_000

/** Timers fire up to this much late or early. Without this allowance high rates are never reached. */
const TIMER_SLACK_MS = 4

/** @param notice where its pauses are shown; one of its own by default */
export function createThrottle(
  options: ThrottleOptions,
  effects: Effects,
  notice: PauseNotice = new PauseNotice(effects),
): Throttle {
  return new SharedThrottle(options, notice, effects)
}

class SharedThrottle implements Throttle {
  private readonly maxResetMs: number
  private readonly adaptiveRate: Rate
  /** When the latest request was due, milliseconds of the monotonic clock. */
  private lastSlot = Number.NEGATIVE_INFINITY
  private pausedUntil = Number.NEGATIVE_INFINITY
  private totalPausedMs = 0
  /** 429s since the last success. */
  private strikes = 0
  private halvedAt = Number.NEGATIVE_INFINITY
  /** Settles when the latest caller in the queue has its ticket. */
  private queueEnd: Promise<unknown> = Promise.resolve()

  constructor(
    { maxRps, maxResetMs }: ThrottleOptions,
    private readonly notice: PauseNotice,
    private readonly effects: Effects,
  ) {
    this.maxResetMs = maxResetMs ?? 15 * 60_000
    this.adaptiveRate = createRate(maxRps)
  }

  take(signal?: AbortSignal): Promise<Ticket> {
    const ticket = this.queueEnd.then(() => this.waitTurn(signal))
    this.queueEnd = ticket.catch(() => undefined)
    return ticket
  }

  observe(ticket: Ticket, reply: Reply): Pause {
    const retryAfter = waitOf(reply.headers['retry-after'], {
      receivedAt: reply.receivedAt,
      date: reply.headers.date,
    })
    if (reply.status === 429) return this.tooManyRequests(ticket, reply, retryAfter)
    if (reply.status >= 500)
      return retryAfter ? this.pause(retryAfter, `HTTP ${reply.status} with Retry-After`) : NO_PAUSE
    if (reply.status >= 400) return NO_PAUSE
    this.strikes = 0
    this.adaptiveRate.succeeded()
    if (reply.headers['x-ratelimit-remaining']?.trim() === '0')
      return this.pause(this.resetOf(reply) ?? BASE_PAUSE_MS, 'X-RATELIMIT-REMAINING 0')
    return NO_PAUSE
  }

  rate(): number {
    return this.adaptiveRate.current()
  }

  pausedMs(): number {
    return this.totalPausedMs
  }

  private async waitTurn(signal: AbortSignal | undefined): Promise<Ticket> {
    let sleptUntil = Number.NEGATIVE_INFINITY
    for (;;) {
      signal?.throwIfAborted()
      // Time that was slept counts, even when a clock stands still or a timer fires early.
      const now = Math.max(this.effects.monotonic(), sleptUntil)
      const due = Math.max(this.pausedUntil, this.lastSlot + 1000 / this.adaptiveRate.current())
      if (now >= due) {
        this.lastSlot = now - due <= TIMER_SLACK_MS ? due : now
        this.adaptiveRate.started(now)
        return { startedAt: now }
      }
      await this.effects.sleep(due - now, signal)
      sleptUntil = due
    }
  }

  private tooManyRequests({ startedAt }: Ticket, reply: Reply, retryAfter: number | undefined): Pause {
    const { effects } = this
    // Answers to the same burst count once: only a request that started after the last halving halves again.
    if (startedAt > this.halvedAt) {
      this.adaptiveRate.halve(effects.monotonic())
      this.halvedAt = Math.max(effects.monotonic(), startedAt)
      this.strikes++
    }
    if (retryAfter) return this.pause(retryAfter, 'HTTP 429 with Retry-After')
    const reset = this.resetOf(reply)
    if (reset) return this.pause(reset, 'HTTP 429 with X-RATELIMIT-RESET')
    const longest = Math.min(MAX_JITTER_MS, BASE_PAUSE_MS * 2 ** (this.strikes - 1))
    return { ...this.pause(effects.random() * longest, 'HTTP 429'), isStated: false }
  }

  private pause(ms: number, why: string): Pause {
    const now = this.effects.monotonic()
    const until = now + ms
    if (until > this.pausedUntil) {
      this.totalPausedMs += until - Math.max(now, this.pausedUntil)
      this.pausedUntil = until
    }
    this.notice.show(`the service limits requests (${why})`, ms)
    return { ms, isStated: true }
  }

  private resetOf(reply: Reply): number | undefined {
    const wait = waitOf(reply.headers['x-ratelimit-reset'], {
      receivedAt: reply.receivedAt,
      date: reply.headers.date,
    })
    return wait ? Math.min(wait, this.maxResetMs) : undefined
  }
}
