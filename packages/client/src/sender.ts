import type { Effects } from 'candlehouse-foundation/effects'
import type { Secrets } from 'candlehouse-foundation/secrets'
import pRetry from 'p-retry'
import { Fault } from './fault.js'
import { beginning, NO_PAUSE, type Progress, Retries, type RetryOptions, type SendRules } from './retries.js'
import type { PauseNotice } from './throttle/pause-notice.js'
import type { Pause, Throttle } from './throttle/throttle.js'
import type { HttpRequest, HttpResponse, Transport } from './transport/transport.js'

export interface Sent<T> {
  readonly value: T
  readonly attempts: number
}

export interface Sender {
  /**
   * Sends until `read` returns a value. Only for requests that may be sent twice.
   *
   * @param make builds the request of each attempt, with the current bearer
   * @param read reads a response; throws a Fault when another attempt may help
   * @throws UnansweredError when attempts or the budget end; of a page: UnprovenPageError when three bodies were not one
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

export interface SenderParts {
  readonly transport: Transport
  readonly throttle: Throttle
  readonly notice: PauseNotice
  readonly secrets: Secrets
}

export function createSender(parts: SenderParts, options: RetryOptions, effects: Effects): Sender {
  return new RetryingSender(parts, options, effects)
}

/**
 * Retries around the transport. p-retry runs the loop; its waits would run on real timers, so each failed attempt
 * waits here, on the injected clock: all share a budget and a throttle, and some waits (429) are pauses of the
 * throttle. p-retry gets no signal: that would drop a page that has just arrived.
 */
class RetryingSender implements Sender {
  private readonly retries: Retries
  private readonly totals = { requests: 0, wireBytes: 0, bodyBytes: 0 }

  constructor(
    private readonly parts: SenderParts,
    options: RetryOptions,
    effects: Effects,
  ) {
    this.retries = new Retries(parts, options, effects)
  }

  async send<T>(
    make: () => Promise<HttpRequest>,
    read: (response: HttpResponse) => T,
    signal?: AbortSignal,
    rules: SendRules = {},
  ): Promise<Sent<T>> {
    const progress = beginning(this.parts.transport.host)
    const retried = pRetry((number) => this.attempt(number, make, read, progress, signal), {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 0,
      shouldConsumeRetry: () => false,
      onFailedAttempt: ({ error }) => this.retries.recover(error, progress, signal, rules),
    })
    const value = await retried.catch((error: unknown) => {
      // p-retry takes only errors; a caller may abort with any reason.
      throw signal?.aborted ? signal.reason : error
    })
    this.retries.answered(rules)
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
    return { ...this.totals, ...this.retries.counts() }
  }

  private async exchange(request: HttpRequest, signal: AbortSignal | undefined): Promise<HttpResponse> {
    this.totals.requests++
    const response = await this.parts.transport.exchange(request, signal)
    this.retries.contacted()
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
}

function longer(a: Pause, b: Pause): Pause {
  return { ms: Math.max(a.ms, b.ms), isStated: a.isStated || b.isStated }
}
