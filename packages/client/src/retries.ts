import type { Effects } from 'candlehouse-foundation/effects'
import type { Secrets } from 'candlehouse-foundation/secrets'
import { type Advice, PLAIN_ADVICE } from './advice.js'
import {
  Fault,
  type FaultKind,
  type LastResponse,
  PageFault,
  type Reach,
  UnansweredError,
  UnprovenPageError,
} from './fault.js'
import { createRetryBudget, type RetryBudget } from './retry-budget.js'
import type { PauseNotice } from './throttle/pause-notice.js'
import type { Pause } from './throttle/throttle.js'

export interface RetryOptions {
  /** Words of hints. @default those of a library, without commands */
  readonly advice?: Advice
  /**
   * Attempts of one request. @default 9, about a minute of outage; 5 while other requests are answered. 429s with a wait time do
   * not count, a timeout counts for two.
   */
  readonly attempts?: number
  /** Retries of all requests together that have no budget of their own. @default 200; ten successes give one back. */
  readonly retryBudget?: number
  /** Milliseconds for which a service that cannot be reached is tried again. @default 60_000 */
  readonly patienceMs?: number
  /** The same before the service has answered once: then a wrong setting is more likely. @default 5_000 */
  readonly firstContactMs?: number
  /** Milliseconds; full jitter below it, doubling. @default 1000 (first retry within a second) */
  readonly backoffBaseMs?: number
  /** Milliseconds. @default 30_000; never applied to Retry-After. */
  readonly backoffLimitMs?: number
  /** Milliseconds. @default 3_600_000; when the service asks for a longer wait the run gives up. */
  readonly maxWaitMs?: number
}

/** How often one read is sent again. */
export interface ReadLimits {
  /** Attempts at most; a function is asked after each of them. @default those of the client */
  readonly attempts?: number | (() => number | undefined)
  /** Where its retries are taken from. @default the budget of the client */
  readonly budget?: RetryBudget
}

/** How one request differs from others. */
export interface SendRules extends ReadLimits {
  /** Kinds of fault after which nothing is sent again. */
  readonly never?: ReadonlySet<FaultKind>
  /** The answer is a page of data: one that is not whole concerns this page only. */
  readonly isPage?: boolean
  /** Whom it concerns that the request fails. @default the request alone, unless the service cannot be reached */
  readonly reach?: Reach
}

/** State of one request over its attempts. */
export interface Progress {
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
  /** Since when it fails, milliseconds of the monotonic clock. */
  failingSince: number | undefined
}

export const NO_PAUSE: Pause = { ms: 0, isStated: false }

/** A request before its first attempt. @param name what messages call it until then */
export function beginning(name: string): Progress {
  return {
    name,
    isRead: false,
    attempts: 0,
    counted: 0,
    brokenPages: 0,
    freeReconnect: true,
    paused: NO_PAUSE,
    failingSince: undefined,
  }
}

/** Before the first answer, a host that does not answer is more likely a wrong setting than an outage. */
const FIRST_CONTACT_ATTEMPTS = 4
/** A request that keeps failing while others are answered is not waiting for an outage to end. */
const LONE_ATTEMPTS = 5
/** Attempts that one without a whole answer within the deadline counts for: each may take a minute. */
const TIMEOUT_COUNTS = 2
/** Milliseconds between attempts to reach a service, at most: an outage that ends is noticed soon. */
const REACH_WAIT_MS = 10_000
/** A page that is not whole is asked for this often, quickly: nine attempts with their waits took 89 s a page. */
const PAGE_TRIES = 3
const PAGE_WAIT_MS = 500

const NO_CONTACT: ReadonlySet<FaultKind> = new Set(['unreachable', 'timeout'])

/** Decides what follows a failed attempt: a wait, another attempt, or the end of the request. */
export class Retries {
  private readonly maxAttempts: number
  private readonly baseMs: number
  private readonly limitMs: number
  private readonly maxWaitMs: number
  private readonly patienceMs: number
  private readonly firstContactMs: number
  private readonly budget: RetryBudget
  private readonly advice: Advice
  /** Whether the service has answered at least once. */
  private reached = false
  /** Since when the service cannot be reached, milliseconds of the monotonic clock. */
  private unreachableSince: number | undefined
  /** When a request last got a usable answer, milliseconds of the monotonic clock. */
  private answeredAt = Number.NEGATIVE_INFINITY
  private count = 0

  constructor(
    private readonly parts: { readonly notice: PauseNotice; readonly secrets: Secrets },
    options: RetryOptions,
    private readonly effects: Effects,
  ) {
    this.maxAttempts = options.attempts ?? 9
    this.baseMs = options.backoffBaseMs ?? 1000
    this.limitMs = options.backoffLimitMs ?? 30_000
    this.maxWaitMs = options.maxWaitMs ?? 3_600_000
    this.patienceMs = options.patienceMs ?? 60_000
    this.firstContactMs = options.firstContactMs ?? 5_000
    this.advice = options.advice ?? PLAIN_ADVICE
    this.budget = createRetryBudget(options.retryBudget ?? 200)
  }

  counts(): { retries: number; retryBudget: number } {
    return { retries: this.count, retryBudget: this.budget.left() }
  }

  /** A response came, whatever it is. */
  contacted(): void {
    this.reached = true
    this.unreachableSince = undefined
  }

  /** A request got a usable answer. */
  answered({ budget = this.budget }: ReadLimits): void {
    budget.refill()
    this.answeredAt = this.effects.monotonic()
  }

  /** Waits before the next attempt. @throws UnansweredError when there is none; the signal's reason */
  async recover(
    fault: Error,
    progress: Progress,
    signal: AbortSignal | undefined,
    rules: SendRules,
  ): Promise<void> {
    if (!(fault instanceof Fault)) throw fault
    signal?.throwIfAborted()
    const { paused, isRead, attempts, name } = progress
    if (fault.kind === 'final' || rules.never?.has(fault.kind))
      throw this.giveUp(fault, progress, 'not tried again', rules.reach)
    const brokenPage = rules.isPage && fault instanceof PageFault ? fault : undefined
    if (brokenPage && ++progress.brokenPages >= PAGE_TRIES) throw this.unproven(brokenPage, progress)
    if (paused.ms > this.maxWaitMs)
      throw this.giveUp(
        fault,
        progress,
        `the service asks to wait ${Math.round(paused.ms / 1000)} s`,
        'service',
      )
    this.count++
    // The service had closed an idle connection, which is normal: the retry needs no wait and costs no budget.
    if (fault.beforeAnswer && isRead && progress.freeReconnect) {
      progress.freeReconnect = false
      return
    }
    if (fault.kind === 'unreachable') return await this.waitForService(fault, progress, signal)
    progress.failingSince ??= this.effects.monotonic()
    if (fault.status !== 429 || !paused.isStated)
      progress.counted += fault.kind === 'timeout' && this.reached ? TIMEOUT_COUNTS : 1
    const isContacted = this.reached || !NO_CONTACT.has(fault.kind)
    const most = isContacted ? this.attemptsOf(progress, rules) : FIRST_CONTACT_ATTEMPTS
    if (progress.counted >= most)
      throw brokenPage
        ? this.unproven(brokenPage, progress)
        : this.giveUp(fault, progress, 'the last', isContacted ? rules.reach : 'service')
    const hasBudget = (rules.budget ?? this.budget).take()
    if (!hasBudget && brokenPage) throw this.unproven(brokenPage, progress)
    if (!hasBudget) throw this.giveUp(fault, progress, 'its retry budget is used up', rules.reach)
    const { effects } = this
    effects.log.debug(this.parts.secrets.scrub(`${name}: ${fault.message}; trying again`), { attempts })
    if (paused.ms === 0 && fault.status !== 429) {
      const limit = brokenPage ? Math.min(PAGE_WAIT_MS, this.limitMs) : this.limitMs
      const ceiling = Math.min(limit, this.baseMs * 2 ** (progress.counted - 1))
      await this.wait(fault, progress, effects.random() * ceiling, signal)
    }
  }

  private attemptsOf({ failingSince = 0 }: Progress, { attempts }: SendRules): number {
    const most = (typeof attempts === 'function' ? attempts() : attempts) ?? this.maxAttempts
    return this.answeredAt > failingSince ? Math.min(most, LONE_ATTEMPTS) : most
  }

  /**
   * Waits while the service cannot be reached: no attempt of a request, and no retry of a budget, was used on it.
   *
   * @throws UnansweredError that concerns the whole service, when patience ends
   */
  private async waitForService(
    fault: Fault,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { effects } = this
    const now = effects.monotonic()
    this.unreachableSince ??= now
    const patience = this.reached ? this.patienceMs : Math.min(this.firstContactMs, this.patienceMs)
    const left = this.unreachableSince + patience - now
    if (left <= 0)
      throw this.giveUp(fault, progress, `out of reach for ${Math.round(patience / 1000)} s`, 'service')
    const ceiling = Math.min(REACH_WAIT_MS, this.limitMs, this.baseMs * 2 ** (progress.attempts - 1))
    await this.wait(fault, progress, Math.min(left, (0.5 + effects.random() / 2) * ceiling), signal)
  }

  private async wait(
    fault: Fault,
    { name }: Progress,
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.parts.notice.show(this.parts.secrets.scrub(`${name}: ${fault.message}`), ms)
    await this.effects.sleep(ms, signal)
  }

  private unproven({ message, problem, body }: PageFault, { name, attempts }: Progress): UnprovenPageError {
    const { secrets } = this.parts
    const text = Buffer.from(body).toString('utf8')
    const clean = secrets.scrub(text)
    const words = secrets.scrub(`${name}: ${message} (attempt ${attempts}, the last)`)
    return new UnprovenPageError(words, this.advice.damaged, {
      problem: secrets.scrub(problem),
      status: 200,
      // The body is stored for a look: a credential that the service repeats in it must not be.
      body: clean === text ? body : Buffer.from(clean),
      attempts,
      receivedAt: this.effects.now(),
    })
  }

  private giveUp(
    fault: Fault,
    { name, attempts }: Progress,
    why: string,
    reach: Reach = 'request',
  ): UnansweredError {
    const { secrets } = this.parts
    const problem = secrets.scrub(fault.message)
    const last: LastResponse = {
      problem,
      status: fault.status,
      body: new Uint8Array(),
      attempts,
      receivedAt: this.effects.now(),
    }
    const hint =
      fault.status === 404 || (NO_CONTACT.has(fault.kind) && !this.reached)
        ? `check BROKER_BASE_URL and the network, then ${this.advice.again}`
        : this.advice.later
    const message = `${secrets.scrub(name)}: ${problem} (attempt ${attempts}, ${why})`
    return new UnansweredError(message, hint, reach, fault.kind, last, scrubbed(fault, secrets))
  }
}

/** The cause without anything that could contain a secret: name, code and scrubbed message. */
function scrubbed(fault: Fault, secrets: Secrets): Error {
  const cause = new Error(secrets.scrub(fault.message))
  cause.name = `Fault(${fault.kind})`
  cause.stack = `${cause.name}: ${cause.message}`
  return cause
}
