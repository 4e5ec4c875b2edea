import pRetry from 'p-retry'
import type { Effects } from '../effects.js'
import { ServiceError } from '../errors.js'
import type { Secrets } from '../secrets.js'
import { Fault, type FaultKind } from './fault.js'
import { createRetryBudget } from './retry-budget.js'
import type { Pause, Throttle } from './throttle/throttle.js'
import type { HttpRequest, HttpResponse, Transport } from './transport/transport.js'

export interface RetryOptions {
  /** Attempts of one request. @default 9; about a minute of outage. 429s that say how long do not count. */
  readonly attempts?: number
  /** Retries of the whole run. @default 200; refilled by successes, one for ten. */
  readonly retryBudget?: number
  /** Milliseconds; full jitter below it, doubling. @default 1000 (first retry within a second) */
  readonly backoffBaseMs?: number
  /** Milliseconds. @default 30_000; never applied to Retry-After. */
  readonly backoffLimitMs?: number
  /** Milliseconds. @default 3_600_000; a service that asks to wait longer is out of order: give up. */
  readonly maxWaitMs?: number
}

export interface Sent<T> {
  readonly value: T
  readonly attempts: number
}

export interface Sender {
  /**
   * Sends until `judge` has a value. Everything sent this way may be sent twice.
   *
   * @param make builds the request of each attempt anew, with the bearer of the moment
   * @param judge reads an answer; throws a Fault for one that is worth another attempt
   * @param retries kinds of fault that are not sent again
   * @throws ServiceError when attempts or the run's budget end
   */
  send<T>(
    make: () => Promise<HttpRequest>,
    judge: (response: HttpResponse) => T,
    signal?: AbortSignal,
    never?: ReadonlySet<FaultKind>,
  ): Promise<Sent<T>>
  /**
   * Sends once, whatever happens.
   *
   * @param make builds the request after its turn has come, so that the bearer is the moment's
   * @throws Fault, the signal's reason, what `make` throws
   */
  sendOnce(make: () => Promise<HttpRequest>, signal?: AbortSignal): Promise<HttpResponse>
  counts(): { requests: number; retries: number; wireBytes: number; bodyBytes: number; retryBudget: number }
}

/** While nothing ever answered, an unreachable host is more likely a wrong setting than an outage. */
const FIRST_CONTACT_ATTEMPTS = 4
const NO_CONTACT: ReadonlySet<FaultKind> = new Set(['unreachable', 'timeout'])

/**
 * Retries around the transport. p-retry turns the loop; its waits would run on real timers, so each failed
 * attempt waits here, on the injected clock: all share one budget and one throttle, and some waits (429) are
 * the throttle's own pauses. It gets no signal: that would drop a page that has just arrived.
 */
export function createSender(
  parts: { transport: Transport; throttle: Throttle; secrets: Secrets },
  options: RetryOptions,
  effects: Effects,
): Sender {
  const { transport, throttle, secrets } = parts
  const maxAttempts = options.attempts ?? 9
  const baseMs = options.backoffBaseMs ?? 1000
  const limitMs = options.backoffLimitMs ?? 30_000
  const maxWaitMs = options.maxWaitMs ?? 3_600_000
  const budget = createRetryBudget(options.retryBudget ?? 200)
  const count = { requests: 0, retries: 0, wireBytes: 0, bodyBytes: 0 }
  let reached = false

  const exchange = async (request: HttpRequest, signal: AbortSignal | undefined): Promise<HttpResponse> => {
    count.requests++
    const response = await transport.exchange(request, signal)
    reached = true
    count.wireBytes += response.wireBytes
    count.bodyBytes += response.body.length
    return response
  }

  const once = async <T>(
    make: () => Promise<HttpRequest>,
    judge: (response: HttpResponse) => T,
    signal: AbortSignal | undefined,
    pause: (pause: Pause) => void,
  ): Promise<T> => {
    const request = await make()
    const ticket = await throttle.take(signal)
    const response = await exchange(request, signal)
    pause(throttle.observe(ticket, response))
    try {
      return judge(response)
    } catch (error) {
      // A limit reported in a 200 body counts like a 429.
      if (error instanceof Fault && error.status === 429 && response.status !== 429)
        pause(throttle.observe(ticket, { ...response, status: 429 }))
      throw error
    }
  }

  const giveUp = (fault: Fault, request: string, attempts: number, why: string): ServiceError =>
    new ServiceError(secrets.scrub(`${request}: ${fault.message} (attempt ${attempts}, ${why})`), {
      hint:
        fault.status === 404 || (NO_CONTACT.has(fault.kind) && !reached)
          ? 'check BROKER_BASE_URL and the network, then run the same command again'
          : 'run the same command again later: it goes on where this one stopped',
      cause: scrubbed(fault, secrets),
    })

  return {
    async send<T>(
      make: () => Promise<HttpRequest>,
      judge: (response: HttpResponse) => T,
      signal?: AbortSignal,
      never?: ReadonlySet<FaultKind>,
    ) {
      let name = transport.host
      let isRead = false
      let freeReconnect = true
      let counted = 0
      let attempts = 0
      let paused: Pause = { ms: 0, isStated: false }
      const attempt = async (number: number): Promise<T> => {
        attempts = number
        paused = { ms: 0, isStated: false }
        const named = async (): Promise<HttpRequest> => {
          const request = await make()
          name = `${request.method} ${transport.host}${request.path}`
          isRead = request.method === 'GET'
          return request
        }
        return await once(named, judge, signal, ({ ms, isStated }) => {
          paused = { ms: Math.max(paused.ms, ms), isStated: paused.isStated || isStated }
        })
      }
      const recover = async (fault: Error): Promise<void> => {
        if (!(fault instanceof Fault)) throw fault
        signal?.throwIfAborted()
        if (fault.kind === 'final' || never?.has(fault.kind))
          throw giveUp(fault, name, attempts, 'not tried again')
        if (paused.ms > maxWaitMs)
          throw giveUp(fault, name, attempts, `the service asks to wait ${Math.round(paused.ms / 1000)} s`)
        count.retries++
        // An idle connection that the service had closed: nobody's trouble, so no wait and no charge.
        if (fault.beforeAnswer && isRead && freeReconnect) {
          freeReconnect = false
          return
        }
        if (fault.status !== 429 || !paused.isStated) counted++
        const most = reached || !NO_CONTACT.has(fault.kind) ? maxAttempts : FIRST_CONTACT_ATTEMPTS
        if (counted >= most) throw giveUp(fault, name, attempts, 'the last')
        if (!budget.take()) throw giveUp(fault, name, attempts, 'the retry budget of this run is used up')
        effects.log.debug(secrets.scrub(`${name}: ${fault.message}; trying again`), { attempts })
        if (paused.ms === 0 && fault.status !== 429) {
          const ceiling = Math.min(limitMs, baseMs * 2 ** (counted - 1))
          await effects.sleep(effects.random() * ceiling, signal)
        }
      }
      const value = await pRetry(attempt, {
        retries: Number.POSITIVE_INFINITY,
        minTimeout: 0,
        shouldConsumeRetry: () => false,
        onFailedAttempt: ({ error }) => recover(error),
      })
      budget.refill()
      return { value, attempts }
    },
    async sendOnce(make, signal) {
      const ticket = await throttle.take(signal)
      const response = await exchange(await make(), signal)
      throttle.observe(ticket, response)
      return response
    },
    counts: () => ({ ...count, retryBudget: budget.left() }),
  }
}

/** The cause without anything that could hold a secret: name, code and scrubbed message. */
function scrubbed(fault: Fault, secrets: Secrets): Error {
  const cause = new Error(secrets.scrub(fault.message))
  cause.name = `Fault(${fault.kind})`
  cause.stack = `${cause.name}: ${cause.message}`
  return cause
}
