// The suite's own way to the service: fetch and nothing else, so that no misreading of ours is shared. It waits where the service
// asks for it, repeats reads that failed on the way, and never repeats a write.

import type { Outside } from './outside.js'
import { Stopped, TryAgain } from './stopped.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: unknown
}

export interface Manners {
  /** Milliseconds between the beginnings of two requests. */
  readonly pauseMs: number
  /** Milliseconds until a request is given up. */
  readonly timeoutMs: number
  /** Milliseconds that one request may be waited for in all. */
  readonly patienceMs: number
}

/** How a request may be repeated: `read` after any fault; `login` and `write` only where the service did not take it (429). */
export type Kind = 'read' | 'login' | 'write'

/** What a run sent and how long it waited. */
export interface Sent {
  /** By method and path. */
  readonly requests: Map<string, number>
  /** Waits that the service asked for, by reason, in milliseconds. */
  readonly waits: Map<string, number>
}

const FIRST_WAIT_MS = 1_000
const LONGEST_GUESS_MS = 60_000
const LONGEST_RESET_MS = 15 * 60_000
/** Attempts of a read that failed on the way. */
const ATTEMPTS = 5
const GATEWAY = new Set([502, 503, 504])

export class Sender {
  readonly sent: Sent = { requests: new Map(), waits: new Map() }
  private nextAt = 0

  constructor(
    private readonly base: string,
    private readonly manners: Manners,
    private readonly outside: Outside,
  ) {}

  /** @throws Stopped when the service gives no answer · TryAgain after the wait of a write that was refused with 429 */
  async send(kind: Kind, method: string, path: string, init: RequestInit): Promise<Answer> {
    const { outside, manners } = this
    const begun = outside.now()
    for (let attempt = 1; ; attempt++) {
      const answer = await this.once(method, path, init)
      const reason = reasonToWait(answer, kind, attempt)
      if (reason === undefined) return answer as Answer
      // A write that the service may have taken is not sent again, and a login may have used up its password.
      if (reason !== 'rate limit' && kind !== 'read')
        throw new Stopped(
          `${method} ${path}: ${reason}, so it is not known whether it took effect`,
          'service',
        )
      if (reason !== 'rate limit' && attempt >= ATTEMPTS)
        throw new Stopped(`${method} ${path}: ${reason}, ${attempt} times`, 'service')
      const ms = waitOf(answer, attempt, outside.now())
      if (outside.now() + ms - begun > manners.patienceMs)
        throw new Stopped(
          `${method} ${path}: ${reason}, and a wait of ${Math.ceil(ms / 1000)} s exceeds --patience`,
          'service',
        )
      await this.wait(ms, reason)
      if (kind === 'write') throw new TryAgain(`${method} ${path} was refused with 429`)
    }
  }

  private async once(method: string, path: string, init: RequestInit): Promise<Answer | string> {
    const { outside, manners, base } = this
    const pause = this.nextAt - outside.now()
    if (pause > 0) await outside.sleep(pause)
    this.nextAt = outside.now() + manners.pauseMs
    const name = `${method} ${path.split('?', 1)[0]}`
    this.sent.requests.set(name, (this.sent.requests.get(name) ?? 0) + 1)
    try {
      const signal = outside.deadline(manners.timeoutMs)
      const response = await outside.fetch(base + path, { method, redirect: 'error', signal, ...init })
      const text = await response.text()
      const { status, headers } = response
      if (headers.get('x-ratelimit-remaining') === '0') this.pauseUntilReset(headers)
      return { status, headers, text, body: parsed(text) }
    } catch (error) {
      return (error as Error).name === 'TimeoutError' ? 'no answer in time' : 'the connection failed'
    }
  }

  /** A service that has nothing left for us says so before it refuses. */
  private pauseUntilReset(headers: Headers): void {
    const now = this.outside.now()
    const ms = resetMs(headers, now) ?? 0
    this.note('rate limit', ms)
    this.nextAt = Math.max(this.nextAt, now + ms)
  }

  private async wait(ms: number, reason: string): Promise<void> {
    this.note(reason, ms)
    await this.outside.sleep(ms)
  }

  private note(reason: string, ms: number): void {
    if (ms > 0) this.sent.waits.set(reason, (this.sent.waits.get(reason) ?? 0) + ms)
  }
}

/** @returns undefined for an answer that a check can look at */
function reasonToWait(answer: Answer | string, kind: Kind, attempt: number): string | undefined {
  if (typeof answer === 'string') return answer
  if (answer.status === 429) return 'rate limit'
  if (GATEWAY.has(answer.status)) return `HTTP ${answer.status}`
  // Perhaps an accident: asked once more. What comes then is the service's answer.
  if (kind !== 'read' || attempt > 1) return undefined
  if (answer.status === 500) return 'HTTP 500'
  if (answer.status === 200 && answer.body === undefined) return 'a body that is not JSON'
  return undefined
}

function waitOf(answer: Answer | string, attempt: number, now: number): number {
  const guess = Math.min(LONGEST_GUESS_MS, FIRST_WAIT_MS * 2 ** (attempt - 1))
  if (typeof answer === 'string') return guess
  return (
    retryAfterMs(answer.headers, now) ??
    (answer.status === 429 ? resetMs(answer.headers, now) : undefined) ??
    guess
  )
}

/** `Retry-After`: seconds or a date. */
function retryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - serverNow(headers, now))
}

/** `X-RATELIMIT-RESET`: seconds from now, or an instant in seconds or milliseconds; within 15 minutes. */
function resetMs(headers: Headers, now: number): number | undefined {
  const text = headers.get('x-ratelimit-reset')?.trim() ?? ''
  if (!/^\d+$/.test(text)) return undefined
  const value = Number(text)
  const ms = value < 1e9 ? value * 1000 : (value < 1e12 ? value * 1000 : value) - serverNow(headers, now)
  // The year 2099 is no reset: then the wait is guessed.
  return ms > 0 && ms <= LONGEST_RESET_MS ? ms : undefined
}

function serverNow(headers: Headers, now: number): number {
  const at = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(at) ? now : at
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
