import pRetry from 'p-retry'
import type { Effects } from '../effects.js'
import { ServiceError } from '../errors.js'
import type { Secrets } from '../secrets.js'
import { Fault, type FaultKind, PageFault, UnprovenPageError } from './fault.js'
import { createRetryBudget, type RetryBudget } from './retry-budget.js'
import type { PauseNotice } from './throttle/pause-notice.js'
import type { Pause, Throttle } from './throttle/throttle.js'
import type { HttpRequest, HttpResponse, Transport } from './transport/transport.js'

export interface RetryOptions {
  /** Attempts of one request. @default 9; about a minute of outage. 429s with a wait time do not count. */
  readonly attempts?: number
  /** Retries of the whole run. @default 200; ten successes give one back. */
  readonly retryBudget?: number
  /** Milliseconds; full jitter below it, doubling. @default 1000 (first retry within a second) */
  readonly backoffBaseMs?: number
  /** Milliseconds. @default 30_000; never applied to Retry-After. */
  readonly backoffLimitMs?: number
  /** Milliseconds. @default 3_600_000; when the service asks for a longer wait the run gives up. */
  readonly maxWaitMs?: number
}

export interface Sent<T> {
  readonly value: T
  readonly attempts: number
}

/** How one request differs from others. */
export interface SendRules {
  /** Kinds of fault after which nothing is sent again. */
  readonly never?: ReadonlySet<FaultKind>
  /** The answer is a page of data: one that is not whole concerns this page only. */
  readonly isPage?: boolean
}

export interface Sender {
  /**
   * Sends until `read` returns a value. Only for requests that may be sent twice.
   *
   * @param make builds the request of each attempt, with the current bearer
   * @param read reads a response; throws a Fault when another attempt may help
   * @throws UnprovenPageError when a page was asked for and three bodies were not one · ServiceError when attempts or the
   *   run's budget end
   */
  send<T>(
    make: () => Promise<HttpRequest>,
    read: (response: HttpResponse) => T,
    signal?: AbortSignal,
    rules?: SendRules,
  ): Promise<Sent<T>>
  /**
   * Sends exactly once.
   *
   * @param make builds the request when its turn has come, so that the bearer is current
   * @throws Fault, the signal's reason, what `make` throws
   */
  sendOnce(make: () => Promise<HttpRequest>, signal?: AbortSignal): Promise<HttpResponse>
  counts(): { requests: number; retries: number; wireBytes: number; bodyBytes: number; retryBudget: number }
}

/** Before the first answer, an unreachable host is more likely a wrong setting than an outage. */
const FIRST_CONTACT_ATTEMPTS = 4
/** A page that is not whole is asked for this often, quickly: nine attempts with their waits took 89 s a page. */
const PAGE_TRIES = 3
const PAGE_WAIT_MS = 500

const NO_CONTACT: ReadonlySet<FaultKind> = new Set(['unreachable', 'timeout'])

export interface SenderParts {
  readonly transport: Transport
  readonly throttle: Throttle
  readonly notice: PauseNotice
  readonly secrets: Secrets
}

export function createSender(parts: SenderParts, options: RetryOptions, effects: Effects): Sender {
  return new RetryingSender(parts, options, effects)
}

/** State of one request over its attempts. */
interface Progress {
  /** Method, host and path, for messages. */
  name: string
  isRead: boolean
  attempts: number
  /** Attempts that count against the limit. */
  counted: number
  /** Answers that were not a whole page. */
  brokenPages: number
  /** One reconnect is not counted, see `recover`. */
  freeReconnect: boolean
  /** Pause that the throttle has made because of the latest attempt. */
  paused: Pause
}

/**
 * Retries around the transport. p-retry runs the loop; its waits would run on real timers, so each failed attempt
 * waits here, on the injected clock: all share a budget and a throttle, and some waits (429) are pauses of the
 * throttle. p-retry gets no signal: that would drop a page that has just arrived.
 */
class RetryingSender implements Sender {
  private readonly maxAttempts: number
  private readonly baseMs: number
  private readonly limitMs: number
  private readonly maxWaitMs: number
  private readonly budget: RetryBudget
  private readonly totals = { requests: 0, retries: 0, wireBytes: 0, bodyBytes: 0 }
  /** Whether the service has answered at least once. */
  private reached = false

  constructor(
    private readonly parts: SenderParts,
    options: RetryOptions,
    private readonly effects: Effects,
  ) {
    this.maxAttempts = options.attempts ?? 9
    this.baseMs = options.backoffBaseMs ?? 1000
    this.limitMs = options.backoffLimitMs ?? 30_000
    this.maxWaitMs = options.maxWaitMs ?? 3_600_000
    this.budget = createRetryBudget(options.retryBudget ?? 200)
  }

  async send<T>(
    make: () => Promise<HttpRequest>,
    read: (response: HttpResponse) => T,
    signal?: AbortSignal,
    rules: SendRules = {},
  ): Promise<Sent<T>> {
    const progress: Progress = {
      name: this.parts.transport.host,
      isRead: false,
      attempts: 0,
      counted: 0,
      brokenPages: 0,
      freeReconnect: true,
      paused: NO_PAUSE,
    }
    const value = await pRetry((number) => this.attempt(number, make, read, progress, signal), {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 0,
      shouldConsumeRetry: () => false,
      onFailedAttempt: ({ error }) => this.recover(error, progress, signal, rules),
    })
    this.budget.refill()
    return { value, attempts: progress.attempts }
  }

  async sendOnce(make: () => Promise<HttpRequest>, signal?: AbortSignal): Promise<HttpResponse> {
    const { throttle } = this.parts
    const ticket = await throttle.take(signal)
    const response = await this.exchange(await make(), signal)
    throttle.observe(ticket, response)
    return response
  }

  counts(): ReturnType<Sender['counts']> {
    return { ...this.totals, retryBudget: this.budget.left() }
  }

  private async exchange(request: HttpRequest, signal: AbortSignal | undefined): Promise<HttpResponse> {
    this.totals.requests++
    const response = await this.parts.transport.exchange(request, signal)
    this.reached = true
    this.totals.wireBytes += response.wireBytes
    this.totals.bodyBytes += response.body.length
    return response
  }

  private async attempt<T>(
    number: number,
    make: () => Promise<HttpRequest>,
    read: (response: HttpResponse) => T,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { transport, throttle } = this.parts
    progress.attempts = number
    progress.paused = NO_PAUSE
    const request = await make()
    progress.name = `${request.method} ${transport.host}${request.path}`
    progress.isRead = request.method === 'GET'
    const ticket = await throttle.take(signal)
    const response = await this.exchange(request, signal)
    progress.paused = longer(progress.paused, throttle.observe(ticket, response))
    try {
      return read(response)
    } catch (error) {
      // A limit reported in a 200 body counts like a 429.
      if (error instanceof Fault && error.status === 429 && response.status !== 429)
        progress.paused = longer(progress.paused, throttle.observe(ticket, { ...response, status: 429 }))
      throw error
    }
  }

  /** Waits before the next attempt. @throws ServiceError when there is none; the signal's reason */
  private async recover(
    fault: Error,
    progress: Progress,
    signal: AbortSignal | undefined,
    { never, isPage = false }: SendRules,
  ): Promise<void> {
    if (!(fault instanceof Fault)) throw fault
    signal?.throwIfAborted()
    const { paused, isRead, attempts, name } = progress
    if (fault.kind === 'final' || never?.has(fault.kind))
      throw this.giveUp(fault, progress, 'not tried again')
    const brokenPage = isPage && fault instanceof PageFault ? fault : undefined
    if (brokenPage && ++progress.brokenPages >= PAGE_TRIES) throw this.unproven(brokenPage, progress)
    if (paused.ms > this.maxWaitMs)
      throw this.giveUp(fault, progress, `the service asks to wait ${Math.round(paused.ms / 1000)} s`)
    this.totals.retries++
    // The service had closed an idle connection, which is normal: the retry needs no wait and costs no budget.
    if (fault.beforeAnswer && isRead && progress.freeReconnect) {
      progress.freeReconnect = false
      return
    }
    if (fault.status !== 429 || !paused.isStated) progress.counted++
    const isContacted = this.reached || !NO_CONTACT.has(fault.kind)
    if (progress.counted >= (isContacted ? this.maxAttempts : FIRST_CONTACT_ATTEMPTS))
      throw this.giveUp(fault, progress, 'the last')
    const hasBudget = this.budget.take()
    if (!hasBudget && brokenPage) throw this.unproven(brokenPage, progress)
    if (!hasBudget) throw this.giveUp(fault, progress, 'the retry budget of this run is used up')
    const { effects } = this
    effects.log.debug(this.parts.secrets.scrub(`${name}: ${fault.message}; trying again`), { attempts })
    if (paused.ms === 0 && fault.status !== 429) {
      const limit = brokenPage ? Math.min(PAGE_WAIT_MS, this.limitMs) : this.limitMs
      const ceiling = Math.min(limit, this.baseMs * 2 ** (progress.counted - 1))
      const wait = effects.random() * ceiling
      this.parts.notice.show(this.parts.secrets.scrub(`${name}: ${fault.message}`), wait)
      await effects.sleep(wait, signal)
    }
  }

  private unproven({ message, problem, body }: PageFault, { name, attempts }: Progress): UnprovenPageError {
    const { secrets } = this.parts
    const text = Buffer.from(body).toString('utf8')
    const clean = secrets.scrub(text)
    return new UnprovenPageError(
      secrets.scrub(`${name}: ${message} (attempt ${attempts}, the last)`),
      secrets.scrub(problem),
      // The body is stored for a look: a credential that the service repeats in it must not be.
      clean === text ? body : Buffer.from(clean),
      attempts,
      this.effects.now(),
    )
  }

  private giveUp(fault: Fault, { name, attempts }: Progress, why: string): ServiceError {
    const { secrets } = this.parts
    return new ServiceError(secrets.scrub(`${name}: ${fault.message} (attempt ${attempts}, ${why})`), {
      hint:
        fault.status === 404 || (NO_CONTACT.has(fault.kind) && !this.reached)
          ? 'check BROKER_BASE_URL and the network, then run the same command again'
          : 'run the same command again later: it continues where this run stopped',
      cause: scrubbed(fault, secrets),
    })
  }
}

const NO_PAUSE: Pause = { ms: 0, isStated: false }

function longer(a: Pause, b: Pause): Pause {
  return { ms: Math.max(a.ms, b.ms), isStated: a.isStated || b.isStated }
}

/** The cause without anything that could contain a secret: name, code and scrubbed message. */
function scrubbed(fault: Fault, secrets: Secrets): Error {
  const cause = new Error(secrets.scrub(fault.message))
  cause.name = `Fault(${fault.kind})`
  cause.stack = `${cause.name}: ${cause.message}`
  return cause
}
